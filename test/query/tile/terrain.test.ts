import { VectorTile } from '@mapbox/vector-tile';
import { decode } from 'fast-png';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCache } from '../../../query/release/cache.ts';
import { Fault } from '../../../query/release/fault.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { type Raster, sample } from '../../../query/release/raster.ts';
import { contourTile } from '../../../query/tile/contour-tile.ts';
import { terrainImage } from '../../../query/tile/terrain-image.ts';
import { EXTENT, latAt, lngAt, type TileName, xIn, yIn } from '../../../query/tile/tile-grid.ts';
import { CELLS, heightsOf, levelled } from '../../../query/tile/tile-heights.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const FOOT = 0.3048;

describe('the ground of the synthetic area in tiles', () => {
  let release: Release;
  let layers: Layers;
  let raster: Raster;
  let middle: readonly [lng: number, lat: number];
  const tileAt = (z: number): TileName => ({
    z,
    x: Math.floor(xIn(middle[0], { z, x: 0, y: 0 }) / EXTENT),
    y: Math.floor(yIn(middle[1], { z, x: 0, y: 0 }) / EXTENT),
  });
  /** The height as the release's own raster has it at a place of a tile, in cells. */
  const truth = ({ z, x, y }: TileName, column: number, row: number) =>
    sample(raster, 1, lngAt(x + column / CELLS, z), latAt(y + row / CELLS, z), 'bilinear') as Promise<number>;

  beforeAll(async () => {
    release = openRelease((await syntheticHome()).home);
    layers = new Layers(release, createCache(64));
    const [partition] = release.layer('usgs_3dep', 'main')!.partitions;
    raster = await layers.raster(partition!);
    const [west, south, east, north] = partition!.box!;
    middle = [(west + east) / 2, (south + north) / 2];
  }, 120_000);

  it('has the heights of the raster at the middles of the cells, as Terrarium writes them', async () => {
    const tile = tileAt(13);
    const heights = (await heightsOf(tile, 0, layers))!;
    const { data, width, height, channels } = decode(terrainImage(heights, 0.125));
    expect([width, height, channels]).toEqual([CELLS, CELLS, 3]);
    let seen = new Set<number>();
    for (const [column, row] of [
      [0, 0],
      [255, 0],
      [17, 200],
      [128, 128],
      [255, 255],
    ] as const) {
      const at = 3 * (row * CELLS + column);
      const written = data[at]! * 256 + data[at + 1]! + data[at + 2]! / 256 - 32_768;
      expect(written).toBeCloseTo(await truth(tile, column + 0.5, row + 0.5), 0);
      expect(Math.abs(written - (await truth(tile, column + 0.5, row + 0.5)))).toBeLessThan(0.2);
      seen = seen.add(written);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('takes the mean of what is finer than its cells', async () => {
    const tile = tileAt(11);
    const { values } = (await heightsOf(tile, 0, layers))!;
    let [sum, count] = [0, 0];
    for (let row = 0; row < 8; row++)
      for (let column = 0; column < 8; column++) {
        sum += await truth(tile, 100 + (column + 0.5) / 8, 100 + (row + 0.5) / 8);
        count++;
      }
    expect(Math.abs(values[100 * CELLS + 100]! - sum / count)).toBeLessThan(2);
  });

  it.each(['ft', 'm'] as const)('its contours in %s run where the raster has their height', async unit => {
    const tile = tileAt(14);
    const heights = (await heightsOf(tile, 3, layers))!;
    const { contours } = new VectorTile(new PbfReader(contourTile(heights, 14, unit))).layers;
    expect(contours!.length).toBeGreaterThan(0);
    let points = 0;
    for (let i = 0; i < contours!.length; i++) {
      const feature = contours!.feature(i);
      const { ele, strong, label } = feature.properties as { ele: number; strong: boolean; label?: string };
      const step = unit === 'ft' ? 20 : 5;
      expect(label).toBe(strong ? `${ele} ${unit}` : undefined);
      expect([ele % step, strong]).toEqual([0, ele % (5 * step) === 0]);
      for (const line of feature.loadGeometry())
        for (const { x, y } of line) {
          if (Math.min(x, y) < 0 || Math.max(x, y) > EXTENT) continue;
          const meters = await truth(tile, (x / EXTENT) * CELLS, (y / EXTENT) * CELLS);
          expect(Math.abs(meters - ele * (unit === 'ft' ? FOOT : 1))).toBeLessThan(1);
          points++;
        }
    }
    expect(points).toBeGreaterThan(20);
  });

  it('goes on level where nothing is known, and draws no contour there', async () => {
    const { side, margin, values } = (await heightsOf(tileAt(14), 3, layers))!;
    const half = values.map((value, i) => (i % side < side / 2 ? value : Number.NaN));
    const level = levelled({ side, margin, values: half });
    const last = Math.ceil(side / 2) - 1;
    expect(level[5 * side + side - 1]).toBe(values[5 * side + last]);
    expect(level.some(Number.isNaN)).toBe(false);
    const { contours } = new VectorTile(new PbfReader(contourTile({ side, margin, values: half }, 14, 'ft'))).layers;
    for (let i = 0; i < (contours?.length ?? 0); i++)
      for (const line of contours!.feature(i).loadGeometry())
        for (const { x } of line) expect(x).toBeLessThanOrEqual(((last + 1 - margin) / CELLS) * EXTENT);
  });

  it('is nothing where the release has no terrain', async () => {
    expect(await heightsOf({ z: 12, x: 100, y: 100 }, 0, layers)).toBeNull();
    const { usgs_3dep: _, ...datasets } = release.manifest.datasets;
    const without = { ...release, manifest: { ...release.manifest, datasets }, layer: () => undefined } as never;
    await expect(heightsOf(tileAt(12), 0, new Layers(without, createCache(8)))).rejects.toThrow(Fault);
  });
});
