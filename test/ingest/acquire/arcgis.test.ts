import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { type EsriRow, type MapServer, mapServer } from './map-server.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-arcgis-'));
const PATH = '/arcgis/rest/services/Parcels/MapServer/0';
let sources: string;
let lines: string[];

beforeAll(async () => {
  await publisher.start();
});
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.handlers.clear();
  publisher.log.length = 0;
  lines = [];
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const options = (more: { box?: readonly [number, number, number, number]; token?: string; where?: string } = {}) => ({
  sources,
  file: 'layer.geojson',
  located: {
    via: 'arcgis' as const,
    url: `${publisher.origin}${PATH}`,
    where: more.where ?? '',
    resource: null,
    vintage: null,
    box: more.box ?? null,
  },
  taken: new TakenFiles(sources),
  client: new Client({
    wait: async () => {},
    retries: 2,
    told: line => lines.push(line),
    tokens: new Map(more.token === undefined ? [] : [[new URL(publisher.origin).host, more.token]]),
  }),
  now: () => new Date('2026-11-28T06:00:00Z'),
});

interface Collection {
  readonly crs?: { readonly properties: { readonly name: string } };
  readonly features: readonly {
    readonly id?: number;
    readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}
const collection = (): Collection => JSON.parse(readFileSync(join(sources, 'layer.geojson'), 'utf8'));

/** Rows with ids 7, 10, 13, … at places of their own. */
function layer(count: number, more: Partial<MapServer> = {}): MapServer {
  const field = more.field ?? 'OBJECTID';
  const ids = Array.from({ length: count }, (_, i) => 3 * i + 7);
  const rows = ids.map(
    (id, i): EsriRow => ({
      attributes: { [field]: id, PIN: `P-${id}` },
      geometry: { x: -70 + (i % 37) / 100, y: 43 + i / 1000 },
    }),
  );
  const extent = { xmin: -71, ymin: 42, xmax: -69, ymax: 46, spatialReference: { wkid: 4326 } };
  return { rows, ids, field, ...more, description: { extent, ...more.description } };
}
const pins = () =>
  collection()
    .features.map(({ properties }) => String(properties.PIN))
    .sort();
const expected = ({ rows }: MapServer, but: readonly number[] = []) =>
  rows
    .map(row => String(row.attributes!.PIN))
    .filter(pin => !but.some(id => pin === `P-${id}`))
    .sort();

describe('a layer comes whole', () => {
  it.each<[string, number, Partial<MapServer>]>([
    ['by its ids, Esri JSON alone', 2500, { limit: 300 }],
    ['where nothing is said of formats', 40, { description: { supportedQueryFormats: undefined } }],
    ['where only the answer of ids names their column', 40, { field: 'FID', description: { fields: [] } }],
    ['where the column of ids has a dotted name', 1200, { field: 'GIS.PARCELS.OBJECTID', answersIds: 'unnamed' }],
    ['where ids are floats', 60, { answersIds: 'floats' }],
    [
      'where pages are cut off below what is announced',
      900,
      { limit: 90, isSilentAboutLimit: true, description: { maxRecordCount: 1000 } },
    ],
    [
      'where ids are refused, by the least and the greatest',
      700,
      { answersIds: 'refused', statistics: 'computed', limit: 50 },
    ],
    ['where statistics are named by their SQL', 90, { answersIds: 'refused', statistics: 'by SQL' }],
    [
      'where ids are refused and pages are cut in silence',
      500,
      {
        answersIds: 'refused',
        statistics: 'computed',
        limit: 70,
        isSilentAboutLimit: true,
        description: { maxRecordCount: 1000 },
      },
    ],
    [
      'by offsets where it has no ids',
      730,
      { answersIds: 'refused', offsets: 'taken', limit: 100, description: { fields: [] } },
    ],
    [
      'by offsets where nothing is counted',
      730,
      {
        answersIds: 'refused',
        counts: 'refused',
        offsets: 'taken',
        limit: 100,
        isSilentAboutLimit: true,
        description: { fields: [], maxRecordCount: 1000 },
      },
    ],
    ['at once where it is small', 90, { answersIds: 'refused', description: { fields: [] } }],
    [
      'by ground where it does nothing else',
      640,
      { answersIds: 'ignored', counts: 'ignored', statistics: 'ignored', offsets: 'ignored', limit: 60 },
    ],
    ['empty', 0, {}],
  ])('%s', async (_, count, more) => {
    const served = layer(count, more);
    mapServer(publisher, PATH, served);
    const { taken } = await take(options());
    expect(pins()).toEqual(expected(served));
    expect(taken.rows).toBe(count);
    expect(publisher.log.some(({ path }) => /f=geojson|outSR/.test(path))).toBe(false);
  });

  it('in its own system, by code or by words', async () => {
    for (const [spatialReference, name] of [
      [{ wkid: 102_100, latestWkid: 3857 }, 'EPSG:3857'],
      [{ wkid: 102_123 }, 'ESRI:102123'],
      [{ wkt: 'PROJCS["NAD_1983_Here",…]' }, 'PROJCS["NAD_1983_Here",…]'],
    ] as const) {
      mapServer(publisher, PATH, layer(3, { spatialReference, edited: name.length }));
      await take(options());
      expect(collection().crs?.properties.name).toBe(name);
    }
  });

  it('keeps the digits of long numbers', async () => {
    const served = layer(1);
    const rows = [{ attributes: { OBJECTID: 7, APN: 'LONG' }, geometry: { x: 1, y: 2 } }];
    mapServer(publisher, PATH, { ...served, rows });
    const well = publisher.handlers.get(`${PATH}/query`)!;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) => {
      const end = response.end.bind(response);
      response.end = ((text: string) => end(text.replace('"LONG"', '12345678901234567'))) as typeof response.end;
      return well(request, response, url);
    });
    await take(options());
    expect(readFileSync(join(sources, 'layer.geojson'), 'utf8')).toContain('"APN":12345678901234567}');
  });
});

describe('a walk', () => {
  const asked = () => publisher.log.filter(({ path }) => path.includes('outFields=')).length;
  const broken = (pages: readonly ((rows: EsriRow[]) => EsriRow[])[]) => {
    const well = publisher.handlers.get(`${PATH}/query`)!;
    let page = 0;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) => {
      const change = url.searchParams.has('outFields') ? pages[Math.min(page++, pages.length - 1)] : undefined;
      if (!change) return well(request, response, url);
      const end = response.end.bind(response);
      response.end = ((text: string) => {
        const answer = JSON.parse(text);
        return end(JSON.stringify({ ...answer, features: change(answer.features) }));
      }) as typeof response.end;
      return well(request, response, url);
    });
  };

  it('that the date of edits says to be the same is not taken twice', async () => {
    mapServer(publisher, PATH, layer(40, { edited: 1_700_000_000_000 }));
    expect((await take(options())).taken.changedAt).toBe(new Date(1_700_000_000_000).toISOString());
    publisher.log.length = 0;
    expect((await take(options())).isNew).toBe(false);
    expect(asked()).toBe(0);
  });

  it('tries a page again that repeats or skips rows, and gives up where it always does', async () => {
    const served = layer(40);
    const repeat = (rows: EsriRow[]) => [...rows.slice(0, -1), rows[0]!];
    const other = (rows: EsriRow[]) => rows.map(row => ({ ...row, attributes: { OBJECTID: -1 - rows.indexOf(row) } }));
    mapServer(publisher, PATH, served);
    broken([repeat, other, rows => rows]);
    await take(options());
    expect(pins()).toEqual(expected(served));
    mapServer(publisher, PATH, { ...served, edited: 2 });
    broken([rows => [...rows, rows[0]!]]);
    await expect(take(options())).rejects.toThrow(/repeats 1 rows|lacks/);
    expect(pins()).toEqual(expected(served));
  });

  it('goes on with the next page after a run that ended, and begins anew when rows were edited', async () => {
    mapServer(publisher, PATH, layer(2100));
    const well = publisher.handlers.get(`${PATH}/query`)!;
    let pages = 0;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) => {
      if ((url.searchParams.has('outFields') && ++pages > 2) || pages > 2) return void response.destroy();
      return well(request, response, url);
    });
    await expect(take(options())).rejects.toThrow(/gave up/);
    publisher.handlers.set(`${PATH}/query`, well);
    publisher.log.length = 0;
    await take(options());
    expect(asked()).toBe(1);
    expect(collection().features).toHaveLength(2100);

    mapServer(publisher, PATH, layer(2101, { edited: 8 }));
    const later = publisher.handlers.get(`${PATH}/query`)!;
    let isChanged = false;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) => {
      if (url.searchParams.has('outFields') && !isChanged) {
        isChanged = true;
        mapServer(publisher, PATH, layer(2102, { edited: 9 }));
      }
      return later(request, response, url);
    });
    expect((await take(options())).taken.rows).toBe(2102);
  });
});

describe('rows that the service fails to send', () => {
  it.each<[string, Partial<MapServer>]>([
    ['by ids', {}],
    ['by ranges', { answersIds: 'refused', statistics: 'computed' }],
    ['by offsets', { answersIds: 'refused', offsets: 'taken', description: { fields: [] } }],
  ])('are named, and all others come: %s', async (_, more) => {
    const failing = new Map<number, 'page' | 'half' | 'error'>([
      [19, 'page'],
      [400, 'half'],
      [403, 'error'],
    ]);
    const served = layer(200, { ...more, failing });
    mapServer(publisher, PATH, served);
    const { taken } = await take(options());
    expect(pins()).toEqual(expected(served, [...failing.keys()]));
    expect(taken.rows).toBe(197);
    expect(taken.unread).toEqual(more.offsets ? ['row 4', 'row 131', 'row 132'] : ['19', '400', '403']);
  });

  it('end the walk where the service is down', async () => {
    mapServer(publisher, PATH, layer(200));
    const well = publisher.handlers.get(`${PATH}/query`)!;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) =>
      url.searchParams.has('outFields') || url.searchParams.get('where') === '1=0'
        ? void response.writeHead(503).end()
        : well(request, response, url),
    );
    await expect(take(options())).rejects.toThrow(/503; gave up/);
  });
});

describe('a service', () => {
  it('that asks for a token gets the one of its host, which stands nowhere', async () => {
    mapServer(publisher, PATH, layer(5, { token: 'secret-7' }));
    await expect(take(options())).rejects.toThrow(/Token Required; give a token for its host in PLAT_ARCGIS_TOKENS/);
    const { taken } = await take(options({ token: 'secret-7' }));
    expect(taken.rows).toBe(5);
    const told = [JSON.stringify(taken), readFileSync(join(sources, 'acquired.json'), 'utf8'), ...lines].join('\n');
    expect(told).not.toContain('secret-7');
  });

  it('that answers 200 with a page says so', async () => {
    publisher.handlers.set(PATH, (_, response) => void response.end('<html><h1>Moved</h1></html>'));
    await expect(take(options())).rejects.toThrow(/a page came instead of JSON; gave up/);
  });

  it('that moved is followed, and one that is gone is named', async () => {
    const served = layer(4);
    const moved = '/server/rest/services/New/MapServer/3';
    mapServer(publisher, moved, served);
    for (const path of [PATH, `${PATH}/query`])
      publisher.handlers.set(path, (_, response, { search }) => {
        response.writeHead(301, { location: `${path.replace(PATH, moved)}${search}` }).end();
      });
    await take(options());
    expect(pins()).toEqual(expected(served));
    publisher.handlers.set(
      PATH,
      (_, response) => void response.end(JSON.stringify({ error: { code: 404, message: 'Layer not found' } })),
    );
    await expect(take(options())).rejects.toMatchObject({ kind: 'gone' });
  });

  it('whose address is the service itself names its layers', async () => {
    publisher.handlers.set(
      PATH,
      (_, response) =>
        void response.end(JSON.stringify({ currentVersion: 10.3, layers: [{ id: 4, name: 'Parcels' }] })),
    );
    await expect(take(options())).rejects.toThrow(/name one: .*\/4 \(Parcels\)/);
  });

  it('is asked by ground and condition alike, for ids, counts and rows', async () => {
    const served = layer(300);
    mapServer(publisher, PATH, served);
    const box = [-70, 43, -69.9, 43.1] as const;
    const { taken } = await take(options({ box, where: "PIN <> 'x'" }));
    const within = served.rows.filter(({ geometry }) => {
      const { x, y } = geometry as { x: number; y: number };
      return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
    });
    expect(within.length).toBeGreaterThan(20);
    expect(taken.rows).toBe(within.length);
    expect(pins()).toEqual(expected({ ...served, rows: within }));
    const queries = publisher.log.filter(({ path }) => path.includes('/query?'));
    for (const { path } of queries) {
      const asked = new URL(path, publisher.origin).searchParams;
      expect([asked.get('geometry'), asked.get('inSR')]).toEqual([box.join(','), '4326']);
      expect(asked.get('where')).toContain("PIN <> 'x'");
    }
  });
});
