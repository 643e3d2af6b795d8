import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { projectRows, resolveCrs } from '../../ingest/crs.ts';
import { openSource } from '../../ingest/format.ts';
import { ReadError, type ReadErrorCode, type Row } from '../../ingest/reader.ts';
import { isLngLat } from './lng-lat.ts';

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const present = existsSync(join(data, 'SOURCES.md'));
if (!present) console.warn(`Skipped: no real files at ${data}`);

/** What comes of a file: its rows, how many lack a geometry, and why they cannot be projected if they cannot. */
interface Outcome {
  readonly rows: number;
  readonly empty?: number;
  readonly crs?: ReadErrorCode;
}

/** Every file of fixtures/: rows it holds, or the error it is refused with. */
const EXPECTED: Readonly<Record<string, Outcome | ReadErrorCode>> = {
  'derived/bangor_roads_500_nl.geojsonl': { rows: 500 },
  'derived/bangor_roads_500_rs.geojsons': { rows: 500 },
  'derived/us_counties_gdal.fgb': { rows: 3221 },
  'derived/zion_nlcd2011_cog.tif': { rows: 2 },
  'derived/zion_srtm_cog.tif': { rows: 1 },
  'flatgeobuf/alldatatypes.fgb': { rows: 1, crs: 'crs_missing' },
  'flatgeobuf/binary_wkb.fgb': { rows: 1, empty: 1 },
  'flatgeobuf/countries.fgb': { rows: 179 },
  'flatgeobuf/countries_nocrs.fgb': { rows: 179, crs: 'crs_missing' },
  'flatgeobuf/countries_nogeo.fgb': { rows: 179, empty: 179, crs: 'crs_missing' },
  'flatgeobuf/empty.fgb': { rows: 0 },
  'flatgeobuf/heterogeneous.fgb': { rows: 3, crs: 'crs_missing' },
  'flatgeobuf/mp_overlapping.fgb': { rows: 2 },
  // OSGB36 needs a datum grid that is not carried here.
  'flatgeobuf/poly00.fgb': { rows: 10, crs: 'crs_unknown' },
  'flatgeobuf/poly01.fgb': { rows: 10, crs: 'crs_unknown' },
  'flatgeobuf/states.geojson': { rows: 49 },
  'flatgeobuf/topp_states.fgb': 'format_unsupported',
  'flatgeobuf/unknown_feature_count.fgb': { rows: 1 },
  'geoparquet/data-linestring-encoding_wkb.parquet': { rows: 3, empty: 2 },
  'geoparquet/data-linestring-wkt.csv': { rows: 3, empty: 3, crs: 'crs_missing' },
  'geoparquet/data-multilinestring-encoding_wkb.parquet': { rows: 4, empty: 2 },
  'geoparquet/data-multilinestring-wkt.csv': { rows: 4, empty: 4, crs: 'crs_missing' },
  'geoparquet/data-multipoint-encoding_wkb.parquet': { rows: 4, empty: 2 },
  'geoparquet/data-multipoint-wkt.csv': { rows: 4, empty: 4, crs: 'crs_missing' },
  'geoparquet/data-multipolygon-encoding_wkb.parquet': { rows: 5, empty: 2 },
  'geoparquet/data-multipolygon-wkt.csv': { rows: 5, empty: 5, crs: 'crs_missing' },
  'geoparquet/data-point-encoding_wkb.parquet': { rows: 4, empty: 2 },
  'geoparquet/data-point-wkt.csv': { rows: 4, empty: 4, crs: 'crs_missing' },
  'geoparquet/data-polygon-encoding_wkb.parquet': { rows: 4, empty: 2 },
  'geoparquet/data-polygon-wkt.csv': { rows: 4, empty: 4, crs: 'crs_missing' },
  'geoparquet/example-crs_vermont-4326_geo.parquet': { rows: 1 },
  'geoparquet/example-crs_vermont-crs84_geo.parquet': { rows: 1 },
  // PROJJSON of a projection that proj4js cannot read.
  'geoparquet/example-crs_vermont-custom_geo.parquet': { rows: 1 },
  'geoparquet/example-crs_vermont-utm_geo.parquet': { rows: 1 },
  'geoparquet/example.parquet': { rows: 5 },
  'geoparquet/example_metadata.json': 'file_corrupt',
  'geoparquet/natural-earth_countries-bounds_geo.parquet': { rows: 177 },
  'geoparquet/natural-earth_countries_geo.parquet': { rows: 177 },
  'geoparquet/quadrangles_100k_geo.parquet': { rows: 1809 },
  'parquet/us_cities.parquet': { rows: 3666 },
  'parquet/us_states.parquet': { rows: 50 },
  'shapefile/bangor_streams.zip': { rows: 108 },
  'shapefile/bangor_trails.zip': { rows: 654 },
  'shapefile/boulder_buildings.zip': { rows: 13491 },
  'shapefile/us_cities.zip': { rows: 3666 },
  'shapefile/us_states.zip': { rows: 50 },
  'tiger_roads_manhattan.geojson.gz': { rows: 8333 },
};

async function readAll(path: string, options: FormatOptions = {}): Promise<{ crs: string | null; rows: Row[] }> {
  const source = await openSource(path, { options });
  try {
    const rows: Row[] = [];
    for await (const batch of source.rows()) rows.push(...batch);
    if (source.count !== null) expect(source.count).toBe(rows.length);
    return { crs: source.crs, rows };
  } finally {
    await source.close();
  }
}

/** @returns the error with which a file is refused, at opening or on the way. */
async function refusal(path: string, options: FormatOptions = {}): Promise<ReadError> {
  const failure = await readAll(path, options).then(
    () => null,
    error => error,
  );
  expect(failure).toBeInstanceOf(ReadError);
  expect(failure.file).toBe(path);
  return failure as ReadError;
}

describe('every fixture', { tags: ['published-files'] }, () => {
  const files = present
    ? readdirSync(join(data, 'fixtures'), { recursive: true, encoding: 'utf8' }).filter(name =>
        statSync(join(data, 'fixtures', name)).isFile(),
      )
    : [];

  it('is expected', () => {
    expect(files.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(Object.entries(EXPECTED))('%s comes out as expected', async (name, expected) => {
    const path = join(data, 'fixtures', name);
    if (typeof expected === 'string') {
      expect((await refusal(path)).code).toBe(expected);
      return;
    }
    const { crs, rows } = await readAll(path);
    expect(rows).toHaveLength(expected.rows);
    expect(rows.filter(r => !r.geometry)).toHaveLength(expected.empty ?? 0);
    expect(rows.map(r => r.number)).toEqual(rows.map((_, i) => i + 1));
    if (expected.crs) {
      const projected = resolveCrs(crs, path).then(system => projectRows(system, rows));
      await expect(projected).rejects.toMatchObject({ code: expected.crs, file: path });
      return;
    }
    const projected = await projectRows(await resolveCrs(crs, path), rows);
    expect(projected.every(row => !row.geometry || isLngLat(row.geometry))).toBe(true);
  });
});

describe('other formats and known defects', { tags: ['published-files'] }, () => {
  it.each([
    ['forest-city-nc/parcels.topojson', {}, 7235, 1],
    ['chittenden-vt/contours_50ft.topojson', {}, 86, 0],
    ['national/us_atlas_10m.topojson', { layer: 'counties' }, 3641, 415],
    ['national/us_atlas_10m.topojson', { layer: 'land' }, 1, 0],
    ['raster/zion-ut/zion_boundary.gpkg', {}, 1, 0],
    ['bangor-me/road_pavement_noprj.shp.zip', { crs: 'EPSG:4326' }, 110, 0],
    ['gunnison-co/address_points_nodbf.shp.zip', { withoutAttributes: true }, 18234, 0],
  ] as [string, FormatOptions, number, number][])(
    '%s %j has %i rows, %i without geometry',
    async (file, options, count, empty) => {
      const { crs, rows } = await readAll(join(data, file), options);
      expect([rows.length, rows.filter(r => !r.geometry).length]).toEqual([count, empty]);
      const projected = await projectRows(await resolveCrs(crs, file), rows);
      expect(projected.every(row => !row.geometry || isLngLat(row.geometry))).toBe(true);
    },
  );

  it('names what a file lacks', async () => {
    expect((await refusal(join(data, 'national/us_atlas_10m.topojson'))).code).toBe('part_missing');
    expect((await refusal(join(data, 'gunnison-co/address_points_nodbf.shp.zip'))).code).toBe('part_missing');
    const { crs } = await readAll(join(data, 'bangor-me/road_pavement_noprj.shp.zip'));
    await expect(resolveCrs(crs, 'roads')).rejects.toMatchObject({ code: 'crs_missing' });
  });

  it('shows developments that were exported with a wrong projection to lie outside their city', async () => {
    // Longitudes and latitudes as such are in order, so only a place's coverage can tell; the ingest refuses them by it.
    const boundary = boxOf((await readAll(join(data, 'washington-dc/dc_boundary.geojson.gz'))).rows[0]!.geometry!);
    const { crs, rows } = await readAll(join(data, 'washington-dc/zoning_puds.geojson.gz'));
    expect([crs, rows.length]).toEqual(['OGC:CRS84', 249]);
    for (const { geometry } of rows) expect(boxOf(geometry!)[0]).toBeGreaterThan(boundary[2]);
  });
});

describe('published files cut off and overwritten', { tags: ['published-files'] }, () => {
  const folder = present ? mkdtempSync(join(tmpdir(), 'plat-fixtures-')) : '';
  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true });
  });
  const formats: readonly (readonly [file: string, options: FormatOptions])[] = [
    ['fixtures/shapefile/us_states.zip', {}],
    ['fixtures/flatgeobuf/countries.fgb', {}],
    ['fixtures/flatgeobuf/states.geojson', {}],
    ['fixtures/tiger_roads_manhattan.geojson.gz', {}],
    ['fixtures/derived/bangor_roads_500_rs.geojsons', {}],
    ['fixtures/parquet/us_states.parquet', {}],
    ['fixtures/derived/zion_srtm_cog.tif', {}],
    ['chittenden-vt/contours_50ft.topojson', {}],
    ['raster/zion-ut/zion_boundary.gpkg', {}],
  ];

  it.each(formats)('%s is refused at any length but its own', async (file, options) => {
    const bytes = readFileSync(join(data, file));
    const path = join(folder, basename(file));
    for (const part of [0, 0.02, 0.5, 0.99]) {
      writeFileSync(path, bytes.subarray(0, Math.floor(part * bytes.length)));
      const { code, message } = await refusal(path, options);
      expect(['file_truncated', 'file_corrupt'], `${part}: ${message}`).toContain(code);
    }
  });

  it.each(formats)('%s is refused as garbage under its name', async (file, options) => {
    const path = join(folder, basename(file));
    writeFileSync(path, Buffer.from(Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31 + 7 * i) & 0xff)));
    const { code } = await refusal(path, options);
    expect(['file_truncated', 'file_corrupt', 'format_unsupported']).toContain(code);
  });
});
