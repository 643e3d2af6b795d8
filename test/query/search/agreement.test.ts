import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../../datasets/geometry.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { hilbertOf } from '../../../query/geometry/hilbert.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { toGeoJSON } from '../../oracle/geojson.ts';
import {
  areaFilter,
  attributeFilter,
  compare,
  openAleutians,
  openOverlapping,
  openWorld,
  pages,
  request,
  type World,
} from './agreement.ts';

const LONG = process.env.PLAT_TEST === 'long';

let world: World;
beforeAll(async () => {
  world = await openWorld(11);
});
afterAll(() => world.release.remove());

/** A third of them where the long tests do not run. */
const runs = (count: number) => (LONG ? count : Math.floor(count / 3));
const limits = fc.constantFrom(1, 2, 3, 7, 10, 50, 100);
const ME = { field: 'state', op: 'eq', value: 'ME' };

it('stores parcels by H3 cell, Hilbert rank and key', () => {
  const release = openRelease(world.release.home);
  for (const partition of release.layer('parcel_store', 'main')!.partitions) {
    const file = new FeatureFile(release.pathOf(partition.files[0]!));
    const keys = Array.from({ length: file.count }, (_, i) => {
      const { geometry, properties } = file.feature(i);
      const [x0, y0, x1, y1] = boxOf(geometry);
      const cell = latLngToCell(Number(properties.centroid_lat), Number(properties.centroid_lon), 5);
      return [cell, String(hilbertOf((x0 + x1) / 2, (y0 + y1) / 2)).padStart(12, '0'), properties.parcel_key].join(' ');
    });
    expect(keys).toEqual([...keys].sort());
    file.close();
  }
});

/** Runs a property and says how many of its requests found anything. */
async function rounds<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  times: number,
  seed: number,
  ask: (...values: T) => Promise<number>,
): Promise<number> {
  let finding = 0;
  const property = fc.asyncProperty<T>(...arbitraries, async (...values: T) => {
    if ((await ask(...values)) > 0) finding++;
  });
  await fc.assert(property, { numRuns: times, seed });
  return finding;
}

// Thousands more are asked in agreement.long.test.ts.
describe('the engine finds what plain loops over the published parcels find, page by page, in order', () => {
  it('with attribute filters', async () => {
    const filters = fc.array(attributeFilter, { minLength: 1, maxLength: 4 });
    const finding = await rounds([filters, limits], runs(100), 1, (asked, limit) =>
      compare(world, [ME, ...asked], limit),
    );
    expect(finding).toBeGreaterThan(runs(15));
  });

  it('with areas that touch, share, cross and hold parcels', async () => {
    const finding = await rounds([areaFilter(world), limits], runs(500), 2, (area, limit) =>
      compare(world, [ME, area], limit),
    );
    expect(finding).toBeGreaterThan(runs(160));
  });

  it('with both', async () => {
    const finding = await rounds([request(world), limits], runs(200), 3, (asked, limit) =>
      compare(world, asked, limit),
    );
    expect(finding).toBeGreaterThan(runs(12));
  });

  it('with the index off', async () => {
    const finding = await rounds([request(world)], runs(120), 4, asked => compare(world, asked, 100, false));
    expect(finding).toBeGreaterThan(runs(10));
  });

  it("with every parcel's own polygon as the area, its neighbours touching", async () => {
    for (const { geometry, state } of world.parcels.filter((_, i) => LONG || i % 3 === 0)) {
      const area = (op: string) => [
        { field: 'state', op: 'eq', value: state },
        { field: 'geometry', op, value: toGeoJSON(geometry) },
      ];
      const touching = await compare(world, area('intersects'), 100);
      const covered = await compare(world, area('within'), 100);
      expect(covered).toBeGreaterThanOrEqual(1);
      expect(touching).toBeGreaterThan(covered);
    }
  });

  it('and so did the thread that serves everybody, alone', () => {
    // Those with the index off are a worker's.
    expect(pages.left).toBeGreaterThan(0);
    expect(pages.here).toBeGreaterThan(4 * pages.left);
    expect(pages.givenUp).toBeGreaterThan(pages.here / 10);
  });
});

it('finds both sides of the antimeridian by an area that is split there, and one side by one part', async () => {
  const islands = await openAleutians(6);
  try {
    const AK = { field: 'state', op: 'eq', value: 'AK' };
    const box = (west: number, east: number) => [
      [
        [west, 51.7],
        [east, 51.7],
        [east, 51.9],
        [west, 51.9],
        [west, 51.7],
      ],
    ];
    const area = (op: string, ...parts: number[][][][]) => ({
      field: 'geometry',
      op,
      value: { type: 'MultiPolygon', coordinates: parts },
    });
    const [west, east] = [box(179.985, 180), box(-180, -179.985)];
    for (const op of ['intersects', 'within']) {
      const both = await compare(islands, [AK, area(op, west, east)], 10);
      const one = await compare(islands, [AK, area(op, west)], 10);
      const other = await compare(islands, [AK, area(op, east)], 10);
      expect(one).toBeGreaterThan(0);
      expect(other).toBeGreaterThan(0);
      expect(both).toBe(one + other);
      expect(both).toBeLessThan(islands.parcels.length);
    }
  } finally {
    islands.release.remove();
  }
});

describe('the engine finds what loops find in a county of three files and two places that overlap', () => {
  let several: World;
  beforeAll(async () => {
    several = await openOverlapping(8);
  });
  afterAll(() => several.release.remove());

  it('which is one partition in one order', () => {
    const { partitions } = openRelease(several.release.home).layer('parcel_store', 'main')!;
    expect(partitions.map(({ key, parts }) => [key, parts?.length])).toEqual([
      ['ME/23019', 3],
      ['ME/23027', undefined],
      ['NH/33015', undefined],
    ]);
  });

  it.each([1, 7, 10, 100])('all of them, by pages of %i', async limit => {
    const mine = several.parcels.filter(({ state }) => state === 'ME');
    expect(await compare(several, [ME], limit)).toBe(mine.length);
  });

  it('by filters and areas, page by page', async () => {
    const finding = await rounds([request(several), limits, fc.boolean()], runs(60), 8, (asked, limit, index) =>
      compare(several, asked, limit, index),
    );
    expect(finding).toBeGreaterThan(runs(10));
  });
});
