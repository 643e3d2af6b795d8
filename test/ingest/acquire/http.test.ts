import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import type { Located } from '../../../ingest/acquire/locate.ts';
import { parseMirror } from '../../../ingest/acquire/mirror.ts';
import { look, take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { half, Publisher, send } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-acquire-'));
let sources: string;
let waits: number[];
let client: Client;

/** A zip that readers would open: an empty archive behind content of any length. */
const zip = (text: string) =>
  Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from(text), Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')]);

const located = (url: string, more: Partial<Located> = {}): Located => ({
  via: 'http',
  url,
  where: '',
  resource: null,
  vintage: null,
  ...more,
});

const options = (path: string, file = 'a/file.zip', more: Partial<Located> = {}) => ({
  sources,
  file,
  located: located(`${publisher.origin}${path}`, more),
  taken: new TakenFiles(sources),
  client,
  now: () => new Date('2026-11-24T06:00:00Z'),
});

const held = (file = 'a/file.zip') => readFileSync(join(sources, file));

beforeAll(async () => {
  await publisher.start();
});
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  waits = [];
  publisher.files.clear();
  publisher.faults.clear();
  publisher.log.length = 0;
  client = new Client({ wait: async ms => void waits.push(ms), retries: 4 });
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a file over http', () => {
  it('is taken once, and asked for under a condition afterwards', async () => {
    publisher.put('/f.zip', zip('one'));
    const first = await take(options('/f.zip'));
    expect(first).toMatchObject({ isNew: true, taken: { vintage: '2026-03-01', bytes: zip('one').length } });
    expect(held()).toEqual(zip('one'));
    expect((await look(options('/f.zip'))).isNew).toBe(false);
    const again = await take(options('/f.zip'));
    expect(again.isNew).toBe(false);
    expect(publisher.log.at(-1)?.headers['if-none-match']).toBe(publisher.files.get('/f.zip')!.etag);
    publisher.put('/f.zip', zip('three'));
    expect((await look(options('/f.zip'))).isNew).toBe(true);
    expect((await take(options('/f.zip'))).isNew).toBe(true);
    expect(held()).toEqual(zip('three'));
  });

  it('is taken from another place of the home that has it whole, and asked for under a condition', async () => {
    publisher.put('/nation.zip', zip('nation'));
    const home = mkdtempSync(join(folder, 'home-'));
    const of = (place: string) => {
      const own = join(home, 'sources', place);
      return { ...options('/nation.zip'), sources: own, taken: new TakenFiles(own) };
    };
    await take(of('one'));
    const second = await take(of('two'));
    expect(second).toMatchObject({ isNew: false, taken: { bytes: zip('nation').length } });
    expect(publisher.log.filter(({ headers }) => headers['if-none-match'] === undefined).length).toBe(1);
    const path = (place: string) => join(home, 'sources', place, 'a/file.zip');
    expect(readFileSync(path('two'))).toEqual(zip('nation'));
    expect(statSync(path('two')).ino).toBe(statSync(path('one')).ino);
    // A newer edition of one leaves the other's as it is; one that is damaged is not taken over.
    publisher.put('/nation.zip', zip('nations'));
    await take(of('two'));
    expect(readFileSync(path('one'))).toEqual(zip('nation'));
    writeFileSync(path('two'), zip('nationz'));
    await take(of('three'));
    expect(readFileSync(path('three'))).toEqual(zip('nations'));
  });

  it('goes on where the connection broke, in this run and in the next', async () => {
    const body = zip('x'.repeat(4_000_000));
    publisher.put('/f.zip', body);
    publisher.faults.set('/f.zip', [half(publisher, '/f.zip')]);
    await take(options('/f.zip'));
    expect(held()).toEqual(body);
    expect(publisher.log.at(-1)?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);

    rmSync(join(sources, 'a'), { recursive: true });
    publisher.faults.set('/f.zip', [half(publisher, '/f.zip'), (_, response) => response.destroy()]);
    client = new Client({ retries: 1, wait: async () => {} });
    await expect(take(options('/f.zip'))).rejects.toThrow(/gave up after 2 attempts/);
    expect(existsSync(join(sources, 'a/file.zip'))).toBe(false);
    publisher.log.length = 0;
    await take(options('/f.zip'));
    expect(publisher.log[0]?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(held()).toEqual(body);
  });

  it('begins anew where the file changed in the middle', async () => {
    publisher.put('/f.zip', zip('a'.repeat(50_000)));
    const old = half(publisher, '/f.zip');
    publisher.faults.set('/f.zip', [
      (request, response, url) => {
        old(request, response, url);
        publisher.put('/f.zip', zip('b'.repeat(40_000)), { etag: '"other"' });
      },
    ]);
    await take(options('/f.zip'));
    expect(held()).toEqual(zip('b'.repeat(40_000)));
  });

  it('begins anew where a publisher sends the rest of another version as a part', async () => {
    publisher.put('/f.zip', zip('a'.repeat(50_000)));
    const old = half(publisher, '/f.zip');
    publisher.faults.set('/f.zip', [
      old,
      (request, response) =>
        send(
          { ...publisher.files.get('/f.zip')!, etag: '"new"' },
          { ...request, headers: { range: request.headers.range } } as never,
          response,
        ),
    ]);
    await take(options('/f.zip'));
    expect(held()).toEqual(zip('a'.repeat(50_000)));
  });

  it('never goes on with a part of a publisher that gives no validators or no ranges', async () => {
    const body = zip('y'.repeat(80_000));
    publisher.put('/f.zip', body, { etag: null });
    publisher.faults.set('/f.zip', [half(publisher, '/f.zip')]);
    await take(options('/f.zip'));
    expect(held()).toEqual(body);
    expect(publisher.log.at(-1)?.headers.range).toBeUndefined();
    publisher.put('/g.zip', body, { ranges: false });
    publisher.faults.set(
      '/g.zip',
      Array.from({ length: 4 }, () => half(publisher, '/g.zip')),
    );
    await take(options('/g.zip', 'g.zip'));
    expect(held('g.zip')).toEqual(body);
  });

  it('waits as long as Retry-After says, and otherwise longer each time with jitter', async () => {
    publisher.put('/f.zip', zip('one'));
    publisher.faults.set('/f.zip', [
      (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
      (_, response) => response.writeHead(503).end(),
      (_, response) => response.writeHead(500).end(),
    ]);
    await take(options('/f.zip'));
    expect(waits[0]).toBeGreaterThanOrEqual(7000);
    expect(waits[0]).toBeLessThan(7600);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[2]).toBeGreaterThanOrEqual(1000);
    expect(waits).toHaveLength(3);
  });

  it('does not try again what will not pass', async () => {
    await expect(take(options('/none.zip'))).rejects.toMatchObject({ kind: 'gone' });
    publisher.handlers.set('/closed.zip', (_, response) => response.writeHead(403).end());
    await expect(take(options('/closed.zip'))).rejects.toMatchObject({ kind: 'forbidden' });
    expect(waits).toEqual([]);
  });

  it('follows a redirect to another host, and none from https to http', async () => {
    const other = await new Publisher().start();
    try {
      other.put('/real.zip', zip('real'));
      publisher.handlers.set('/moved.zip', (_, response) =>
        response.writeHead(302, { location: `${other.origin}/real.zip` }).end(),
      );
      await take(options('/moved.zip'));
      expect(held()).toEqual(zip('real'));
      publisher.handlers.set('/loop.zip', (_, response) => response.writeHead(302, { location: '/loop.zip' }).end());
      await expect(take(options('/loop.zip'))).rejects.toThrow(/redirects more than/);
      publisher.handlers.set('/secure.zip', (_, response) =>
        response.writeHead(302, { location: 'http://plain.example/real.zip' }).end(),
      );
      client = new Client({ mirror: parseMirror(`secure.example=${publisher.origin}`), retries: 0 });
      const secure = { ...options('/x'), client, located: located('https://secure.example/secure.zip') };
      await expect(take(secure)).rejects.toThrow(/from https to http/);
    } finally {
      await other.stop();
    }
  });

  it('refuses what is not the file: a page, another format, a cut archive, nothing; what was held stays', async () => {
    publisher.put('/f.zip', zip('good'));
    await take(options('/f.zip'));
    for (const [body, what] of [
      ['<!DOCTYPE html><html>Please sign in</html>', /a page came instead/],
      ['{"error": "over quota"}', /is no zip file/],
      [zip('cut').subarray(0, 9), /cut off/],
      ['', /empty file/],
    ] as const) {
      publisher.put('/f.zip', body, { etag: `"${String(what)}"` });
      await expect(take(options('/f.zip'))).rejects.toThrow(what);
      expect(held()).toEqual(zip('good'));
      expect(existsSync(join(sources, 'a/file.zip.part'))).toBe(false);
    }
    publisher.put('/f.json', '[1, 2');
    await expect(take(options('/f.json', 'f.json'))).rejects.toThrow(/no end/);
  });

  it('does not take a length for the whole that is not', async () => {
    publisher.put('/f.zip', zip('w'.repeat(9000)));
    publisher.faults.set(
      '/f.zip',
      Array.from({ length: 9 }, () => (_: unknown, response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-length': 20_000, etag: '"w"' });
        response.write(zip('w'.repeat(9000)), () => response.destroy());
      }),
    );
    await expect(take(options('/f.zip'))).rejects.toMatchObject({ kind: 'unreachable' });
    expect(existsSync(join(sources, 'a/file.zip'))).toBe(false);
  });

  it('refuses before it begins what does not fit on the disk', async () => {
    publisher.handlers.set('/huge.zip', (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 50 });
      response.flushHeaders();
    });
    await expect(take(options('/huge.zip'))).rejects.toMatchObject({ kind: 'disk_full' });
  });

  it('takes a file again that somebody changed or removed here', async () => {
    publisher.put('/f.zip', zip('one'));
    await take(options('/f.zip'));
    writeFileSync(join(sources, 'a/file.zip'), 'short');
    expect((await take(options('/f.zip'))).isNew).toBe(true);
    expect(held()).toEqual(zip('one'));
  });

  it('finds the newest year, month, or link of a page', async () => {
    publisher.put('/TIGER2025/tl_2025.zip', zip('25'));
    const year = await take(options('/TIGER{year}/tl_{year}.zip', 'y.zip', { vintage: { newest: 'year', back: 3 } }));
    expect(year.taken).toMatchObject({ vintage: '2025', url: `${publisher.origin}/TIGER2025/tl_2025.zip` });
    publisher.put('/september_generator2026.xlsx', zip('9'));
    const month = await take(
      options('/{month}_generator{year}.xlsx', 'm.xlsx', { vintage: { newest: 'month', back: 4 } }),
    );
    expect(month.taken.vintage).toBe('2026-09');
    // The year before has a file of its own in any case.
    publisher.put('/co2025a.txt', 'this year');
    publisher.put('/co2024a.txt', 'the year before');
    const probe = `${publisher.origin}/co{year}a.txt`;
    const prior = await take(
      options('/co{year-1}a.txt', 'p.txt', { vintage: { newest: 'year', back: 3, probe } as const }),
    );
    expect(prior.taken).toMatchObject({ vintage: '2024', url: `${publisher.origin}/co2024a.txt` });
    const names = (year: number) => `<a href="/d/egrid${year}_data.zip">egrid${year}_data.zip</a>`;
    publisher.put('/page.html', `${names(2021)} ${names(2023)}`);
    publisher.put('/d/egrid2023_data.zip', zip('e'));
    const index = { index: `${publisher.origin}/page.html`, link: '[^"<>]*egrid(\\d{4})_data\\.zip' };
    const link = await take({ ...options(''), file: 'e.zip', located: located('{link}', { vintage: index }) });
    expect(link.taken).toMatchObject({ vintage: '2023', url: `${publisher.origin}/d/egrid2023_data.zip` });
    await expect(
      take(options('/none{year}.zip', 'n.zip', { vintage: { newest: 'year', back: 2 } })),
    ).rejects.toMatchObject({ kind: 'gone' });
  });

  it('judges by the first bytes what answers 200, and looks where older files move', async () => {
    // EIA answers 200 with a page for a month that it does not have, and moves each month to its archive.
    publisher.put('/xls/october_generator2026.xlsx', '<!DOCTYPE html><html><title>EIA</title></html>');
    publisher.put('/xls/september_generator2026.xlsx', '');
    publisher.put('/archive/xls/september_generator2026.xlsx', zip('september'));
    publisher.put('/xls/august_generator2026.xlsx', zip('august'));
    const archive = `${publisher.origin}/archive/xls/{month}_generator{year}.xlsx`;
    const { taken } = await take(
      options('/xls/{month}_generator{year}.xlsx', 'g.xlsx', {
        vintage: { newest: 'month', back: 4, archive } as const,
      }),
    );
    expect(taken).toMatchObject({ vintage: '2026-09', url: archive.replace(/\{.*\}/, 'september_generator2026') });
  });

  it('takes from a folder or another server that stands for the host', async () => {
    const mirror = mkdtempSync(join(folder, 'mirror-'));
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(mirror, 'www2.census.gov/geo'), { recursive: true });
    writeFileSync(join(mirror, 'www2.census.gov/geo/a.zip'), zip('mirror'));
    client = new Client({ mirror: parseMirror(`*=${mirror}`), retries: 0 });
    const from = { ...options(''), client, located: located('https://www2.census.gov/geo/a.zip') };
    await take(from);
    expect(held()).toEqual(zip('mirror'));
    expect((await take({ ...from, taken: new TakenFiles(sources) })).isNew).toBe(false);
    expect(() => parseMirror('nonsense')).toThrow(/no rule/);
    // Nothing outside the folder can be named.
    const swapped = parseMirror(`*=${mirror}`).swapped(new URL('https://h/%2e%2e/%2e%2e/etc/passwd'));
    expect('file' in swapped && swapped.file.startsWith(mirror)).toBe(true);
  });

  it('keeps what is held when the record of it is damaged, and asks anew', async () => {
    publisher.put('/f.zip', zip('one'));
    await take(options('/f.zip'));
    writeFileSync(join(sources, 'acquired.json'), '{"a/file.zip": {"by');
    const { isNew, taken } = await take(options('/f.zip'));
    expect([isNew, taken.bytes]).toEqual([true, statSync(join(sources, 'a/file.zip')).size]);
  });
});
