import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateWorld, type WorldSummary } from '../../../pipelines/world/generate.ts';
import { worldFiles } from '../../../pipelines/world/layer.ts';
import { makeWorld, type World } from '../../../pipelines/world/world.ts';
import { folder } from './truth.ts';

const missing = spawnSync('ogrinfo', ['--version']).error !== undefined;
if (missing) console.warn('formats.test.ts: GDAL (ogrinfo) is not installed; its readings are skipped');

const out = folder();
let world: World;
let summary: WorldSummary;
beforeAll(async () => {
  world = await makeWorld({ parcels: 400, seed: 2 });
  summary = await generateWorld({ parcels: 400, seed: 2, out });
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const gdal = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
const source = (path: string) => {
  const full = join(out, path);
  return path.endsWith('.zip') ? `/vsizip/${full}` : path.endsWith('.gz') ? `/vsigzip/${full}` : full;
};

describe('the files, read by GDAL', { tags: ['GDAL'] }, () => {
  it('hold the rows that the summary says', () => {
    // Workbooks, zips of text and text with two header lines are no layers of their own to GDAL.
    const vectors = summary.files.filter(f => /(\.shp\.zip|\.geojson(\.gz)?|\.csv(\.gz)?)$/.test(f.path));
    expect(vectors.length).toBeGreaterThan(80);
    for (const { path, rows } of vectors)
      expect(gdal('ogrinfo', '-ro', '-al', '-so', source(path)), path).toContain(`Feature Count: ${rows}`);
  });

  it('hold every layer of every geodatabase', () => {
    const databases = worldFiles(world).flatMap(file => (file.kind === 'geodatabase' ? [file] : []));
    expect(databases.length).toBeGreaterThanOrEqual(19);
    for (const { path, database } of databases) {
      const text = gdal('ogrinfo', '-ro', '-al', '-so', `${source(path)}/${database.folder}`);
      const found = [...text.matchAll(/^Layer name: (.*)\nGeometry: (.*)\nFeature Count: (\d+)/gm)];
      const kinds = { point: 'Point', line: 'Multi Line String', polygon: 'Multi Polygon' } as const;
      expect(
        found.map(([, name, kind, count]) => [name, kind, Number(count)]),
        path,
      ).toEqual(
        Object.entries(database.layers).map(([name, { geometry, rows }]) => [
          name,
          geometry ? kinds[geometry] : 'None',
          [...rows()].length,
        ]),
      );
    }
  });

  /** Features of a layer of a file as GDAL brings them to WGS84. */
  const features = <G extends GeoJSON.Geometry>(path: string) =>
    JSON.parse(
      gdal(
        'ogr2ogr',
        '-f',
        'GeoJSON',
        '-t_srs',
        'EPSG:4326',
        '-lco',
        'COORDINATE_PRECISION=9',
        '/vsistdout/',
        source(path),
      ),
    ).features as GeoJSON.Feature<G>[];

  it.each([0, 1])('put the parcels of county %i where they were made', which => {
    const { county, parcels } = world.counties[which]!;
    const name = `${county.code}_parcels_with_roll.gdb`;
    const found = features<GeoJSON.MultiPolygon>(`parcels/${name}.zip`);
    const corner = (rings: readonly (readonly (readonly number[])[])[]) =>
      rings[0]!.reduce((a, p) => [Math.min(a[0]!, p[0]!), Math.min(a[1]!, p[1]!)], [180, 90]);
    const made = [...parcels()];
    // Behind them stands a street, which is no parcel.
    expect(found.splice(made.length).map(({ properties }) => properties!.MAP_BK_LOT)).toEqual(['ROAD']);
    expect(found).toHaveLength(made.length);
    for (const [i, parcel] of made.entries()) {
      const { geometry, properties } = found[i]!;
      // GDAL writes a date with the time that a geodatabase gives it.
      for (const [column, value] of Object.entries(parcel.roll))
        if (column.endsWith('_DATE')) expect(properties![column]?.slice(0, 10) ?? null).toBe(value);
        else expect(properties![column], column).toBe(value);
      expect(geometry.coordinates.map(rings => rings.length)).toEqual(parcel.polygons.map(rings => rings.length));
      for (const [j, rings] of parcel.polygons.entries()) {
        const [a, b] = [corner(geometry.coordinates[j]!), corner(rings)];
        expect(a[0]).toBeCloseTo(b[0]!, 8);
        expect(a[1]).toBeCloseTo(b[1]!, 8);
      }
    }
  });

  it.each([0, 1])('put the traffic of county %i, projected in US feet, back where it was counted', which => {
    const { county } = world.counties[which]!;
    const path = `hpms/${county.code}_HPMS_2023.shp.zip`;
    expect(gdal('ogrinfo', '-ro', '-al', '-so', source(path))).toContain('US survey foot');
    const found = features<GeoJSON.LineString>(path);
    const counts = world.network.transport.counts(county);
    expect(found).toHaveLength(counts.length);
    for (const [i, { line }] of counts.entries()) {
      const { coordinates } = found[i]!.geometry;
      expect(coordinates).toHaveLength(line.length);
      for (const [j, [lng, lat]] of line.entries()) {
        expect(coordinates[j]![0]).toBeCloseTo(lng, 8);
        expect(coordinates[j]![1]).toBeCloseTo(lat, 8);
      }
    }
  });

  it('give raster cells their values, CRS and nodata', () => {
    for (const file of worldFiles(world)) {
      if (file.kind !== 'geotiff') continue;
      const { grid } = file;
      const info = JSON.parse(gdal('gdalinfo', '-json', source(file.path)));
      expect(info.size).toEqual([grid.columns, grid.rows]);
      expect(info.coordinateSystem.wkt).toContain(`ID["EPSG",${grid.epsg}]`);
      expect(info.bands[0].noDataValue).toBe(grid.nodata);
      expect(info.geoTransform[0]).toBeCloseTo(grid.left, 9);
      expect(info.geoTransform[5]).toBeCloseTo(-grid.cellY, 12);
      for (const [column, row] of [
        [0, 0],
        [grid.columns - 1, grid.rows - 1],
        [grid.columns >> 1, grid.rows >> 1],
      ] as const) {
        const value = Number(gdal('gdallocationinfo', '-valonly', source(file.path), String(column), String(row)));
        expect(value).toBeCloseTo(Math.fround(grid.value(column, row)), 3);
      }
    }
  });
});
