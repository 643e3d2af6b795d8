import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import type { Row, Source } from '../../../ingest/reader.ts';
import { isLngLat } from '../lng-lat.ts';

const LONG = process.env.PLAT_TEST === 'long';
/** Files that are read in a moment. */
const QUICK_BYTES = 500_000;
const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const present = existsSync(join(data, 'SOURCES.md'));
if (!present) console.warn(`Skipped: no real files at ${data}`);

interface Listed {
  readonly file: string;
  readonly format: string;
  readonly crs: string;
  readonly count: string;
}

/** Rows of every table of SOURCES.md that describes files. */
function listed(): Listed[] {
  return readFileSync(join(data, 'SOURCES.md'), 'utf8')
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .filter(cells => cells.length >= 11 && cells[1]!.includes('/'))
    .map(cells => ({ file: cells[1]!, format: cells[6]!, crs: cells[7]!, count: cells[8]! }));
}

/** What each file must be told. */
const OPTIONS: Readonly<Record<string, FormatOptions>> = {
  'bangor-me/road_pavement_noprj.shp.zip': { crs: 'EPSG:4326' },
  'gunnison-co/address_points_nodbf.shp.zip': { withoutAttributes: true },
  'national/us_airports.csv': { x: 'longitude', y: 'latitude' },
  'national/power_plants_usa.csv.gz': { x: 'longitude', y: 'latitude' },
};

/** Rows whose published coordinates are no longitude and latitude (one power plant lies at latitude 425). */
const MISPLACED: Readonly<Record<string, number[]>> = { 'national/power_plants_usa.csv.gz': [8858] };

async function readAll(
  file: string,
  options: FormatOptions = OPTIONS[file] ?? {},
): Promise<{ source: Source; rows: Row[] }> {
  const source = await openSource(join(data, file), { options });
  const rows: Row[] = [];
  try {
    for await (const batch of source.rows()) rows.push(...batch);
  } finally {
    await source.close();
  }
  return { source, rows };
}

/** Rings (or lines, or points) of a geometry as sorted lists of numbers, however parts are ordered. */
function ringsOf(geometry: Geometry | null): Float64Array[] {
  if (!geometry) return [];
  const { xy, ends } = geometry;
  const rings = [...ends].map((end, i) => xy.slice(i === 0 ? 0 : 2 * ends[i - 1]!, 2 * end));
  return rings.sort((a, b) => a.length - b.length || a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
}

function ringsOfJson(geometry: { type: string; coordinates: unknown } | null): Float64Array[] {
  const rings: Float64Array[] = [];
  const walk = (list: unknown[], depth: number): void => {
    if (depth > 0) for (const item of list) walk(item as unknown[], depth - 1);
    else rings.push(Float64Array.from((list as number[][]).flatMap(p => [p[0]!, p[1]!])));
  };
  if (!geometry) return [];
  if (geometry.type === 'Point') walk([geometry.coordinates], 0);
  else {
    const depth: Record<string, number> = {
      LineString: 0,
      MultiPoint: 0,
      Polygon: 1,
      MultiLineString: 1,
      MultiPolygon: 2,
    };
    walk(geometry.coordinates as unknown[], depth[geometry.type]!);
  }
  return rings.sort((a, b) => a.length - b.length || a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
}

const readable = /Shapefile|GeoJSON|CSV|FlatGeobuf/;

describe('published files', { tags: ['published-files'] }, () => {
  const files = present ? listed() : [];
  const counted = files.filter(f => readable.test(f.format) && /^\d+$/.test(f.count));

  it('lists the files this test is about', () => {
    expect(files.filter(f => f.file.startsWith('bangor-me/'))).toHaveLength(33);
    expect(counted.length).toBeGreaterThan(150);
  });

  // The largest hold nothing that the others of their format do not.
  const quick = counted.filter(({ file }) => LONG || statSync(join(data, file)).size < QUICK_BYTES);
  it.each(quick)('$file holds $count rows in $crs', async ({ file, count, crs }) => {
    const { source, rows } = await readAll(file);
    expect(rows.length).toBe(Number(count));
    if (source.count !== null) expect(source.count).toBe(rows.length);
    if (/CRS84/.test(crs)) expect(source.crs).toBe('OGC:CRS84');
    const epsg = /EPSG:(\d+)/.exec(crs)?.[0];
    if (epsg && !/Shapefile/.test(files.find(f => f.file === file)!.format)) expect(source.crs).toBe(epsg);
    if (source.crs === null || source.crs === 'EPSG:27700') return;
    const projected = await projectRows(await resolveCrs(source.crs, file), rows);
    const outside = projected.filter(row => row.geometry && !isLngLat(row.geometry));
    expect(outside.map(row => row.number)).toEqual(MISPLACED[file] ?? []);
  });

  it('says what a file lacks', async () => {
    const roads = await openSource(join(data, 'bangor-me/road_pavement_noprj.shp.zip'));
    expect(roads.crs).toBeNull();
    await expect(resolveCrs(roads.crs, 'roads')).rejects.toThrow(/crs/i);
    await roads.close();
    const addresses = join(data, 'gunnison-co/address_points_nodbf.shp.zip');
    await expect(openSource(addresses)).rejects.toMatchObject({ name: 'ReadError', code: 'part_missing' });
    const legacy = join(data, 'fixtures/flatgeobuf/topp_states.fgb');
    await expect(openSource(legacy)).rejects.toMatchObject({ code: 'format_unsupported' });
  });

  it('reads DBF numbers padded with NUL', async () => {
    const { rows } = await readAll('bangor-me/parcels_with_assessor.shp.zip');
    expect(rows[0]!.properties).toMatchObject({
      OBJECTID: 1,
      MAPLOTUNIT: 'R31-004',
      ACRES: 0.69999998,
      VALUE_LAND: 33800,
      YR_BUILT: 1880,
      LOT_1: '004',
    });
    expect(new Set(rows.map(r => r.properties.MAPLOTUNIT)).size).toBe(9972);
  });

  it('reads every column type of FlatGeobuf', async () => {
    const { rows } = await readAll('fixtures/flatgeobuf/alldatatypes.fgb');
    const names = 'byte ubyte bool short ushort int uint long ulong float double string json datetime binary'.split(
      ' ',
    );
    expect(Object.keys(rows[0]!.properties).sort()).toEqual([...names].sort());
    expect(Object.values(rows[0]!.properties)).not.toContain(null);
  });

  it('reads the rasters block by block, every pixel once', async () => {
    const rasters = files.filter(f => f.format === 'GeoTIFF');
    expect(rasters.length).toBeGreaterThan(5);
    for (const { file, count, crs } of rasters) {
      const [, width, height, bands] = /(\d+)x(\d+) px, (\d+) band/.exec(count)!.map(Number);
      const { source, rows } = await readAll(file);
      const pixels = rows.reduce((sum, r) => sum + (r.properties.values as ArrayLike<number>).length, 0);
      expect(pixels, file).toBe(width! * height! * bands!);
      const epsg = /^EPSG:\d+$/.exec(crs)?.[0];
      if (epsg) expect(source.crs, file).toBe(epsg);
      else expect(source.crs, file).toMatch(/^[A-Z]+CRS\[/);
      const projected = await projectRows(await resolveCrs(source.crs, file), rows);
      expect(projected.every(row => isLngLat(row.geometry!))).toBe(true);
    }
  });

  it.each(['point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon'])(
    'reads %s GeoParquet as its WKT says',
    async kind => {
      const { source, rows } = await readAll(`fixtures/geoparquet/data-${kind}-encoding_wkb.parquet`);
      const wkt = await readAll(`fixtures/geoparquet/data-${kind}-wkt.csv`);
      expect(source.crs).toBe('OGC:CRS84');
      expect(rows.length).toBe(wkt.rows.length);
      rows.forEach((row, i) => {
        const text = String(wkt.rows[i]!.properties.geometry ?? '');
        const numbers = (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
        expect([...(row.geometry?.xy ?? [])]).toEqual(numbers);
        if (row.geometry) expect(text.toUpperCase()).toContain(row.geometry.type.toUpperCase());
      });
    },
  );

  it('reads the CRS of GeoParquet', async () => {
    const crs = async (name: string) => (await readAll(`fixtures/geoparquet/${name}`)).source.crs;
    expect(await crs('example.parquet')).toBe('OGC:CRS84');
    expect(await crs('example-crs_vermont-4326_geo.parquet')).toBe('EPSG:4326');
    expect(await crs('example-crs_vermont-crs84_geo.parquet')).toBe('OGC:CRS84');
    expect(await crs('example-crs_vermont-utm_geo.parquet')).toBe('EPSG:32618');
    expect(JSON.parse((await crs('example-crs_vermont-custom_geo.parquet'))!)).toHaveProperty('conversion');
  });

  it('puts the same outline in the same place whatever its CRS', async () => {
    const outline = async (name: string) => {
      const { source, rows } = await readAll(`fixtures/geoparquet/example-crs_vermont-${name}_geo.parquet`);
      return (await resolveCrs(source.crs, name)).toLngLat(rows[0]!.geometry!.xy);
    };
    const [utm, plain] = [await outline('utm'), await outline('crs84')];
    expect(utm.length).toBe(plain.length);
    utm.forEach((value, i) => {
      expect(Math.abs(value - plain[i]!)).toBeLessThan(1e-9);
    });
  });
});

describe('coordinates against GDAL', { tags: ['published-files', 'GDAL'] }, () => {
  const compared: [file: string, degrees: number, crs?: string][] = [
    ['bangor-me/zoning.shp.zip', 1e-7],
    ['gunnison-co/sections.shp.zip', 1e-9],
    // Its .prj says EPSG:2232 but names the datum so that PROJ takes it for NAD83(HARN) and shifts it by a metre.
    ['gunnison-co/subdivision.shp.zip', 1e-7],
    ['forest-city-nc/zoning_stateplane.geojson.gz', 1e-7],
    ['bangor-me/shoreland_zone.geojson.gz', 1e-9],
    ['fixtures/derived/us_counties_gdal.fgb', 1e-9],
  ];
  // Of the same formats and systems, and large.
  if (LONG)
    compared.push(
      ['bangor-me/parcels_with_assessor.shp.zip', 1e-7],
      ['bangor-me/buildings.shp.zip', 1e-7],
      ['fixtures/shapefile/boulder_buildings.zip', 1e-9],
    );
  it.each(compared)('%s within %d degrees', async (file, tolerance, crs) => {
    const folder = mkdtempSync(join(tmpdir(), 'plat-readers-'));
    try {
      const output = join(folder, 'out.geojson');
      const prefix = file.endsWith('.zip') ? '/vsizip/' : file.endsWith('.gz') ? '/vsigzip/' : '';
      const args = [
        '-q',
        ...(crs ? ['-s_srs', crs] : []),
        '-t_srs',
        'EPSG:4326',
        '-f',
        'GeoJSON',
        '-lco',
        'COORDINATE_PRECISION=15',
        output,
      ];
      execFileSync('ogr2ogr', [...args, prefix + join(data, file)], { stdio: 'pipe' });
      const expected = (JSON.parse(readFileSync(output, 'utf8')) as { features: { geometry: never }[] }).features;
      const { source, rows } = await readAll(file);
      const projected = await projectRows(await resolveCrs(source.crs, file), rows);
      expect(rows.length).toBe(expected.length);
      let worst = 0;
      projected.forEach((row, i) => {
        const ours = ringsOf(row.geometry);
        const theirs = ringsOfJson(expected[i]!.geometry);
        expect(
          ours.map(r => r.length),
          `row ${row.number}`,
        ).toEqual(theirs.map(r => r.length));
        const { type, coordinates } = (expected[i]!.geometry ?? {}) as { type?: string; coordinates?: unknown[] };
        if (type === 'MultiPolygon') expect(row.geometry!.parts.length, `row ${row.number}`).toBe(coordinates!.length);
        ours.forEach((ring, k) => {
          for (let j = 0; j < ring.length; j++) worst = Math.max(worst, Math.abs(ring[j]! - theirs[k]![j]!));
        });
      });
      expect(worst).toBeLessThan(tolerance);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
