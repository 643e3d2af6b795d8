import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../pipelines/run.ts';
import { archivedLayers, TileFailed, Tiles } from '../../../query/engine/tiles.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { EXTENT, type TileName, xIn, yIn } from '../../../query/tile/tile-grid.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { FILES, folder, village, writeFiles } from '../../pipelines/village.ts';

describe('tiles of the open release', () => {
  const home = folder();
  const sources = folder();
  const tiles = new Tiles();
  let release: Release;
  let tile: TileName;

  beforeAll(async () => {
    writeFiles(sources, FILES);
    await run({ home, sources, place: village, threads: 0, progress: SILENT });
    release = openRelease(home);
    const origin = { z: 14, x: 0, y: 0 };
    const [lng, lat] = [-68.985, 44.055];
    tile = { z: 14, x: Math.floor(xIn(lng, origin) / EXTENT), y: Math.floor(yIn(lat, origin) / EXTENT) };
  });
  afterAll(() => {
    tiles.close();
    for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
  });
  const read = (at = tile) => tiles.read(release, 'zoning', at);
  const pathOf = () => release.pathOf(release.manifest.tiles!['zoning/ME/23019']!.file!);

  it('are of the layers that it has archives of', () => {
    expect(archivedLayers(release)).toEqual(['wetlands', 'zoning']);
    expect(archivedLayers(null)).toEqual([]);
  });

  it('are vector tiles in gzip, and null where nothing lies', async () => {
    const { layers } = new VectorTile(new PbfReader(gunzipSync((await read())!)));
    expect(Object.keys(layers)).toEqual(['zoning']);
    expect(layers.zoning!.feature(0).properties).toEqual({ zone: 'URD-1' });
    expect(await read({ z: 14, x: 0, y: 0 })).toBeNull();
  });

  it('fail, and are never empty, while their archive is damaged, cut short or gone', async () => {
    const good = readFileSync(pathOf());
    const flipped = Uint8Array.from(good);
    flipped[130]! ^= 1;
    for (const bad of [flipped, good.subarray(0, 200), null]) {
      if (bad) writeFileSync(pathOf(), bad);
      else rmSync(pathOf());
      await expect(read()).rejects.toThrow(TileFailed);
      // Nothing of that archive lies there, whatever became of it.
      expect(await read({ z: 14, x: 0, y: 0 })).toBeNull();
      writeFileSync(pathOf(), good);
      expect((await read())!.length).toBeGreaterThan(0);
    }
  });

  it('fail where the release has no archive of the layer', async () => {
    await expect(tiles.read(release, 'roads', tile)).rejects.toThrow('no tiles of roads');
    await expect(tiles.read(null, 'roads', tile)).rejects.toThrow(TileFailed);
  });
});
