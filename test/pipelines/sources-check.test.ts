import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Acquire } from '../../datasets/acquire.ts';
import type { Catalog } from '../../datasets/catalog.ts';
import { type Dataset, defineDataset } from '../../datasets/dataset.ts';
import { Client } from '../../ingest/acquire/client.ts';
import { parseMirror } from '../../ingest/acquire/mirror.ts';
import { type CheckedSource, checkSources } from '../../pipelines/refresh/source-check.ts';
import { Publisher } from '../ingest/acquire/publisher.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-sources-'));
const publisher = new Publisher();
const client = () => new Client({ mirror: parseMirror(`*=${publisher.origin}`), wait: async () => {}, retries: 1 });

beforeAll(async () => void (await publisher.start()));
beforeEach(() => {
  publisher.files.clear();
  publisher.handlers.clear();
  publisher.log.length = 0;
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

function dataset(id: string, acquire: Acquire): Dataset {
  const columns = { GEOID: { type: 'string' }, zone: { type: 'integer', aliases: ['ZONE_NO'] } } as const;
  const table = { kind: 'table', key: { column: 'GEOID', is: 'county_fips' }, partition: 'national', columns } as const;
  const about = { title: id, publisher: 'P', format: 'csv', licence: 'public', cadence: 'annual', vintageRule: 'none' };
  return defineDataset({ id, url: 'https://example.gov', ...about, acquire, layers: { main: table }, fields: {} });
}

const catalogOf = (...datasets: readonly Dataset[]) =>
  ({ datasets: new Map(datasets.map(one => [one.id, one])) }) as unknown as Catalog;

async function check(catalog: Catalog, name: string, maxAgeMs = 0, counties = ['23019']): Promise<CheckedSource[]> {
  const asking = client();
  const found: CheckedSource[] = [];
  const options = { client: asking, counties, record: join(folder, name), maxAgeMs, now: () => new Date() };
  for await (const one of checkSources(catalog, { ...options, pause: async () => {} })) found.push(one);
  await asking.close();
  return found.sort((a, b) => a.dataset.localeCompare(b.dataset));
}

const file = (url: string) => ({ url, seen: 'public code' }) as const;

it('tells what is alive, moved, gone, put there by hand, or in need of a name', async () => {
  const page = '<!DOCTYPE html><html><title>Not found</title></html>';
  publisher.put('/a.gov/alive.csv', 'GEOID,zone\n23019,1\n');
  publisher.put('/a.gov/page.zip', page);
  publisher.put('/a.gov/empty.csv', '');
  publisher.put('/b.gov/new/place.csv', 'GEOID,zone\n');
  const to = (status: number, location: string) => {
    publisher.handlers.set(
      `/a.gov/${status}.csv`,
      (_request, response) => void response.writeHead(status, { location }).end(),
    );
  };
  to(301, 'https://b.gov/new/place.csv');
  to(302, 'https://b.gov/new/place.csv');
  const catalog = catalogOf(
    ...['alive.csv', 'page.zip', 'empty.csv', '301.csv', '302.csv', '404.csv'].map(name =>
      dataset(`set_${name.replace('.', '_')}`, { files: [file(`https://a.gov/${name}`)] }),
    ),
    dataset('hands', { byHand: 'the site asks for a captcha' }),
    dataset('tiles', { files: [file('https://a.gov/{tile}.tif')] }),
  );
  const found = await check(catalog, 'verdicts');
  expect(found.map(({ dataset: id, verdict }) => `${id} ${verdict}`)).toEqual([
    'hands by hand',
    'set_301_csv moved',
    'set_302_csv alive',
    'set_404_csv gone',
    'set_alive_csv alive',
    'set_empty_csv gone',
    'set_page_zip gone',
    'tiles not asked',
  ]);
  expect(found[1]!.detail).toBe('to https://b.gov/new/place.csv');
  expect(found[3]!.detail).toBe('answered 404');
  expect(found.map(({ seen }) => seen).filter(seen => seen !== null)).toEqual(Array(6).fill('public code'));
});

it('goes on where it was stopped, asks under a condition, and tells columns that were lost', async () => {
  publisher.put('/c.gov/zones.csv', 'GEOID,ZONE_NO,more\n23019,1,x\n');
  publisher.put('/c.gov/23001.csv', 'GEOID|zone\n');
  const catalog = catalogOf(
    dataset('zones', { files: [file('https://c.gov/zones.csv')] }),
    dataset('by_county', { files: [file('https://c.gov/{county}.csv')] }),
  );
  const counties = ['23001', '23003'];
  const first = await check(catalog, 'record', 60_000, counties);
  expect(first.map(({ area, verdict }) => [area, verdict])).toEqual([
    ['23001', 'alive'],
    ['23003', 'gone'],
    [null, 'alive'],
  ]);
  const asked = publisher.log.length;
  // Half a line is what a check leaves that was killed.
  appendFileSync(join(folder, 'record'), '{"key":"http https://c.gov/zo');
  expect(await check(catalog, 'record', 60_000, counties)).toEqual(first);
  expect(publisher.log).toHaveLength(asked);

  publisher.log.length = 0;
  appendFileSync(join(folder, 'record'), '\n');
  await check(catalog, 'record', 0, counties);
  const conditions = publisher.log.filter(({ headers }) => headers['if-none-match'] !== undefined);
  expect(conditions.map(({ path }) => path)).toEqual(['/c.gov/zones.csv', '/c.gov/23001.csv']);

  publisher.put('/c.gov/zones.csv', 'GEOID,other\n23019,1\n');
  const [, , last] = await check(catalog, 'record', 0, counties);
  expect(last).toMatchObject({ verdict: 'changed columns', detail: 'lacks zone_no' });
  expect(readFileSync(join(folder, 'record'), 'utf8').trim().split('\n').length).toBeGreaterThan(6);
});

it('asks a map server on the ground of the county, a host one thing at a time', async () => {
  let [open, most] = [0, 0];
  const boxes: (string | null)[] = [];
  const path = '/maps.gov/rest/services/Zones/FeatureServer/0';
  const say = (response: Parameters<Parameters<typeof publisher.handlers.set>[1]>[1], value: unknown) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      response.end(JSON.stringify(value));
    });
  };
  publisher.handlers.set(path, (_request, response) =>
    say(response, {
      ...{ name: 'Zones', type: 'Feature Layer', objectIdField: 'OBJECTID', maxRecordCount: 10 },
      fields: [
        { name: 'OBJECTID', type: 'esriFieldTypeOID' },
        { name: 'zone', type: 'esriFieldTypeInteger' },
      ],
    }),
  );
  publisher.handlers.set(`${path}/query`, (_request, response, { searchParams }) => {
    boxes.push(searchParams.get('geometry'));
    say(response, searchParams.has('returnCountOnly') ? { count: 2 } : { objectIds: [1, 2] });
  });
  const at = { via: 'arcgis', url: 'https://maps.gov/rest/services/Zones/FeatureServer/0', ground: 5 } as const;
  const catalog = catalogOf(dataset('zones', { files: [{ ...at, seen: 'public code', seenOn: '2026-09' }] }));
  const found = await check(catalog, 'maps', 0, ['23019', '23003']);
  expect(found.map(({ area, rows, seen }) => [area, rows, seen])).toEqual([
    ['23019', 2, 'public code, 2026-09'],
    ['23003', 2, 'public code, 2026-09'],
  ]);
  expect(most).toBe(1);
  expect(new Set(boxes).size).toBe(2);
  expect(boxes).not.toContain(null);
});
