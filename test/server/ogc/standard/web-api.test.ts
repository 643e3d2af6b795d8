// The abstract tests of OGC API Features 1.0.1 (OGC 17-069r4) and of part 3 (OGC 19-079r2) over a real server, collection by collection.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CRS84, MERCATOR } from '../../../../server/ogc/reference-system.ts';
import { type OgcServer, ogcServer } from '../server.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are read member by member.
type Document = Readonly<Record<string, any>>;
interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
}

const QUERYABLES = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
let server: OgcServer;
let collections: readonly Document[];
let openapi: Document;

const ask = (path: string, query: Readonly<Record<string, string>> = {}, init: RequestInit = {}) => {
  const url = path.startsWith('http') ? path : `${server.base}${path}`;
  const asked = new URLSearchParams(query).toString();
  const headers = { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) };
  return fetch(asked === '' ? url : `${url}?${asked}`, { ...init, headers });
};
async function document(path: string, query: Readonly<Record<string, string>> = {}, type?: string): Promise<Document> {
  const answer = await ask(path, query);
  expect(answer.status, `${path} ${JSON.stringify(query)} ${await answer.clone().text()}`).toBe(200);
  if (type) expect(answer.headers.get('content-type')!.split(';')[0]).toBe(type);
  return (await answer.json()) as Document;
}
const itemsPath = ({ id }: Document) => `/collections/${id}/items`;
const items = (of: Document, query: Readonly<Record<string, string>> = {}) =>
  document(itemsPath(of), { limit: '1000', ...query }, 'application/geo+json');
const idsOf = ({ features }: Document): string[] => features.map(({ id }: Document) => id);
const status = async (of: Document, query: Readonly<Record<string, string>>) =>
  (await ask(itemsPath(of), query)).status;
const boxOf = (of: Document): number[] => of.extent.spatial.bbox[0];
/** Collections with features; others have no extent. */
const full = () => collections.filter(({ extent }) => extent);

/** All positions of a geometry. */
const positionsOf = (value: readonly unknown[]): [number, number][] =>
  typeof value[0] === 'number'
    ? [value as unknown as [number, number]]
    : value.flatMap(each => positionsOf(each as unknown[]));

const HALF = 20_037_508.342_789_244;
const toMeters = ([lng, lat]: readonly [number, number]) => [
  (lng * HALF) / 180,
  (Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) / Math.PI) * HALF,
];

beforeAll(async () => {
  server = await ogcServer();
  collections = (await document('/collections')).collections;
  openapi = (await (await fetch(`${server.service.address}/v1/openapi.json`)).json()) as Document;
});
afterAll(() => server?.end());

it('the landing page leads to the API description, its page, the conformance and the collections, each by GET', async () => {
  const { links, title } = await document('', {}, 'application/json');
  expect(title).toBeTruthy();
  for (const rel of ['service-desc', 'service-doc', 'conformance', 'data']) {
    const { href, type } = links.find((link: Link) => link.rel === rel);
    const answer = await ask(href);
    expect([rel, answer.status]).toEqual([rel, 200]);
    expect(type).toBeTruthy();
  }
});

it('the API description is OpenAPI 3.1 with every resource of the OGC API', () => {
  expect(openapi.openapi).toMatch(/^3\.1\./);
  for (const path of [
    '',
    '/conformance',
    '/collections',
    '/collections/{collectionId}',
    '/collections/{collectionId}/items',
  ])
    expect(openapi.paths[`/v1/ogc${path}`].get.responses['200'], path).toBeDefined();
});

it('the conformance lists classes, as the landing page and the fixed path have it', async () => {
  const { conformsTo } = await document('/conformance', {}, 'application/json');
  for (const name of [
    'ogcapi-features-1/1.0/conf/core',
    'ogcapi-features-1/1.0/conf/geojson',
    'ogcapi-features-3/1.0/conf/queryables',
    'ogcapi-features-3/1.0/conf/filter',
    'ogcapi-features-3/1.0/conf/features-filter',
  ])
    expect(conformsTo).toContain(`http://www.opengis.net/spec/${name}`);
});

it('the parameters of items are declared as the standard writes them', () => {
  const { parameters } = openapi.paths['/v1/ogc/collections/{collectionId}/items'].get;
  const named = (name: string) => parameters.find((one: Document) => one.name === name);
  const form = { in: 'query', required: false, style: 'form', explode: false };
  expect(named('bbox')).toMatchObject({
    ...form,
    schema: {
      type: 'array',
      oneOf: [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ],
      items: { type: 'number' },
    },
  });
  expect(named('limit')).toMatchObject({ ...form, schema: { type: 'integer' } });
  expect(named('datetime')).toMatchObject({ ...form, schema: { type: 'string' } });
});

it('each collection is told alike in the list and alone, with links that have rel and type', async () => {
  const { links } = await document('/collections', {}, 'application/json');
  expect(links.map(({ rel }: Link) => rel)).toContain('self');
  expect(collections.length).toBeGreaterThan(50);
  for (const one of collections) {
    const alone = await document(`/collections/${one.id}`, {}, 'application/json');
    expect(alone).toEqual(one);
    expect(one.crs[0]).toBe(CRS84);
    expect(one.itemType).toBe('feature');
    for (const rel of ['self', 'items', QUERYABLES])
      expect(one.links.find((link: Link) => link.rel === rel)?.type, `${one.id} ${rel}`).toBeTruthy();
    expect(one.links.find(({ rel }: Link) => rel === QUERYABLES).href).toBe(
      `${server.base}/collections/${one.id}/queryables`,
    );
  }
});

it('every collection gives its features as GeoJSON inside of its extent, in longitude and latitude', async () => {
  for (const one of collections) {
    const before = Date.now();
    const page = await items(one);
    expect([page.type, page.numberReturned]).toEqual(['FeatureCollection', page.features.length]);
    expect(Date.parse(page.timeStamp)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(page.timeStamp)).toBeLessThanOrEqual(Date.now());
    if (!page.links.some(({ rel }: Link) => rel === 'next')) expect(page.numberMatched).toBe(page.features.length);
    for (const { rel, type } of page.links as Link[]) expect([rel, type].every(Boolean)).toBe(true);
    expect(page.links.map(({ rel }: Link) => rel)).toContain('self');
    const [west, south, east, north] = one.extent ? boxOf(one) : [0, 0, 0, 0];
    const kind = (await document(`/collections/${one.id}/queryables`)).properties.geometry.format;
    for (const { type, geometry, properties } of page.features) {
      expect([type, typeof properties]).toEqual(['Feature', 'object']);
      const positions = positionsOf(geometry.coordinates);
      expect(positions.length, one.id).toBeGreaterThan(0);
      expect(kind).toContain(geometry.type.toLowerCase());
      for (const [lng, lat] of positions)
        expect(lng >= west! - 1e-9 && lng <= east! + 1e-9 && lat >= south! - 1e-9 && lat <= north! + 1e-9).toBe(true);
    }
  }
});

it('a feature is there alone under its id, with links to itself and its collection', async () => {
  for (const one of full())
    for (const feature of (await items(one, { limit: '3' })).features) {
      const { links, ...alone } = await document(
        `${itemsPath(one)}/${encodeURIComponent(feature.id)}`,
        {},
        'application/geo+json',
      );
      expect(alone).toEqual(feature);
      for (const rel of ['self', 'collection'])
        expect(links.find((link: Link) => link.rel === rel)?.type, rel).toBeTruthy();
    }
});

it('limit, box and time choose features, together too', async () => {
  for (const one of full().slice(0, 12)) {
    const all = await items(one);
    expect((await items(one, { limit: '2' })).features.length).toBe(Math.min(2, all.features.length));
    expect((await items(one, { limit: '100000' })).features.length).toBe(all.features.length);
    const [west, south, east, north] = boxOf(one) as [number, number, number, number];
    expect(idsOf(await items(one, { bbox: `${west},${south},${east},${north}` }))).toEqual(idsOf(all));
    expect(idsOf(await items(one, { bbox: `${west},${south},-100,${east},${north},9000` }))).toEqual(idsOf(all));
    const apart = `${west - 2},${south - 2},${west - 1},${south - 1}`;
    expect((await items(one, { bbox: apart })).features).toEqual([]);
    // Features have no time, and are all of any.
    for (const datetime of [
      '2018-02-12T23:20:50Z',
      '2018-02-12T00:00:00Z/2018-03-18T12:31:12Z',
      '../2018-03-18T12:31:12Z',
    ]) {
      expect(idsOf(await items(one, { datetime }))).toEqual(idsOf(all));
      expect((await items(one, { datetime, bbox: apart })).features).toEqual([]);
    }
  }
});

it('a parameter that is wrong or unknown is 400, on documents too', async () => {
  const [parcels] = collections as [Document];
  for (const query of ['limit=x', 'bbox=1,2,3', 'bbox=a,b,c,d', 'datetime=x', 'unknown=1'])
    expect([query, await status(parcels, Object.fromEntries([query.split('=')]))]).toEqual([query, 400]);
  for (const path of ['', '/conformance', '/collections', '/collections/parcels', '/collections/parcels/queryables'])
    expect([path, (await ask(path, { unknown: '1' })).status]).toEqual([path, 400]);
});

it('HEAD of every collection of features says where its queryables are, which are JSON Schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  for (const one of collections) {
    const head = await ask(itemsPath(one), {}, { method: 'HEAD', headers: { accept: 'application/json' } });
    expect(head.status).toBe(200);
    const address = `${server.base}/collections/${one.id}/queryables`;
    expect(head.headers.get('link')).toBe(`<${address}>; rel="${QUERYABLES}"`);
    const answer = await ask(address, {}, { headers: { accept: 'application/schema+json' } });
    expect([answer.status, answer.headers.get('content-type')!.split(';')[0]]).toEqual([
      200,
      'application/schema+json',
    ]);
    const schema = (await answer.json()) as Document;
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: address,
      type: 'object',
      additionalProperties: false,
    });
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    for (const [name, property] of Object.entries(schema.properties as Document)) {
      const isGeometry = /^geometry-(point|linestring|polygon)-or-multi\1$/.test(property.format ?? '');
      expect(isGeometry || property.type !== undefined, name).toBe(true);
    }
    expect(Object.values(schema.properties as Document).some(({ type }) => type !== undefined)).toBe(true);
  }
});

it('each property of each collection can be asked for, and one that is not there is refused', async () => {
  for (const one of collections) {
    const { properties } = await document(`/collections/${one.id}/queryables`);
    const all = await items(one);
    const sample = Object.keys(properties).find(name => name !== 'geometry')!;
    const filter = `"${sample}" IS NULL`;
    const found = await items(one, { filter, 'filter-lang': 'cql2-text' });
    const wanted = all.features
      .filter((each: Document) => each.properties[sample] === null)
      .map(({ id }: Document) => id);
    if (all.numberMatched === all.numberReturned) expect(idsOf(found)).toEqual(wanted);
    // The text form is the one of a filter that names no other.
    expect(idsOf(await items(one, { filter }))).toEqual(idsOf(found));
    const json = JSON.stringify({ op: 'isNull', args: [{ property: sample }] });
    expect(idsOf(await items(one, { filter: json, 'filter-lang': 'cql2-json' }))).toEqual(idsOf(found));
    expect(await status(one, { filter: 'THIS IS NOT A FILTER' })).toBe(400);
    expect(await status(one, { filter: 'THIS IS NOT A FILTER', 'filter-lang': 'cql2-json' })).toBe(400);
    expect(await status(one, { filter: 'this_is_not_a_queryable IS NULL' })).toBe(400);
    expect(await status(one, { filter, 'filter-lang': 'cql-text' })).toBe(400);
  }
});

it('geometries of a filter are in longitude and latitude, or in the reference system that it names', async () => {
  for (const one of full()) {
    const [west, south, east, north] = boxOf(one) as [number, number, number, number];
    const all = idsOf(await items(one));
    const box = (...of: readonly number[]) => `S_INTERSECTS(geometry,BBOX(${of.join(',')}))`;
    expect(idsOf(await items(one, { filter: box(west, south, east, north) })), one.id).toEqual(all);
    expect(await status(one, { filter: box(1_000_000, 1_000_000, 2_000_000, 2_000_000) })).toBe(400);
    for (const crs of one.crs as string[]) {
      // A meter more, since the corners are rounded twice.
      const corners =
        crs === MERCATOR
          ? [...toMeters([west, south]).map(x => x - 1), ...toMeters([east, north]).map(x => x + 1)]
          : [west, south, east, north];
      expect(idsOf(await items(one, { filter: box(...corners), 'filter-crs': crs })), one.id).toEqual(all);
    }
    const unknown = 'http://www.opengis.net/def/crs/OGC/0/does_not_exist';
    expect(await status(one, { filter: box(west, south, east, north), 'filter-crs': unknown })).toBe(400);
    expect(await status(one, { filter: 'S_INTERSECTS(geometry,POINT(90 180))' })).toBe(400);
    expect(await status(one, { filter: 'S_INTERSECTS(geometry,MULTIPOINT(7.02 49.92, 90 180))' })).toBe(400);
    expect(await status(one, { filter: 'S_DISJOINT(geometry,POINT(90 180))' })).toBe(400);
  }
});

it('a filter and a box must both hold', async () => {
  for (const one of full()) {
    const [west, south, east, north] = boxOf(one) as [number, number, number, number];
    const filter = `S_INTERSECTS(geometry,BBOX(${west},${south},${east},${north}))`;
    expect(idsOf(await items(one, { filter, bbox: boxOf(one).join(',') }))).toEqual(idsOf(await items(one)));
    const apart = [west - 2, south - 2, west - 1, south - 1].join(',');
    expect((await items(one, { filter, bbox: apart })).features).toEqual([]);
  }
});

it('features are GeoJSON and all other documents JSON, whatever is asked for', async () => {
  for (const accept of ['application/geo+json', 'application/json', '*/*']) {
    const type = async (path: string) =>
      (await ask(path, {}, { headers: { accept } })).headers.get('content-type')!.split(';')[0];
    expect(await type('/collections/parcels/items')).toBe('application/geo+json');
    for (const path of ['', '/conformance', '/collections', '/collections/parcels'])
      expect(await type(path)).toBe('application/json');
  }
});
