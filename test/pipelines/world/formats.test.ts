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

describe.skipIf(missing)('the files, read by GDAL', () => {
  it('hold the rows that the summary says', () => {
    // Workbooks, zips of text and text with two header lines are no layers of their own to GDAL.
    const vectors = summary.files.filter(f => /(\.shp\.zip|\.geojson(\.gz)?|\.csv(\.gz)?)$/.test(f.path));
    expect(vectors.length).toBeGreaterThan(80);
    for (const { path, rows } of vectors)
      expect(gdal('ogrinfo', '-ro', '-al', '-so', source(path)), path).toContain(`Feature Count: ${rows}`);
  });

  it('hold every layer of every geodatabase', () => {
    const databases = worldFiles(world).flatMap(file => (file.kind === 'geodatabase' ? [file] : []));
    expect(databases.length).toBeGreaterThanOrEqual(17);
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

  it.each([0, 1])('put the parcels of county %i, projected in US feet, back where they were made', which => {
    const { county, parcels } = world.counties[which]!;
    const text = gdal(
      'ogr2ogr',
      '-f',
      'GeoJSON',
      '-t_srs',
      'EPSG:4326',
      '-lco',
      'COORDINATE_PRECISION=9',
      '/vsistdout/',
      source(`parcels/${county.code}_parcels_with_roll.shp.zip`),
    );
    const features = JSON.parse(text).features as GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon>[];
    const corner = (rings: readonly (readonly (readonly number[])[])[]) =>
      rings[0]!.reduce((a, p) => [Math.min(a[0]!, p[0]!), Math.min(a[1]!, p[1]!)], [180, 90]);
    let compared = 0;
    for (const [i, parcel] of [...parcels()].entries()) {
      const { geometry, properties } = features[i]!;
      expect(properties!.MAP_BK_LOT).toBe(parcel.roll.MAP_BK_LOT);
      expect(properties!.SALE_DATE?.replaceAll('/', '-') ?? null).toBe(parcel.roll.SALE_DATE);
      if (geometry.type !== 'Polygon') continue;
      expect(geometry.coordinates).toHaveLength(parcel.polygons[0]!.length);
      const [a, b] = [corner(geometry.coordinates), corner(parcel.polygons[0]!)];
      expect(a[0]).toBeCloseTo(b[0]!, 8);
      expect(a[1]).toBeCloseTo(b[1]!, 8);
      compared++;
    }
    expect(compared).toBeGreaterThan(150);
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
