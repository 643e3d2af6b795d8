import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { parseKeys } from '../../../ingest/acquire/keys.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
const sources = mkdtempSync(join(tmpdir(), 'plat-fcc-'));

beforeAll(async () => void (await publisher.start()));
afterAll(async () => {
  await publisher.stop();
  rmSync(sources, { recursive: true, force: true });
});

const options = (via: 'fcc', url: string, file: string) => ({
  ...{ sources, file, taken: new TakenFiles(sources), now: () => new Date('2026-11-24T06:00:00Z') },
  located: { via, url, where: '', resource: null, vintage: null },
  client: new Client({ wait: async () => {}, retries: 3 }),
});

// listAvailabilityData and downloadFile of the FCC's BDC Public Data API; a row of September 2026, `record_count` a text.
describe("a file of the FCC's broadband map", () => {
  const row = (file_id: number, technology_code: string, more: object = {}) => ({
    ...{ file_id, category: 'State', subcategory: 'Location Coverage', technology_type: 'Fixed Broadband' },
    ...{ technology_code, state_fips: '23', state_name: 'Maine', file_type: 'csv', record_count: '3758', ...more },
  });
  const parameters = 'category=State&subcategory=Location%20Coverage&file_type=csv&state_fips=23';
  const at = (more: string) =>
    `${publisher.origin}/map/downloads/listAvailabilityData/2026-06-30?${parameters}&technology_code=${more}`;
  const serve = () => {
    const data = [
      row(1, '40'),
      row(2, '50'),
      row(3, '50', { state_fips: '33' }),
      row(4, '50', { category: 'Summary' }),
    ];
    const guarded =
      (work: () => string): Parameters<typeof publisher.handlers.set>[1] =>
      ({ headers }, response) =>
        void (headers.username === 'me' && headers.hash_value === 'a+b/c='
          ? response.end(work())
          : response.writeHead(401).end());
    const list = [...data, row(5, '71'), row(6, '71')];
    publisher.handlers.set(
      '/map/downloads/listAvailabilityData/2026-06-30',
      guarded(() => JSON.stringify({ data: list })),
    );
    publisher.handlers.set(
      '/map/downloads/downloadFile/availability/2',
      guarded(() => 'block_geoid\n230190001001000\n'),
    );
  };

  it('is the one with the values of the address, by the keys of its host alone', async () => {
    serve();
    const { host } = new URL(publisher.origin);
    const keys = parseKeys(`${host}=username:me, ${host.toUpperCase()}=hash_value: a+b/c=`);
    const some = (more: string) => ({
      ...options('fcc', at(more), 'fiber.csv'),
      client: new Client({ keys, retries: 0 }),
    });
    await take(some('50'));
    expect(readFileSync(join(sources, 'fiber.csv'), 'utf8')).toBe('block_geoid\n230190001001000\n');
    await expect(take(some('10'))).rejects.toMatchObject({ kind: 'gone', message: /none of its 6 files/ });
    await expect(take(some('71'))).rejects.toThrow(/2 of its files have these values/);
    await expect(take(options('fcc', at('50'), 'x.csv'))).rejects.toThrow(
      /answered 401; a key .* PLAT_PUBLISHER_KEYS$/,
    );
    const others = parseKeys('example.org=hash_value:a+b/c=,example.org=username:me');
    await expect(take({ ...some('50'), client: new Client({ keys: others, retries: 0 }) })).rejects.toThrow(
      /answered 401/,
    );
  });

  it('has keys that are told by no message', () => {
    for (const text of ['a.gov=secret', 'secret', 'a.gov=x-key:sec ret', 'b.gov=k:v,=n:secret']) {
      expect(() => parseKeys(text)).toThrow(/entry \d cannot be read, expected HOST=HEADER:VALUE$/);
    }
    expect(parseKeys('').size).toBe(0);
  });
});
