import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-crs-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ogr2ogr = (...args: readonly string[]) => execFileSync('ogr2ogr', args, { stdio: 'pipe' });

const FORMATS = { FlatGeobuf: '.fgb', OpenFileGDB: '.gdb', GPKG: '.gpkg', 'ESRI Shapefile': '.shp' } as const;

/** lng,lat of every point of a file by ogr2ogr. */
function byGdal(path: string): number[] {
  const output = join(folder, 'wgs84.geojson');
  ogr2ogr('-t_srs', 'EPSG:4326', '-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=12', output, path);
  const { features } = JSON.parse(readFileSync(output, 'utf8')) as {
    features: { geometry: { coordinates: number[] } }[];
  };
  rmSync(output);
  return features.flatMap(({ geometry }) => geometry.coordinates.slice(0, 2));
}

describe('a file in another CRS', { tags: ['GDAL'] }, () => {
  it.each([
    ['FlatGeobuf', 'ESRI:102123', [-84.55, 42.73]],
    ['OpenFileGDB', 'ESRI:102100', [-84.55, 42.73]],
    ['OpenFileGDB', 'ESRI:102123', [-84.55, 42.73]],
    ['FlatGeobuf', 'EPSG:26931', [-134.4, 58.3]],
    ['OpenFileGDB', 'EPSG:26931', [-134.4, 58.3]],
    ['ESRI Shapefile', 'EPSG:26931', [-134.4, 58.3]],
    ['FlatGeobuf', 'EPSG:2898', [-84.55, 42.73]],
    ['GPKG', 'EPSG:2898', [-84.55, 42.73]],
    ['ESRI Shapefile', 'ESRI:103600', [-95.2, 47.1]],
    ['FlatGeobuf', 'ESRI:103600', [-95.2, 47.1]],
  ] as const)('%s in %s lies where ogr2ogr puts it', async (format, crs, [lng, lat]) => {
    const features = [0, 0.01, -0.02].map(by => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Point', coordinates: [lng + by, lat - by / 2] },
    }));
    const plain = join(folder, 'plain.geojson');
    writeFileSync(plain, JSON.stringify({ type: 'FeatureCollection', features }));
    const path = join(folder, `points${FORMATS[format]}`);
    rmSync(path, { recursive: true, force: true });
    ogr2ogr('-f', format, '-t_srs', crs, path, plain);
    const source = await openSource(path);
    const xy: number[] = [];
    for await (const batch of source.rows())
      for (const { geometry } of await projectRows(await resolveCrs(source.crs, path), batch)) xy.push(...geometry!.xy);
    await source.close();
    const expected = byGdal(path);
    expect(xy).toHaveLength(6);
    // 1e-8 degrees are a millimetre.
    for (const [i, value] of xy.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-8);
  });
});
