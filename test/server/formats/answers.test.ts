import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { type Service, startServer } from '../../../server/service.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome } from '../../synthetic-home.ts';

type Json = Readonly<Record<string, unknown>>;

const at = folder();
let service: Service;
let token: string;
beforeAll(async () => {
  const home = join(at, 'home');
  cpSync((await syntheticHome()).home, home, { recursive: true });
  service = await startServer(
    readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
    catalog,
  );
  token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'scale'));
});
afterAll(async () => {
  await service.drain(1000);
  rmSync(at, { recursive: true, force: true });
});

async function post(path: string, body: object, accept = 'application/json'): Promise<Response> {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} ${accept}: ${response.status} ${await response.text()}`);
  return response;
}

const bytesOf = async (path: string, body: object, accept: string) =>
  Buffer.from(await (await post(path, body, accept)).arrayBuffer());

/** Rows of a file as DuckDB reads it; numbers that it holds as 64 bits are numbers again. */
async function duckdbRows(bytes: Buffer, name: string, reader: string): Promise<Json[]> {
  const path = join(at, name);
  writeFileSync(path, bytes);
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(`SELECT * FROM ${reader}`, { path });
  return result.getRowObjectsJS().map(row => plain(row as Json));
}

const plain = (row: Json): Json =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

const arrowRows = (bytes: Buffer): Json[] => [...tableFromIPC(bytes)].map(row => plain(row!.toJSON()));

const parquetRows = (bytes: Buffer) => duckdbRows(bytes, 'answer.parquet', 'read_parquet($path)');
const csvRows = (bytes: Buffer) =>
  duckdbRows(
    bytes,
    'answer.csv',
    "read_csv($path, header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"')",
  );

/** A value as a text column has it. */
const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
/** A value as CSV has it: everything is text. */
const csvCell = (value: unknown) => {
  if (value === null || value === '') return null;
  const text = String(cell(value));
  return typeof value !== 'number' && /^[=+\-@]/.test(text) ? `'${text}` : text;
};

const STATES = { field: 'state', op: 'in', value: ['ME', 'NH'] };
const NAMES = [
  'acreage',
  'apn',
  'parval',
  'owner',
  'elevation',
  'fema_flood_zone',
  'saleprice2',
  'parcel_geometry_wkt',
  'geometry',
];

interface Match {
  readonly fields: Json;
  readonly field_status: Readonly<Record<string, string>>;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
}

/** What the JSON of a search says, as rows of columns. */
const rowsOf = (matches: readonly (Match & Json)[]) =>
  matches.map(({ fields, field_status, analysis_point, ...match }) => ({
    ...Object.fromEntries(
      ['apn', 'address', 'state', 'county', 'city', 'source', 'acreage'].map(name => [name, match[name]]),
    ),
    lat: analysis_point.lat,
    lng: analysis_point.lng,
    ...fields,
    status:
      Object.entries(field_status)
        .filter(([, status]) => status !== 'ok')
        .map(([name, status]) => `${name}:${status}`)
        .join(' ') || 'ok',
  }));

/** A geometry with its coordinates to a nanodegree: GDAL writes 15 digits, which are one fewer than some doubles have. */
const rounded = (geometry: unknown): unknown =>
  JSON.parse(JSON.stringify(geometry), (_, value) => (typeof value === 'number' ? Number(value.toFixed(9)) : value));

/** Features of GeoJSON as GDAL reads them and writes them again. */
function gdalFeatures(bytes: Buffer): { readonly properties: Json; readonly geometry: Json }[] {
  const path = join(at, 'answer.geojson');
  writeFileSync(path, bytes);
  // GDAL takes a parcel number such as 001-004-003 for a date, unless it is told not to.
  const options = ['-oo', 'DATE_AS_STRING=YES', '-lco', 'COORDINATE_PRECISION=15'];
  const args = ['-f', 'GeoJSON', '/vsistdout/', path, ...options];
  const { stdout } = spawnSync('ogr2ogr', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return (JSON.parse(stdout) as { features: { properties: Json; geometry: Json }[] }).features;
}

describe('a page of search', () => {
  const body = { filters: [STATES], fields: NAMES, limit: 60 };
  let expected: Json[];
  let matches: (Match & Json)[];
  beforeAll(async () => {
    matches = ((await (await post('/v1/search', body)).json()) as { matches: (Match & Json)[] }).matches;
    expected = rowsOf(matches);
    expect(expected).toHaveLength(60);
    expect(new Set(expected.map(({ status }) => status)).size).toBeGreaterThan(1);
  });

  it('has the values of its JSON in Arrow, as the reader of Apache Arrow sees them', async () => {
    const bytes = await bytesOf('/v1/search', body, 'application/vnd.apache.arrow.stream');
    const cells = expected.map(row =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)])),
    );
    expect(arrowRows(bytes)).toEqual(cells);
    const { schema } = tableFromIPC(bytes);
    expect(schema.fields.find(({ name }) => name === 'elevation')!.metadata.get('unit')).toBe(
      catalog.fields.get('elevation')!.unit,
    );
    const { answer } = JSON.parse(schema.metadata.get('plat')!) as { answer: Json };
    expect(answer).toMatchObject({ status: 'limited', completion_reason: 'limit_reached' });
  });

  it('has them in Parquet and CSV, as DuckDB sees them', async () => {
    const cells = expected.map(row =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)])),
    );
    expect(await parquetRows(await bytesOf('/v1/search', body, 'application/vnd.apache.parquet'))).toEqual(cells);
    const texts = expected.map(row =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, csvCell(value)])),
    );
    expect(await csvRows(await bytesOf('/v1/search', body, 'text/csv'))).toEqual(texts);
  });

  it('goes on by a cursor that stands in a header', async () => {
    const { headers } = await post('/v1/search', body, 'text/csv');
    const cursor = headers.get('x-service-next-cursor');
    const next = await bytesOf('/v1/search', { ...body, cursor }, 'text/csv');
    const all = (await (await post('/v1/search', { ...body, limit: 100 })).json()) as { matches: Json[] };
    expect((await csvRows(next)).slice(0, 40).map(({ apn }) => apn)).toEqual(
      all.matches.slice(60).map(({ apn }) => csvCell(apn)),
    );
  });

  it('has features with the boundary in GeoJSON', { tags: ['GDAL'] }, async () => {
    const bytes = await bytesOf('/v1/search', body, 'application/geo+json');
    const features = gdalFeatures(bytes).map(({ geometry, properties }) => ({ geometry, ...properties }));
    expect(features).toEqual(expected.map(row => expect.objectContaining({ apn: row.apn, status: row.status })));
    for (const [i, { geometry }] of features.entries())
      expect(rounded(geometry)).toEqual(rounded(matches[i]!.fields.geometry));
  });
});

it('has every field that enrichment knows with its sources', async () => {
  const body = { filters: [STATES], enrich: true, limit: 3 };
  type Enriched = { enrichment: { fields: Readonly<Record<string, { value: unknown; source: string }>> } };
  const { matches } = (await (await post('/v1/search', body)).json()) as { matches: Enriched[] };
  const bytes = await bytesOf('/v1/search', body, 'application/vnd.apache.arrow.stream');
  const rows = arrowRows(bytes);
  const remarks = JSON.parse(tableFromIPC(bytes).schema.metadata.get('plat')!) as {
    fields: Record<string, { sources: { source: string }[] }>;
  };
  expect(Object.keys(matches[0]!.enrichment.fields).length).toBeGreaterThan(400);
  for (const [i, { enrichment }] of matches.entries())
    for (const [name, { value, source }] of Object.entries(enrichment.fields)) {
      expect([name, rows[i]![name]]).toEqual([name, cell(value)]);
      expect(remarks.fields[name]!.sources.map(one => one.source)).toContain(source);
    }
});

it('has the rows of fetch and batch, a location that failed too', async () => {
  const [match] = ((await (await post('/v1/search', { filters: [STATES], limit: 1 })).json()) as { matches: Match[] })
    .matches;
  const { lat, lng } = match!.analysis_point;
  const fields = ['elevation', 'fema_flood_zone', 'county_name', 'within_floodplain_polygon'];
  type Answer = { fields: Readonly<Record<string, { value: unknown; status: string; source: string }>> };
  const one = (await (await post('/v1/fetch', { lat, lng, fields })).json()) as Answer;
  const [row] = await parquetRows(await bytesOf('/v1/fetch', { lat, lng, fields }, 'application/vnd.apache.parquet'));
  expect(row).toMatchObject({ lat, lng, source: 'coordinate' });
  for (const name of fields) expect([name, row![name]]).toEqual([name, one.fields[name]!.value]);
  const bytes = await bytesOf('/v1/fetch', { lat, lng, fields }, 'application/vnd.apache.arrow.stream');
  const { schema } = tableFromIPC(bytes);
  const sources = schema.fields.find(({ name }) => name === 'elevation')!.metadata.get('sources')!;
  expect(JSON.parse(sources)).toMatchObject([{ source: one.fields.elevation!.source }]);
  const locations = [
    { lat: 0, lng: 0 },
    { lat, lng },
  ];
  const batch = await csvRows(await bytesOf('/v1/fetch/batch', { locations, fields }, 'text/csv'));
  expect(batch[0]).toMatchObject({
    index: '0',
    ok: 'false',
    error: 'coord_out_of_bounds',
    lat: null,
    status: 'failed',
  });
  expect(batch[1]).toMatchObject({ index: '1', ok: 'true', error: null, lat: String(lat) });
  for (const name of fields) expect([name, batch[1]![name]]).toEqual([name, csvCell(one.fields[name]!.value)]);
});

it('has the rows of rank with the values of its criteria', async () => {
  const body = { filters: [STATES], score: [{ field: 'acreage', weight: 1, prefer: 'high' }], limit: 5 };
  type Ranked = {
    rank: number;
    score: number;
    parcel_id: string;
    criteria: { acreage: { value: number; percentile: number } };
  };
  const { matches } = (await (await post('/v1/rank', body)).json()) as { matches: Ranked[] };
  const rows = arrowRows(await bytesOf('/v1/rank', body, 'application/vnd.apache.arrow.stream'));
  expect(rows).toEqual(
    matches.map(({ rank, score, parcel_id, criteria: { acreage } }) =>
      expect.objectContaining({
        rank,
        score,
        parcel_id,
        acreage: acreage.value,
        acreage_percentile: acreage.percentile,
      }),
    ),
  );
});

it('has the rows of aggregate, and cells with their outlines in GeoJSON', { tags: ['GDAL'] }, async () => {
  const body = {
    filters: [STATES],
    group_by: ['county', { h3: 6 }, { bins: 'acreage', edges: [1, 5] }],
    measures: [{ op: 'count' }, { op: 'sum', field: 'acreage' }, { op: 'quantile', field: 'parval', q: 0.5 }],
  };
  type Group = {
    key: [string, string, { from: number; to: number }];
    count: number;
    measures: Json[];
    geometry: object;
  };
  const { groups } = (await (await post('/v1/aggregate', { ...body, geometry: true })).json()) as { groups: Group[] };
  const rows = await parquetRows(await bytesOf('/v1/aggregate', body, 'application/vnd.apache.parquet'));
  expect(rows).toEqual(
    groups.map(({ key: [county, cell6, { from, to }], count, measures: [, sum, median] }) =>
      expect.objectContaining({
        ...{ county, h3_6: cell6, acreage_from: from, acreage_to: to, count, sum_acreage: sum!.value },
        ...{ 'quantile_0.5_parval': median!.value, 'quantile_0.5_parval_absent': median!.absent },
      }),
    ),
  );
  const bytes = await bytesOf('/v1/aggregate', body, 'application/geo+json');
  expect(gdalFeatures(bytes).map(({ geometry }) => rounded(geometry))).toEqual(
    groups.map(({ geometry }) => rounded(geometry)),
  );
});
