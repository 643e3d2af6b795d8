import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Protocol } from '../../../datasets/protocol.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../ingest/acquire/mirror.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { Publisher } from './publisher.ts';

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
  publisher.handlers.clear();
  publisher.log.length = 0;
  client = new Client({ wait: async () => {}, retries: 3 });
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const options = (via: Protocol, url: string, file: string, resource: string | null = null, where = '') => ({
  sources,
  file,
  located: { via, url, where, resource, vintage: null },
  taken: new TakenFiles(sources),
  client,
  now: () => new Date('2026-11-24T06:00:00Z'),
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

// Pages as OGC 17-069r4 (7.15) has them, with links as those of USGS, which counts what it returns and not what matches:
// https://api.waterdata.usgs.gov/ogcapi/v1/openapi.
describe('a collection of an OGC API', () => {
  const items = '/ogcapi/v1/collections/field-measurements/items';
  const feature = (id: string) => ({
    ...{ type: 'Feature', id, geometry: { type: 'Point', coordinates: [-68.8, 44.8] } },
    properties: { monitoring_location_id: 'USGS-444', value: '12.30' },
  });
  const serve = (pages: readonly object[], asked: URLSearchParams[] = []) => {
    publisher.handlers.set(items, (_request, response, { searchParams }) => {
      asked.push(searchParams);
      response.end(JSON.stringify(pages[Number(searchParams.get('cursor') ?? 0)]));
    });
    return asked;
  };
  const page = (ids: readonly string[], next: number | null, more: object = {}) => ({
    ...{ type: 'FeatureCollection', numberReturned: ids.length, features: ids.map(feature) },
    links: [
      { rel: 'next', type: 'text/html', href: '/wrong' },
      ...(next === null ? [] : [{ rel: 'next', type: 'application/geo+json', href: `${items}?f=json&cursor=${next}` }]),
    ],
    ...more,
  });
  const wells = (box: readonly [number, number, number, number] | null = null) => {
    const some = options('ogc', `${publisher.origin}${items}?parameter_code=72019`, 'wells.geojson');
    return { ...some, located: { ...some.located, box } };
  };

  it('comes along its links, on the ground that is asked for, each row once', async () => {
    const asked = serve([page(['a', 'b'], 1), page(['c'], 2), page([], null)]);
    const { taken } = await take(wells([-69, 44, -68, 45]));
    expect(taken.rows).toBe(3);
    const { features } = JSON.parse(readFileSync(join(sources, 'wells.geojson'), 'utf8'));
    expect(features.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
    expect(Object.fromEntries(asked[0]!)).toEqual({
      ...{ parameter_code: '72019', f: 'json', limit: '10000' },
      bbox: '-69,44,-68,45',
    });
    // Links that leave the conditions out, as MapServer's do.
    expect(Object.fromEntries(asked[1]!)).toMatchObject({
      cursor: '1',
      bbox: '-69,44,-68,45',
      parameter_code: '72019',
    });
  });

  // MapServer 8.0 over a GeoPackage: it counts and links the pages, filters by the ground, and sends the first page for each.
  it('comes by ground where every page is the first and the rows are counted', async () => {
    const points = Array.from({ length: 90 }, (_, i) => [-69 + (i % 10) / 10, 44 + Math.floor(i / 10) / 9] as const);
    publisher.handlers.set(items, (_, response, { searchParams }) => {
      const [west, south, east, north] = (searchParams.get('bbox') ?? '-180,-90,180,90').split(',').map(Number);
      const within = points
        .map(([x, y], i) => ({
          ...{ type: 'Feature', id: i, properties: {} },
          geometry: { type: 'Point', coordinates: [x, y] },
        }))
        .filter(
          ({
            geometry: {
              coordinates: [x, y],
            },
          }) => x! >= west! && x! <= east! && y! >= south! && y! <= north!,
        );
      const links = within.length > 20 ? [{ rel: 'next', href: `${publisher.origin}${items}?offset=20` }] : [];
      response.end(
        JSON.stringify({
          type: 'FeatureCollection',
          features: within.slice(0, 20),
          numberMatched: within.length,
          links,
        }),
      );
    });
    expect((await take(wells())).taken.rows).toBe(points.filter(([x]) => x <= -68).length);
  });

  it('refuses pages that go in a circle, repeat a row, lack one, or are elsewhere', async () => {
    const refused = async (pages: readonly object[], message: RegExp) => {
      serve(pages);
      await expect(take(wells())).rejects.toThrow(message);
    };
    await refused([page(['a'], 1), page(['b'], 2), page(['c'], 1)], /next page of a later one/);
    await refused([page(['a'], 1), page(['a'], null)], /repeats rows of those before, as a/);
    await refused([page(['a'], null, { numberMatched: 2 })], /1 rows came, and the service counts 2/);
    await refused([page(['a'], null, { numberReturned: 2 })], /announces 2 rows and sends 1/);
    await refused([{ code: 'InvalidParameterValue' }], /answers no features/);
    const links = [{ rel: 'next', href: 'https://elsewhere.example/items' }];
    await refused([page(['a'], null, { links })], /which is not its own/);
  });
});

// Pages as https://api.water.usgs.gov/nwaa-data/data has them: limit and skip, a header each, codes with leading zeros.
describe('a table in pages', () => {
  const table = Array.from({ length: 13 }, (_, i) => [`0${101_000 + i}`, '2023', `a, "${i}"`]);
  const serve = (pageOf: (skip: number, limit: number) => readonly (readonly string[])[]) =>
    publisher.handlers.set('/nwaa-data/data', (_, response, { searchParams }) => {
      const [skip, limit] = [Number(searchParams.get('skip')), Number(searchParams.get('limit'))];
      const rows = searchParams.get('startdate') === '2026' ? [] : pageOf(skip, limit);
      const quoted = rows.map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(','));
      response.end(['huc12_id,year,note', ...quoted].join('\r\n'));
    });
  const water = (limit: number) => {
    const url = `${publisher.origin}/nwaa-data/data?format=csv&startdate={year}&limit=${limit}`;
    const some = options('pages', url, 'water.csv');
    return { ...some, located: { ...some.located, vintage: { newest: 'year', back: 5 } as const } };
  };

  it.each([5, 13, 600])('comes whole by %i rows, of the newest year that has some', async limit => {
    serve((skip, size) => table.slice(skip, skip + size));
    const { taken } = await take(water(limit));
    expect([taken.rows, taken.vintage]).toEqual([13, '2025']);
    expect(parse(readFileSync(join(sources, 'water.csv'), 'utf8'))).toEqual([['huc12_id', 'year', 'note'], ...table]);
  });

  it('is refused where its pages repeat rows, or are none', async () => {
    serve((_, size) => table.slice(0, size));
    await expect(take(water(5))).rejects.toThrow(/a page repeats the row 0101000/);
    serve(() => table);
    await expect(take(water(5))).rejects.toThrow(/sends 13 rows where 5 were asked for/);
  });
});

// The answer of Soil Data Access in JSON+COLUMNNAME, the names of the archives and their dates are those that soilDB reads:
// https://github.com/ncss-tech/soilDB, downloadSSURGO and SDA_query.
describe('a soil survey area', () => {
  const archive = Buffer.from(`504b0304deadbeef504b0506${'00'.repeat(18)}`, 'hex');
  const database = '/sdmdataaccess.sc.egov.usda.gov/Tabular/post.rest';
  const soil = (area: string) => ({
    ...options('soil', `https://websoilsurvey.sc.egov.usda.gov/SSA/wss_SSA_${area}.zip`, 'soil.zip', null, 'ME019'),
    client: new Client({ mirror: parseMirror(`*=${publisher.origin}`), wait: async () => {}, retries: 1 }),
  });

  it('is the archive of the day that the database tells', async () => {
    const asked: string[] = [];
    publisher.handlers.set(database, (request, response) => {
      let text = '';
      request.on('data', part => {
        text += part;
      });
      request.on('end', () => {
        asked.push(JSON.parse(text).query);
        const rows = [
          ['areasymbol', 'saverest'],
          ['ME601', '9/5/2025 4:47:36 PM'],
          ['US', '10/1/2025 1:00:00 AM'],
        ];
        response.end(JSON.stringify({ Table: rows }));
      });
    });
    publisher.put('/websoilsurvey.sc.egov.usda.gov/SSA/wss_SSA_ME601_[2025-09-05].zip', archive);
    await take(soil('ME601'));
    expect(readFileSync(join(sources, 'soil.zip'))).toEqual(archive);
    expect(asked[0]).toContain("lo.areasymbol = 'ME019'");
    await expect(take(soil('ME602'))).rejects.toThrow(/no survey area ME602 overlaps ME019; there are ME601$/);
  });

  it('is asked for again where the database is down and answers 200', async () => {
    publisher.handlers.set(database, (_request, response) => void response.end('<html>maintenance</html>'));
    await expect(take(soil('ME601'))).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

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
