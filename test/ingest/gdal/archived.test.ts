import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openSource } from '../../../ingest/format.ts';
import type { Row } from '../../../ingest/reader.ts';
import { run } from '../../../pipelines/run.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { feature, folder, square, village, writeFiles, zoning } from '../../pipelines/village.ts';
import { zipOf } from '../readers/zip.ts';

const FEATURES = [0, 1, 2].map(i => feature('Polygon', [square(-68.9 + i * 0.01, 44.1)], { zone: `r${i}`, lots: i }));

async function rowsOf(path: string, options: FormatOptions = {}): Promise<unknown[]> {
  const source = await openSource(path, { options });
  const rows: Row[] = [];
  try {
    for await (const batch of source.rows()) rows.push(...batch);
  } finally {
    await source.close();
  }
  return rows.map(({ properties: { zone, lots }, geometry }) => ({
    zone,
    lots,
    corners: [...new Set(Array.from(geometry!.xy, v => v.toFixed(6)))].sort(),
  }));
}

/** All files below a folder, with their paths from the folder that holds it. */
function membersOf(path: string, name: string): Record<string, Uint8Array> {
  return Object.fromEntries(readdirSync(path).map(file => [`${name}/${file}`, readFileSync(join(path, file))]));
}

describe('layers as offices send them', { tags: ['GDAL'] }, () => {
  it('GeoPackage, geodatabase and GeoJSON in a plain zip, and a feature on each line of a .geojson, are read as the file is', async () => {
    const sources = folder();
    writeFiles(sources, { 'zoning.geojson': FEATURES });
    const plain = join(sources, 'zoning.geojson');
    const expected = await rowsOf(plain);
    const made = (driver: string, name: string) => {
      execFileSync('ogr2ogr', ['-f', driver, '-nln', 'zoning', join(sources, name), plain]);
      return join(sources, name);
    };
    const gpkg = made('GPKG', 'zoning.gpkg');
    const gdb = made('OpenFileGDB', 'zoning.gdb');
    const zips = {
      'gpkg.zip': { 'data/zoning.gpkg': readFileSync(gpkg), 'README.txt': 'zones' },
      'gdb.zip': { ...membersOf(gdb, 'zoning.gdb'), 'README.txt': 'zones' },
      // Without the name of its folder, or without a folder.
      'other.zip': membersOf(gdb, 'data/zoning'),
      'bare.zip': Object.fromEntries(readdirSync(gdb).map(file => [file, readFileSync(join(gdb, file))])),
      'geojson.zip': { 'data/zoning.geojson': readFileSync(plain), 'README.txt': 'zones' },
    };
    for (const [name, members] of Object.entries(zips)) {
      writeFileSync(join(sources, name), await zipOf(members));
      expect(await rowsOf(join(sources, name)), name).toEqual(expected);
    }
    expect(await rowsOf(gdb)).toEqual(expected);
    writeFileSync(join(sources, 'lines.geojson'), FEATURES.map(one => `${JSON.stringify(one)}\n`).join(''));
    expect(await rowsOf(join(sources, 'lines.geojson'))).toEqual(expected);
    rmSync(sources, { recursive: true });
  });

  it('a MIF is read with its MID, row for row, or refused', async () => {
    const sources = folder();
    writeFiles(sources, { 'zoning.geojson': FEATURES });
    const [mif, mid] = [join(sources, 'zoning.mif'), join(sources, 'zoning.mid')];
    const args = ['-f', 'MapInfo File', '-dsco', 'FORMAT=MIF', mif, join(sources, 'zoning.geojson')];
    execFileSync('ogr2ogr', args);
    expect(await rowsOf(mif)).toEqual(await rowsOf(join(sources, 'zoning.geojson')));
    const lines = readFileSync(mid, 'utf8');
    writeFileSync(mid, lines + lines);
    await expect(rowsOf(mif)).rejects.toThrow(/has 3 objects, and its .mid 6 rows/);
    writeFileSync(mid, lines.slice(0, lines.indexOf('\n') + 1));
    await expect(rowsOf(mif)).rejects.toThrow(/MID file/);
    rmSync(mid);
    await expect(rowsOf(mif)).rejects.toThrow(/needs the .mid/);
    rmSync(sources, { recursive: true });
  });

  it('a geodatabase folder is ingested as a file of a place, and all files of a shapefile count', async () => {
    const [home, sources] = [folder(), folder()];
    writeFiles(sources, {
      'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
      'zoning.geojson': FEATURES,
    });
    mkdirSync(join(sources, 'data'));
    execFileSync('ogr2ogr', ['-f', 'OpenFileGDB', join(sources, 'data/zoning.gdb'), join(sources, 'zoning.geojson')]);
    const place = { ...village, layers: [{ ...zoning, file: 'data/zoning.gdb' }] };
    const report = await run({ home, sources, place, threads: 0, progress: SILENT });
    expect(report.counts).toMatchObject([{ file: 'data/zoning.gdb', read: 3, written: 3, rejected: 0 }]);
    const again = await run({ home, sources, place, threads: 0, progress: SILENT });
    expect(again).toMatchObject({ changed: false, reused: 1 });
    // Attributes of a shapefile may change while its shapes stay.
    const convert = (from: string) =>
      execFileSync('ogr2ogr', ['-overwrite', join(sources, 'zoning.shp'), join(sources, from)]);
    convert('zoning.geojson');
    const shp = { ...place, layers: [{ ...zoning, file: 'zoning.shp' }] };
    const before = await run({ home, sources, place: shp, threads: 0, progress: SILENT });
    const other = FEATURES.map((one, i) => ({ ...one, properties: { zone: `x${i}`, lots: i } }));
    writeFiles(sources, { 'other.geojson': other });
    convert('other.geojson');
    const after = await run({ home, sources, place: shp, threads: 0, progress: SILENT, accept: ['village'] });
    expect([before.reused, after.reused, after.changed]).toEqual([0, 0, true]);
    for (const path of [home, sources]) rmSync(path, { recursive: true });
  });
});
