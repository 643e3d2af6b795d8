import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeArrayBuffer } from 'geotiff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import { openSource } from '../../ingest/format.ts';
import { run } from '../../pipelines/run.ts';
import { createCache } from '../../query/release/cache.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { openRaster } from '../../query/release/raster.ts';
import { zipOf } from '../ingest/readers/zip.ts';
import { SILENT } from './silent.ts';
import { folder, provenance, village } from './village.ts';

let home: string;
let sources: string;

beforeEach(() => {
  home = folder();
  sources = folder();
});
afterEach(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

const GRID =
  'ncols 3\nnrows 2\nxllcorner -70\nyllcorner 44\ncellsize 0.5\nNODATA_value -9999\n1.25 2 -9999\n4 5.5 60\n';

function place(file: string, more: Partial<PlaceLayer> = {}): Place {
  const layer: PlaceLayer = { dataset: 'usgs_3dep', layer: 'main', file, columns: {}, provenance, ...more };
  return { ...village, coverage: { extent: true }, layers: [layer] };
}

const ingest = (what: Place) => run({ home, sources, place: what, threads: 0, progress: SILENT });

/** The partition of the raster, its file, and where that is stored. */
function published() {
  const releases = join(home, 'releases');
  const manifest = readManifest(releases, currentId(releases)!);
  const [partition] = manifest.datasets.usgs_3dep!.main!.partitions;
  const file = partition!.files.find(f => f.role === 'raster')!;
  return { partition, file, path: join(releases, file.path) };
}

/** The stored raster, read back. */
async function stored() {
  const { partition, path } = published();
  const source = await openSource(path, { format: 'geotiff' });
  const values: number[] = [];
  for await (const batch of source.rows())
    for (const row of batch) values.push(...(row.properties.values as Float32Array));
  await source.close();
  return { crs: source.crs, box: partition!.box, values };
}

describe('an ASCII grid', () => {
  it.each(['plain', 'gzipped', 'zipped'])('is stored, %s', async kind => {
    const file = { plain: 'dem.asc', gzipped: 'dem.asc.gz', zipped: 'dem.asc.zip' }[kind]!;
    const bytes = kind === 'gzipped' ? gzipSync(GRID) : kind === 'zipped' ? await zipOf({ 'a/dem.asc': GRID }) : GRID;
    writeFileSync(join(sources, file), bytes);
    const report = await ingest(place(file, { options: { crs: 'EPSG:4269' } }));
    expect(report.counts[0]).toMatchObject({ read: 1, written: 1 });
    const { crs, box, values } = await stored();
    expect([crs, box]).toEqual(['EPSG:4269', [-70, 44, -68.5, 45]]);
    expect(values.slice(0, 6)).toEqual([1.25, 2, Number.NaN, 4, 5.5, 60]);
  });

  it.each([
    ['cut off', GRID.slice(0, -4), { options: { crs: 'EPSG:4269' } }, /dem\.asc, row 1: ends at cell 3 of line 2/],
    ['without a CRS', GRID, {}, /set options\.crs/],
    ['of another kind', 'a,b\n1,2\n', { format: 'csv' }, /csv holds no raster/],
  ] as [string, string, Partial<PlaceLayer>, RegExp][])(
    '%s is refused and leaves nothing',
    async (_, text, more, why) => {
      writeFileSync(join(sources, 'dem.asc'), text);
      await expect(ingest(place('dem.asc', more))).rejects.toThrow(why);
      expect(currentId(join(home, 'releases'))).toBeNull();
      expect(readdirSync(join(home, 'releases', 'tmp'))).toEqual([]);
    },
  );
});

describe('a GeoTIFF', () => {
  it('of a plain zip is stored, and so is an ASCII grid', async () => {
    const tiff = await writeArrayBuffer(
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      {
        ...{ width: 3, height: 2, ModelPixelScale: [0.5, 0.5, 0], ModelTiepoint: [0, 0, 0, -70, 45, 0] },
        ...{ GTModelTypeGeoKey: 2, GeographicTypeGeoKey: 4269 },
      } as never,
    );
    writeFileSync(join(sources, 'dem.zip'), await zipOf({ 'base.tif': new Uint8Array(tiff), 'README.txt': 'heights' }));
    await ingest(place('dem.zip'));
    expect((await stored()).values.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    writeFileSync(join(sources, 'dem.zip'), await zipOf({ 'a/base.asc': GRID }));
    await ingest(place('dem.zip', { options: { crs: 'EPSG:4269' } }));
    expect((await stored()).values.slice(0, 6)).toEqual([1.25, 2, Number.NaN, 4, 5.5, 60]);
  });

  it('in feet answers a point where GDAL puts it', async () => {
    const tiff = await writeArrayBuffer([[[1, 2, 3].map(value => value * 1.5), [4, 5, 6]]], {
      ...{ width: 3, height: 2, ModelPixelScale: [100, 100, 0], ModelTiepoint: [0, 0, 0, 13_100_000, 400_000, 0] },
      ...{ GTModelTypeGeoKey: 1, ProjectedCSTypeGeoKey: 2253, ProjLinearUnitsGeoKey: 9002 },
    } as never);
    writeFileSync(join(sources, 'dem.tif'), new Uint8Array(tiff));
    await ingest({ ...place('dem.tif'), state: 'MI' });
    const { path } = published();
    const raster = openRaster(path, 'dem', createCache(1));
    // echo "13100050 399950" | gdaltransform -s_srs EPSG:2253 -t_srs EPSG:4326 -output_xy
    const cell = raster.locate(-84.4532418445778, 42.5974439639282);
    raster.close();
    expect(cell?.map(share => share.toFixed(3))).toEqual(['0.500', '0.500']);
  });
});

describe('a release of an earlier build, which stored rasters as they were published', () => {
  it('is refused by the names of layer and place, and an ingest of the place makes it whole', async () => {
    writeFileSync(join(sources, 'dem.asc'), GRID);
    const what = place('dem.asc', { options: { crs: 'EPSG:4269' } });
    await ingest(what);
    const releases = join(home, 'releases');
    const { shards: _, counts: __, tiles: ___, ...head } = readManifest(releases, currentId(releases)!);
    const old = JSON.parse(
      JSON.stringify({ ...head, format: 1, id: '20250101-0000000a' }).replaceAll('.cog"', '.tif"'),
    );
    writeFileSync(join(releases, `${old.id}.json`), JSON.stringify(old));
    writeFileSync(join(releases, 'current'), `${old.id}\n`);
    expect(() => openRelease(home)).toThrow(/earlier build.*usgs_3dep:main of \w+; ingest these places again/);
    writeFileSync(join(sources, 'dem.asc'), GRID.replace('60', '61'));
    await ingest(what);
    expect(openRelease(home).layer('usgs_3dep', 'main')!.partitions).toHaveLength(1);
  });
});
