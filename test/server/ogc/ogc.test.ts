// OGC API over a server with a real release: each feature once over all pages, filters and boxes against a plain loop over all of
// them, both reference systems, GDAL's driver as a client that others wrote, and each refusal.
import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Value } from '../../../datasets/dataset.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { MERCATOR } from '../../../server/ogc/reference-system.ts';
import { type Service, startServer } from '../../../server/service.ts';
import { freePort } from '../../free-port.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome } from '../../synthetic-home.ts';

interface Feature {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
  readonly properties: Readonly<Record<string, Value>>;
}
interface Page {
  readonly numberMatched?: number;
  readonly numberReturned: number;
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
  readonly features: readonly Feature[];
}

/** A document whose members the standard names. */
// biome-ignore lint/suspicious/noExplicitAny: tests read it member by member.
type Document = Readonly<Record<string, any>>;

/** Programs run beside the server of this process, which must answer them meanwhile. */
const run = promisify(execFile);
/** A polygon around all parcels that crosses itself. */
const BOW_TIE = 'POLYGON((-71 42, -70 44, -70 42, -71 44, -71 42))';

const at = folder();
let service: Service;
let [token, stranger] = ['', ''];
let parcels: readonly Feature[];

beforeAll(async () => {
  const home = join(at, 'home');
  cpSync((await syntheticHome()).home, home, { recursive: true });
  service = await startServer(
    readSettings({
      PLAT_HOME: home,
      PORT: String(await freePort()),
      PLAT_WORKERS: '1',
      PLAT_RATE_LIMIT: 'off',
      PLAT_LOG: 'error',
    }),
    catalog,
  );
  token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'scale'));
  stranger = await service.tokens.issue(await service.state.openAccount('stranger@example.org', 'scale'));
  parcels = (await items('parcels', { limit: '1000' })).features;
});
afterAll(async () => {
  await service.drain(1000);
  rmSync(at, { recursive: true, force: true });
});

const ask = (path: string, query: Readonly<Record<string, string>> = {}, by = token) =>
  fetch(`${service.address}/v1/ogc${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${by}` },
  });

async function document(path: string): Promise<Document> {
  const answer = await ask(path);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Document;
}

async function items(collection: string, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const answer = await ask(`/collections/${collection}/items`, query);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as Page;
}

const idsOf = ({ features }: Page) => features.map(({ id }) => id);
const idsWhere = (test: (feature: Feature) => boolean) => parcels.filter(test).map(({ id }) => id);

/** All positions of a geometry. */
const positionsOf = ({ geometry }: Feature): [number, number][] => {
  const flat = (value: readonly unknown[]): [number, number][] =>
    typeof value[0] === 'number'
      ? [value as unknown as [number, number]]
      : value.flatMap(each => flat(each as unknown[]));
  return flat(geometry.coordinates);
};

it('leads from its first page to everything else, and every link answers', async () => {
  const landing = await document('');
  const rels = landing.links.map(({ rel }: { rel: string }) => rel);
  expect(rels).toEqual(expect.arrayContaining(['self', 'service-desc', 'service-doc', 'data']));
  const { collections } = await document('/collections');
  expect(collections[0].id).toBe('parcels');
  expect(collections.length).toBeGreaterThan(50);
  const links = [...landing.links, ...collections.slice(0, 3).flatMap((one: { links: object[] }) => one.links)];
  for (const { rel, href, type } of links as { rel: string; href: string; type?: string }[]) {
    if (rel === 'describedby') continue;
    const answer = await fetch(href, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, href).toBe(200);
    const [essence] = (answer.headers.get('content-type') ?? '').split(';');
    if (rel !== 'service-desc') expect(essence, href).toBe(type);
  }
});

it('gives a page to clients that send no Accept, as the standard asks', { tags: ['curl'] }, async () => {
  const { stdout } = await run('curl', [
    '-sS',
    '-H',
    'Accept:',
    '-H',
    `Authorization: Bearer ${token}`,
    `${service.address}/v1/ogc`,
  ]);
  expect(JSON.parse(stdout)).toHaveProperty('links');
});

describe('a page of features', () => {
  it('holds each once, in the same order whatever the size of the pages', async () => {
    expect(parcels.length).toBe(240);
    expect(new Set(parcels.map(({ id }) => id)).size).toBe(240);
    const ids: string[] = [];
    let href: string | undefined = `${service.address}/v1/ogc/collections/parcels/items?limit=37`;
    while (href !== undefined) {
      const answer = await fetch(href, { headers: { authorization: `Bearer ${token}` } });
      const page = (await answer.json()) as Page;
      expect(page.numberMatched).toBe(240);
      expect(page.numberReturned).toBe(page.features.length);
      ids.push(...idsOf(page));
      href = page.links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(ids).toEqual(parcels.map(({ id }) => id));
  });

  it('names parcels as every other answer does, and each can be asked for alone', async () => {
    const [{ id }] = parcels as [Feature];
    expect(id).toMatch(/^pcl_/);
    const answer = await ask(`/collections/parcels/items/${id}`);
    expect(answer.headers.get('content-type')).toBe('application/geo+json');
    const { links, ...feature } = (await answer.json()) as Feature & { links: unknown[] };
    expect(feature).toEqual(parcels[0]);
    expect(links).toHaveLength(2);
    const [tract] = (await items('census_tiger.tract')).features as [Feature];
    expect(await (await ask(`/collections/census_tiger.tract/items/${tract.id}`)).json()).toMatchObject(tract);
  });

  it('never shows what is kept inside', () => {
    for (const { properties } of parcels) {
      expect(properties).not.toHaveProperty('parcel_key');
      expect(properties).not.toHaveProperty('ord');
    }
  });

  it.each<[filter: string, test: (properties: Feature['properties']) => boolean]>([
    ['acreage > 5', ({ acreage }) => Number(acreage) > 5 && acreage !== null],
    ['NOT acreage > 5', ({ acreage }) => acreage !== null && Number(acreage) <= 5],
    [
      "CASEI(owner) LIKE '%an%'",
      ({ owner }) =>
        String(owner ?? '')
          .toLowerCase()
          .includes('an'),
    ],
    ['yearbuilt IS NULL', ({ yearbuilt }) => yearbuilt === null],
    [
      'yearbuilt BETWEEN 1900 AND 1950',
      ({ yearbuilt }) => yearbuilt !== null && Number(yearbuilt) >= 1900 && Number(yearbuilt) <= 1950,
    ],
    ["zoning IN ('R1', 'RR', 'C')", ({ zoning }) => ['R1', 'RR', 'C'].includes(String(zoning))],
    ["saledate >= DATE('2010-01-01')", ({ saledate }) => saledate !== null && String(saledate) >= '2010-01-01'],
    ['acreage > 100 OR numstories = 2', ({ acreage, numstories }) => Number(acreage ?? 0) > 100 || numstories === 2],
  ])('passes those of %s alone', async (filter, test) => {
    const page = await items('parcels', { filter, limit: '1000' });
    expect(idsOf(page)).toEqual(idsWhere(({ properties }) => test(properties)));
    expect(page.numberMatched).toBe(page.numberReturned);
  });

  it('passes those that meet a box, and the same by every way of saying it', async () => {
    const [lng, lat] = positionsOf(parcels[100]!)[0]!;
    const box = [lng - 0.002, lat - 0.002, lng + 0.002, lat + 0.002];
    const [west, south, east, north] = box as [number, number, number, number];
    const ids = idsOf(await items('parcels', { bbox: box.join(','), limit: '1000' }));
    expect(ids).toContain(parcels[100]!.id);
    expect(ids.length).toBeLessThan(240);
    const touches = (feature: Feature) =>
      positionsOf(feature).some(([x, y]) => x >= west && x <= east && y >= south && y <= north);
    // What has a corner in the box meets it; others may cross it without one.
    for (const id of idsWhere(touches)) expect(ids).toContain(id);
    const polygon = `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;
    const meters = ([x, y]: readonly [number, number]) => [
      (x * 20_037_508.342_789_244) / 180,
      (Math.log(Math.tan(((90 + y) * Math.PI) / 360)) / Math.PI) * 20_037_508.342_789_244,
    ];
    const [sw, ne] = [meters([west, south]), meters([east, north])];
    const json = { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: box }] };
    const ways: Readonly<Record<string, string>>[] = [
      { filter: `S_INTERSECTS(geometry, ${polygon})` },
      { filter: `NOT S_DISJOINT(geometry, BBOX(${box.join(',')}))` },
      { filter: JSON.stringify(json), 'filter-lang': 'cql2-json' },
      { bbox: [...sw, ...ne].join(','), 'bbox-crs': MERCATOR },
      { filter: `S_INTERSECTS(geometry, BBOX(${[...sw, ...ne].join(',')}))`, 'filter-crs': MERCATOR },
    ];
    for (const way of ways)
      expect(idsOf(await items('parcels', { ...way, limit: '1000' })), JSON.stringify(way)).toEqual(ids);
    const within = idsOf(await items('parcels', { filter: `S_WITHIN(geometry, ${polygon})`, limit: '1000' }));
    const isInside = (feature: Feature) =>
      positionsOf(feature).every(([x, y]) => x >= west && x <= east && y >= south && y <= north);
    expect(within).toEqual(idsWhere(isInside));
  });

  it('answers in meters of EPSG:3857 where that is asked for', async () => {
    const answer = await ask('/collections/parcels/items', { crs: MERCATOR, limit: '1' });
    expect(answer.headers.get('content-crs')).toBe(`<${MERCATOR}>`);
    const [feature] = ((await answer.json()) as Page).features as [Feature];
    const [[x, y], [lng, lat]] = [positionsOf(feature)[0]!, positionsOf(parcels[0]!)[0]!];
    expect(x).toBeCloseTo((lng * 20_037_508.342_789_244) / 180, 3);
    expect(y).toBeCloseTo((Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) / Math.PI) * 20_037_508.342_789_244, 3);
  });
});

it('says which properties a filter can ask for', async () => {
  const { properties } = await document('/collections/parcels/queryables');
  expect(properties.acreage).toEqual({ title: 'acreage', type: 'number' });
  expect(properties.saledate).toEqual({ title: 'saledate', type: 'string', format: 'date' });
  expect(properties.geometry.format).toBe('geometry-polygon-or-multipolygon');
  for (const name of Object.keys(parcels[0]!.properties)) expect(properties).toHaveProperty(name);
});

it('tells of the tiles that the map has, and their addresses answer', async () => {
  const set = await document('/tiles/WebMercatorQuad');
  const { href } = set.links.find(({ rel }: { rel: string }) => rel === 'item');
  const tile = href.replace('{tileMatrix}', '8').replace('{tileRow}', '94').replace('{tileCol}', '77');
  expect((await fetch(tile)).status).toBeLessThan(300);
  const { tileMatrices } = await document('/tileMatrixSets/WebMercatorQuad');
  // OGC 17-083r4, annex D.1.
  expect(tileMatrices[0].scaleDenominator).toBeCloseTo(559_082_264.028_717_8, 3);
  expect(tileMatrices[18].cellSize).toBeCloseTo(0.597_164_283_559_817, 9);
});

describe('refuses', () => {
  it.each<[query: Record<string, string>, words: RegExp]>([
    [{ colour: 'red' }, /does not take the parameter `colour`; it takes/],
    [{ limit: '0' }, /`limit` must be a whole number/],
    [{ limit: 'ten' }, /`limit` must be/],
    [{ bbox: '1,2,3' }, /`bbox` must be four numbers/],
    [{ bbox: '1,9,3,2' }, /south below the north/],
    [{ bbox: '-200,1,3,2' }, /beyond 180 degrees/],
    [{ crs: 'EPSG:4326' }, /`crs` must be/],
    [{ datetime: 'yesterday' }, /`datetime` must be/],
    [{ datetime: '../..' }, /`datetime` must be/],
    [{ filter: 'acreage >' }, /no CQL2 text/],
    [{ filter: 'colour > 2' }, /names colour, which is no property/],
    [{ filter: "acreage > 'a'" }, /compares a number with text/],
    [{ filter: 'area(geometry) > 2' }, /calls AREA, which is not offered/],
    [{ filter: 'acreage > 2', 'filter-lang': 'sql' }, /`filter-lang` must be/],
    [{ filter: `S_INTERSECTS(geometry, ${BOW_TIE})` }, /rings cross or touch/],
    [{ cursor: 'abc' }, /cursor cannot be used/],
    [{ f: 'html' }, /`f` must be json/],
  ])('%j with 400 and words', async (query, words) => {
    const answer = await ask('/collections/parcels/items', query);
    expect(answer.status).toBe(400);
    const { detail } = (await answer.json()) as { detail: { error: string; message: string } };
    expect(detail.error).toBe('ogc_invalid_request');
    expect(detail.message).toMatch(words);
  });

  it('what is not there with 404, and callers without a token with 401', async () => {
    for (const path of ['/collections/x', '/collections/x/items', '/collections/parcels/items/pcl_x', '/tiles/x']) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(404);
      expect(((await answer.json()) as { detail: { error: string } }).detail.error).toBe('ogc_not_found');
    }
    expect((await fetch(`${service.address}/v1/ogc`)).status).toBe(401);
  });

  it('a cursor of another account or of another question', async () => {
    const next = (await items('parcels', { limit: '1' })).links.find(({ rel }) => rel === 'next')!.href;
    const cursor = new URL(next).searchParams.get('cursor')!;
    expect((await ask('/collections/parcels/items', { cursor, limit: '5' })).status).toBe(200);
    expect((await ask('/collections/parcels/items', { cursor }, stranger)).status).toBe(400);
    expect((await ask('/collections/parcels/items', { cursor, filter: 'acreage > 2' })).status).toBe(400);
    expect((await ask('/collections/census_tiger.tract/items', { cursor })).status).toBe(400);
  });
});

describe("GDAL's driver", { tags: ['GDAL'] }, () => {
  const count = async (...more: string[]) => {
    const { stdout } = await run('ogrinfo', ['-ro', '-so', `OAPIF:${service.address}/v1/ogc`, 'parcels', ...more], {
      env: { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${token}` },
    });
    return Number(/Feature Count: (\d+)/.exec(stdout)?.[1]);
  };

  it('counts, filters and cuts as we do', async () => {
    expect(await count()).toBe(240);
    expect(await count('-where', 'acreage > 5')).toBe(
      idsWhere(({ properties }) => Number(properties.acreage ?? 0) > 5).length,
    );
    const [x, y] = positionsOf(parcels[100]!)[0]!;
    expect(await count('-spat', String(x), String(y), String(x + 1e-6), String(y + 1e-6))).toBeGreaterThan(0);
  });
});
