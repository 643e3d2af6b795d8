import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Protocol } from '../../../datasets/acquire.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { arcgisLayer, Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-services-'));
let sources: string;
let client: Client;

beforeAll(async () => {
  await publisher.start();
});
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.faults.clear();
  publisher.log.length = 0;
  client = new Client({ wait: async () => {}, retries: 3 });
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const options = (via: Protocol, url: string, file: string, resource: string | null = null) => ({
  sources,
  file,
  located: { via, url, where: '', resource, vintage: null },
  taken: new TakenFiles(sources),
  client,
  now: () => new Date('2026-11-24T06:00:00Z'),
});

const idsIn = (file: string) =>
  JSON.parse(readFileSync(join(sources, file), 'utf8')).features.map((f: { id: number }) => f.id);

describe('an ArcGIS layer', () => {
  const rows = (n: number) => new Map(Array.from({ length: n }, (_, i) => [3 * i + 5, { name: `row ${i}` }]));
  const at = () => options('arcgis', `${publisher.origin}/layer/0`, 'layer.geojson');

  it('comes whole by its ids, also where pages are cut off below what is announced', async () => {
    const all = rows(2500);
    arcgisLayer(publisher, '/layer/0', all, { page: 300, edited: 1_700_000_000_000 });
    const { taken, isNew } = await take(at());
    expect([taken.rows, isNew, taken.changedAt]).toEqual([2500, true, new Date(1_700_000_000_000).toISOString()]);
    expect(idsIn('layer.geojson')).toEqual([...all.keys()]);
    publisher.log.length = 0;
    expect((await take(at())).isNew).toBe(false);
    expect(publisher.log.some(({ path }) => path.includes('f=geojson'))).toBe(false);
  });

  it('tries a page again that repeats or skips rows, and gives up where it always does', async () => {
    arcgisLayer(publisher, '/layer/0', rows(40), { page: 100, edited: 1 });
    const page = (ids: readonly number[]) => (_: unknown, response: import('node:http').ServerResponse) =>
      void response.end(
        JSON.stringify({
          features: ids.map(id => ({ type: 'Feature', id, geometry: null, properties: { OBJECTID: id } })),
        }),
      );
    const ids = [...rows(40).keys()];
    const well = publisher.handlers.get('/layer/0/query')!;
    const broken = [page([...ids.slice(0, -1), ids[0]!]), page(ids.map(id => id + 1))];
    publisher.handlers.set('/layer/0/query', (request, response, url) => {
      const wrong = url.searchParams.get('f') === 'geojson' ? broken.shift() : undefined;
      return wrong ? wrong(request, response) : well(request, response, url);
    });
    await take(at());
    expect(idsIn('layer.geojson')).toEqual(ids);
    publisher.handlers.set('/layer/0/query', (request, response, url) =>
      url.searchParams.get('f') === 'geojson'
        ? page([...ids, ids[0]!])(request, response)
        : well(request, response, url),
    );
    rmSync(join(sources, 'acquired.json'));
    await expect(take(at())).rejects.toThrow(/repeats 1 rows; gave up/);
    expect(idsIn('layer.geojson')).toEqual(ids);
  });

  it('goes on with the next page after a run that ended, and begins anew when rows were edited', async () => {
    arcgisLayer(publisher, '/layer/0', rows(2100), { page: 1000, edited: 7 });
    const well = publisher.handlers.get('/layer/0/query')!;
    let pages = 0;
    publisher.handlers.set('/layer/0/query', (request, response, url) => {
      if (url.searchParams.get('f') === 'geojson' && ++pages > 2) return void response.destroy();
      return well(request, response, url);
    });
    await expect(take(at())).rejects.toThrow(/gave up/);
    publisher.handlers.set('/layer/0/query', well);
    publisher.log.length = 0;
    await take(at());
    expect(publisher.log.filter(({ path }) => path.includes('f=geojson'))).toHaveLength(1);
    expect(idsIn('layer.geojson')).toHaveLength(2100);

    const edited = { page: 1000, edited: 8 };
    arcgisLayer(publisher, '/layer/0', rows(2101), edited);
    const later = publisher.handlers.get('/layer/0/query')!;
    let changed = false;
    publisher.handlers.set('/layer/0/query', (request, response, url) => {
      if (url.searchParams.get('f') === 'geojson' && !changed) {
        changed = true;
        arcgisLayer(publisher, '/layer/0', rows(2102), { page: 1000, edited: 9 });
      }
      return later(request, response, url);
    });
    const { taken } = await take(at());
    expect([taken.rows, idsIn('layer.geojson').length]).toEqual([2102, 2102]);
  });

  it('says what the service says', async () => {
    publisher.handlers.set('/layer/1', (_, response) =>
      response.end(JSON.stringify({ error: { code: 499, message: 'Token Required' } })),
    );
    await expect(take(options('arcgis', `${publisher.origin}/layer/1`, 'x.geojson'))).rejects.toThrow(/Token Required/);
  });
});

describe('a Socrata dataset', () => {
  it('comes by pages in the order of its ids, each row once', async () => {
    const table = Array.from({ length: 120 }, (_, i) => `"row-${i}","name ""${i}"", of ${i}"`);
    let repeats = 1;
    publisher.handlers.set('/api/views/abcd-1234.json', (_, response) => response.end('{"rowsUpdatedAt": 1700000000}'));
    publisher.handlers.set('/resource/abcd-1234.json', (_, response) => response.end('[{"rows": "120"}]'));
    publisher.handlers.set('/resource/abcd-1234.csv', (_, response, { searchParams }) => {
      const offset = Number(searchParams.get('$offset'));
      const page = table.slice(offset, offset + Number(searchParams.get('$limit')));
      if (repeats-- > 0) page[1] = page[0]!;
      response.end(['":id","name"', ...page].join('\n'));
    });
    const { taken } = await take(options('socrata', `${publisher.origin}/resource/abcd-1234.csv`, 'rows.csv'));
    expect(taken.rows).toBe(120);
    const lines = readFileSync(join(sources, 'rows.csv'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(121);
    expect(lines[0]).toBe('name');
    expect(lines[8]).toBe('"name ""7"", of 7"');
  });
});

describe('a CKAN resource', () => {
  it('is the latest that the pattern names', async () => {
    publisher.put('/files/coal2023.csv', 'a\n1\n');
    publisher.put('/files/coal2024.csv', 'a\n2\n');
    const resources = [
      { name: 'Coal 2023', url: '/files/coal2023.csv', created: '2023-06-01' },
      { name: 'Coal 2024', url: '/files/coal2024.csv', created: '2024-06-01' },
      { name: 'MSA', url: '/files/msa.csv', created: '2025-06-01' },
    ];
    publisher.handlers.set('/api/3/action/package_show', (_, response) =>
      response.end(JSON.stringify({ success: true, result: { resources } })),
    );
    const url = `${publisher.origin}/api/3/action/package_show?id=x`;
    await take(options('ckan', url, 'coal.csv', 'coal'));
    expect(readFileSync(join(sources, 'coal.csv'), 'utf8')).toBe('a\n2\n');
    await expect(take(options('ckan', url, 'oil.csv', 'oil'))).rejects.toThrow(/no resource is like oil/);
  });
});

/** As much of an FTP server as one download needs; the first transfer breaks in the middle. */
function ftpServer(body: Buffer): Promise<{ server: Server; restarts: number[] }> {
  const restarts: number[] = [];
  let breaks = 1;
  const server = createServer(control => {
    let rest = 0;
    let data: Server | null = null;
    let peer: Promise<Socket> | null = null;
    const say = (line: string) => control.write(`${line}\r\n`);
    control.on('error', () => {});
    say('220 ready');
    control.on('data', async chunk => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const [verb, path] = line.split(' ');
        if (verb === 'USER') say('331 password');
        else if (verb === 'PASS') say('230 in');
        else if (verb === 'SIZE') say(path === '/none' ? '550 no such file' : `213 ${body.length}`);
        else if (verb === 'MDTM') say('213 20260301000000');
        else if (verb === 'REST') {
          rest = Number(path);
          say('350 restarting');
        } else if (verb === 'EPSV') {
          const opened = createServer();
          data = opened;
          peer = new Promise(done => opened.once('connection', done));
          opened.listen(0, '127.0.0.1', () => say(`229 Entering (|||${(opened.address() as { port: number }).port}|)`));
        } else if (verb === 'RETR') {
          restarts.push(rest);
          say('150 sending');
          const socket = await peer!;
          const content = body.subarray(rest);
          rest = 0;
          if (breaks-- > 0) {
            socket.once('close', () => say('426 connection broken'));
            socket.end(content.subarray(0, content.length >> 1));
          } else socket.end(content, () => say('226 done'));
          data!.close();
        } else say('200 ok');
      }
    });
  });
  return new Promise(done => server.listen(0, '127.0.0.1', () => done({ server, restarts })));
}

describe('a file over FTP', () => {
  it('goes on where the transfer broke, and is not taken twice', async () => {
    const body = Buffer.from('0123456789'.repeat(20_000));
    const { server, restarts } = await ftpServer(body);
    try {
      const url = `ftp://127.0.0.1:${(server.address() as { port: number }).port}/pub/file.txt`;
      await take(options('ftp', url, 'file.txt'));
      expect(readFileSync(join(sources, 'file.txt'))).toEqual(body);
      expect(restarts).toHaveLength(2);
      expect(restarts[1]).toBeLessThanOrEqual(body.length / 2);
      expect((await take(options('ftp', url, 'file.txt'))).isNew).toBe(false);
      await expect(take(options('ftp', url.replace('/pub/file.txt', '/none'), 'none.txt'))).rejects.toMatchObject({
        kind: 'gone',
      });
    } finally {
      server.close();
    }
  });
});
