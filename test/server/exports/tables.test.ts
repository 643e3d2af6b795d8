import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { latLngToCell } from 'h3-js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById } from '../../../query/release/open-release.ts';
import { JOB_KINDS } from '../../../server/job-kinds.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import { type PublishedRow, publishedRows } from '../../query/sets/published-rows.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { FakeClock } from '../fake-clock.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';

let engine: Engine;
let fixture: Fixture;
let worker: JobWorker;
let rows: PublishedRow[];
let folder: string;
let home: string;
beforeAll(async () => {
  ({ home } = await syntheticHome());
  folder = mkdtempSync(join(tmpdir(), 'plat-exports-'));
  rows = await publishedRows(home);
  engine = await createEngine({ home, workers: 1, queue: 20, memoryMb: 256 });
  // The engine knows the time of the day alone.
  const clock = new FakeClock();
  clock.time = Date.now();
  fixture = await openFixture({ catalog, clock, plan: 'scale', between: services => ({ ...services, engine }) });
  const services = contextFor(fixture, { engine, catalog, clock: Date });
  worker = workOnJobs({ ...services, callbacks: NO_CALLBACKS }, JOB_KINDS);
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await fixture.app.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const headers = (more: object = {}) => ({ authorization: `Bearer ${fixture.token}`, ...more });
const get = (url: string) => fixture.app.inject({ method: 'GET', url, headers: headers() });

interface Exported {
  readonly path: string;
  readonly bytes: Buffer;
  readonly cited: {
    readonly fields: Record<string, { unit: string | null; sources: object[] }>;
    readonly sources: { licence: string }[];
    readonly rows_without_place: object[];
  };
  readonly done: { readonly counts: object };
}

/** Makes an export and writes its table to a file. */
async function exported(body: object): Promise<Exported> {
  const accepted = await fixture.app.inject({ method: 'POST', url: '/v1/exports', headers: headers(), payload: body });
  expect([accepted.statusCode, accepted.json()]).toMatchObject([202, { status: 'queued' }]);
  const { poll, export_id: id } = accepted.json();
  await vi.waitFor(async () => expect(['done', 'failed']).toContain((await get(poll)).json().status), {
    timeout: 20_000,
    interval: 100,
  });
  const done = (await get(poll)).json();
  expect(done).toMatchObject({ status: 'done', error: null });
  const [table, sidecar] = done.files;
  const bytes = (await get(`${poll}/files/${table.name}`)).rawPayload;
  const path = join(folder, `${id}-${table.name}`);
  writeFileSync(path, bytes);
  return { path, bytes, cited: (await get(`${poll}/files/${sidecar.name}`)).json(), done };
}

const SEARCH = {
  search: {
    filters: [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'acreage', op: 'gt', value: 1 },
    ],
  },
  fields: ['acreage', 'nearest_road_distance_m', 'city', 'elevation'],
};
const expected = () => rows.filter(row => row.fips.startsWith('23') && Number(row.acreage) > 1);
const ogr = (path: string, ...more: string[]) =>
  execFileSync('ogrinfo', ['-ro', '-al', '-so', ...more, path], { encoding: 'utf8' });

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create();
  const db = await instance.connect();
  try {
    return (await db.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    db.closeSync();
    instance.closeSync();
  }
}

it('of GeoParquet hold every parcel that passes, in stored order, with a box, a cell and a boundary', async () => {
  const { path, cited } = await exported({ ...SEARCH, format: 'geoparquet' });
  const read = await query(`SELECT * FROM read_parquet('${path}')`);
  expect(read.map(row => row.apn)).toEqual(expected().map(row => row.apn));
  expect(read.map(row => row.nearest_road_distance_m)).toEqual(expected().map(row => row.nearest_road_distance_m));
  for (const row of read) {
    const box = row.bbox as { xmin: number; ymin: number; xmax: number; ymax: number };
    expect(Number(row.lng) >= box.xmin && Number(row.lng) <= box.xmax).toBe(true);
    expect(row.h3).toBe(latLngToCell(Number(row.lat), Number(row.lng), 9));
  }
  const [meta] = await query(
    `SELECT decode(value) AS geo FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'geo'`,
  );
  expect(JSON.parse(String(meta!.geo))).toMatchObject({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', covering: { bbox: { xmin: ['bbox', 'xmin'] } } } },
  });
  expect(cited.fields.acreage!.unit).toBe('acres');
  expect(cited.fields.nearest_road_distance_m!.sources[0]).toMatchObject({
    source: expect.stringMatching(/^synthetic/),
  });
  expect(cited.sources[0]!.licence).toEqual(expect.any(String));
});

it('of FlatGeobuf are indexed, and GDAL reads the same', { tags: ['GDAL'] }, async () => {
  const { path } = await exported({ ...SEARCH, format: 'flatgeobuf' });
  const told = ogr(path);
  expect(told).toContain(`Feature Count: ${expected().length}`);
  expect(told).toMatch(/nearest_road_distance_m: Real/);
  const [{ lng, lat }] = (await query(
    `SELECT avg(centroid_lon) AS lng, avg(centroid_lat) AS lat FROM (VALUES ${expected()
      .map(row => `(${Number(row.centroid_lon)}, ${Number(row.centroid_lat)})`)
      .join(',')}) t(centroid_lon, centroid_lat)`,
  )) as [{ lng: number; lat: number }];
  const within = ogr(path, '-spat', String(lng), String(lat), String(lng + 1), String(lat + 1));
  const count = Number(/Feature Count: (\d+)/.exec(within)![1]);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(expected().length);
});

it('of Arrow, CSV and GeoJSONSeq hold the same values', { tags: ['GDAL'] }, async () => {
  const arrow = tableFromIPC((await exported({ ...SEARCH, format: 'arrow' })).bytes);
  expect(arrow.numRows).toBe(expected().length);
  expect([...arrow.getChild('acreage')!]).toEqual(expected().map(row => row.acreage));
  expect(arrow.schema.fields.find(({ name }) => name === 'geometry')!.metadata.get('ARROW:extension:name')).toBe(
    'geoarrow.wkb',
  );
  const { bytes, path } = await exported({ ...SEARCH, format: 'geojsonseq' });
  const features = bytes
    .toString()
    .split('\u001e')
    .filter(text => text !== '')
    .map(text => JSON.parse(text));
  expect(features.map(({ properties }) => properties.acreage)).toEqual(expected().map(row => row.acreage));
  expect(ogr(path)).toContain(`Feature Count: ${expected().length}`);
  const csv = parse((await exported({ ...SEARCH, format: 'csv' })).bytes, { columns: true }) as { city: string }[];
  expect(csv.map(row => row.city)).toEqual(expected().map(row => row.city ?? ''));
});

it('of points answer what fetch answers at each of them, and a polygon that crosses itself fails alone', async () => {
  const names = ['elevation', 'county_name', 'nearest_road_distance_m', 'fema_flood_zone'];
  const points = rows.slice(0, 40).map(row => [Number(row.centroid_lon), Number(row.centroid_lat)] as const);
  const ring = (x: number, y: number, crossed: boolean) => {
    const d = 0.0001;
    const corners = [
      [x - d, y - d],
      [x + d, y - d],
      [x + d, y + d],
      [x - d, y + d],
    ];
    const [a, b, c, e] = corners;
    return crossed ? [a, c, b, e, a] : [a, b, c, e, a];
  };
  const features = points.map(([x, y], i) => ({
    type: 'Feature',
    id: i,
    geometry: { type: 'Polygon', coordinates: [ring(x, y, i === 7)] },
    properties: {},
  }));
  const upload = async (payload: string, type: string) =>
    (
      await fixture.app.inject({
        method: 'POST',
        url: '/v1/uploads',
        headers: headers({ 'content-type': type }),
        payload,
      })
    ).json().upload_id as string;
  const text = ['custom_id,lat,lng', ...points.map(([lng, lat], i) => `p${i},${lat},${lng}`)].join('\n');
  const one = await exported({ upload_id: await upload(text, 'text/csv'), fields: names, format: 'csv' });
  const answers = parse(one.bytes, { columns: true }) as Record<string, string>[];
  const release = openReleaseById(home, currentId(home)!);
  const environment = { release, catalog, cache: createCache(128), deadline: Date.now() + 60_000 };
  for (const [i, [lng, lat]] of points.entries()) {
    const truth = await evaluate(names, { lng, lat }, environment);
    for (const name of names) {
      const { status, value } = truth[name]!;
      expect(answers[i]![name]).toBe(value === null ? '' : String(value));
      expect(answers[i]!.status!.includes(`${name}:`)).toBe(status !== 'ok');
    }
  }
  const polygons = JSON.stringify({ type: 'FeatureCollection', features });
  const two = await exported({
    upload_id: await upload(polygons, 'application/geo+json'),
    fields: ['county_name'],
    format: 'flatgeobuf',
  });
  expect(two.done.counts).toMatchObject({ rows_ok: 39, rows_failed: 1 });
  expect(two.cited.rows_without_place).toEqual([{ row: 8, custom_id: '7', status: 'failed:invalid_geometry' }]);
  expect(ogr(two.path)).toContain('Feature Count: 39');
});
