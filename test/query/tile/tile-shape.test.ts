import { bboxClip, polygon } from '@turf/turf';
import type { Position } from 'geojson';
import { expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { BUFFER, boxOfTile, EXTENT, isTile } from '../../../query/tile/tile-grid.ts';
import { shapeIn } from '../../../query/tile/tile-shape.ts';
import { line, point, rectangle } from '../release-fixture.ts';

const TILE = { z: 14, x: 4987, y: 5995 };
const [WEST, SOUTH, EAST, NORTH] = boxOfTile(TILE);
const WIDTH = EAST - WEST;
const HEIGHT = NORTH - SOUTH;

/** Twice the signed area. */
const area = (ring: readonly (readonly [number, number])[]) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);

/** A star about the tile's middle whose spikes may reach over its sides. */
function star(seed: number): Position[] {
  const corners = Array.from({ length: 24 }, (_, i): Position => {
    const angle = (i / 24) * 2 * Math.PI;
    const reach = 0.25 + 0.75 * Math.abs(Math.sin(seed * 12.9898 + i * 78.233));
    return [
      (WEST + EAST) / 2 + Math.cos(angle) * reach * WIDTH,
      (SOUTH + NORTH) / 2 + Math.sin(angle) * reach * HEIGHT,
    ];
  });
  return [...corners, corners[0]!];
}

const ofRing = (ring: readonly Position[]): Geometry => ({
  type: 'Polygon',
  xy: Float64Array.from(ring.flat()),
  ends: Uint32Array.of(ring.length),
  parts: Uint32Array.of(1),
});

it('clips polygons to the tile and its buffer as turf does', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const ring = star(seed);
    const shape = shapeIn(ofRing(ring), TILE, 0)!;
    const [ours] = shape.paths.map(path => Math.abs(area(path)));
    // Over one tile latitude runs straight enough to compare areas in degrees.
    const clipped = bboxClip(polygon([ring]), [WEST, SOUTH, EAST, NORTH]).geometry.coordinates[0] as [number, number][];
    const theirs = Math.abs(area(clipped)) / (WIDTH * HEIGHT);
    const ratio = ours! / (EXTENT + 2 * BUFFER) ** 2;
    expect(Math.abs(ratio - theirs), `star ${seed}`).toBeLessThan(0.002);
    for (const [x, y] of shape.paths.flat()) expect([x, y].every(v => v >= -BUFFER && v <= EXTENT + BUFFER)).toBe(true);
  }
});

it('is the same whatever a ring does beyond its west or east side', () => {
  const [middle, top] = [(WEST + EAST) / 2, NORTH - HEIGHT / 4];
  for (const far of [WEST - 2 * WIDTH, EAST + 2 * WIDTH]) {
    const [low, high]: [Position, Position] = [
      [far, SOUTH],
      [far, NORTH],
    ];
    const ring = (between: readonly Position[]) =>
      ofRing([[middle, SOUTH], [middle, top], high, ...between, low, [middle, SOUTH]]);
    const wave = Array.from(
      { length: 99 },
      (_, i): Position => [far + Math.sin(i) * WIDTH * 0.5, NORTH - (HEIGHT * i) / 99],
    );
    const plain = shapeIn(ring([]), TILE, 0);
    expect(plain!.paths[0]!.length).toBeGreaterThan(3);
    expect(shapeIn(ring(wave), TILE, 0)).toEqual(plain);
    // What comes back into the tile is no longer the same.
    expect(shapeIn(ring([...wave, [middle - WIDTH / 8, SOUTH]]), TILE, 0)).not.toEqual(plain);
  }
});

it('winds shells clockwise on the screen and holes the other way', () => {
  const middle = (share: number): [number, number, number, number] => [
    WEST + WIDTH * share,
    SOUTH + HEIGHT * share,
    EAST - WIDTH * share,
    NORTH - HEIGHT * share,
  ];
  const { kind, paths } = shapeIn(rectangle(middle(0.2), middle(0.4)), TILE, 0)!;
  expect(kind).toBe(3);
  expect(paths.map(path => Math.sign(area(path)))).toEqual([1, -1]);
});

it('leaves out a hole whose shell is too small to be seen, and what lies elsewhere', () => {
  const tiny = 1e-9;
  expect(shapeIn(rectangle([WEST, SOUTH, WEST + tiny, SOUTH + tiny]), TILE, 0)).toBeNull();
  expect(shapeIn(rectangle([WEST - 1, SOUTH - 1, WEST - 0.9, SOUTH - 0.9]), TILE, 0)).toBeNull();
  expect(shapeIn(point(WEST - 1, SOUTH), TILE, 0)).toBeNull();
});

it('cuts a line that leaves the tile and comes back into pieces', () => {
  const y = (SOUTH + NORTH) / 2;
  const out = EAST + WIDTH / 2;
  const shape = shapeIn(line([WEST, y], [out, y], [out, y + HEIGHT / 8], [WEST, y + HEIGHT / 8]), TILE, 0)!;
  expect(shape.kind).toBe(2);
  expect(shape.paths.map(path => path.length)).toEqual([2, 2]);
});

it('knows the grid', () => {
  expect([isTile({ z: 0, x: 0, y: 0 }), isTile({ z: 1, x: 1, y: 1 }), isTile({ z: 1, x: 2, y: 0 })]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isTile({ z: 2, x: -1, y: 0 })).toBe(false);
});

it('draws what is near of a large polygon as if all of it were drawn', () => {
  const around = (lng: number, lat: number, reach: number, count: number): Position[] =>
    Array.from({ length: count + 1 }, (_, i): Position => {
      const angle = (2 * Math.PI * (i % count)) / count;
      return [lng + reach * WIDTH * Math.cos(angle), lat + reach * HEIGHT * Math.sin(angle)];
    });
  const [lng, lat] = [(WEST + EAST) / 2, (SOUTH + NORTH) / 2];
  // Two holes in the tile, and 3,000 beyond.
  const holes = Array.from({ length: 3002 }, (_, i) =>
    around(
      i < 2 ? lng + (i - 0.5) * 0.3 * WIDTH : lng + (2 + (i % 30) * 0.1) * WIDTH,
      lat + Math.floor(i / 30) * 0.02 * HEIGHT * (i < 2 ? 0 : 1),
      0.04,
      8,
    ),
  );
  const shell = around(lng + 4.7 * WIDTH, lat, 5, 20_000);
  const rings = [shell, ...holes];
  let vertices = 0;
  const shape = shapeIn(
    {
      type: 'Polygon',
      xy: Float64Array.from(rings.flat(2)),
      ends: Uint32Array.from(rings, ring => (vertices += ring.length)),
      parts: Uint32Array.of(rings.length),
    },
    TILE,
    0,
  )!;
  expect(shape.paths).toHaveLength(3);
  const clipped = bboxClip(polygon([shell, ...holes.slice(0, 2)]), [WEST, SOUTH, EAST, NORTH]).geometry.coordinates as [
    number,
    number,
  ][][];
  for (const [i, ring] of clipped.entries()) {
    const theirs = Math.abs(area(ring)) / (WIDTH * HEIGHT);
    expect(Math.abs(Math.abs(area(shape.paths[i]!)) / (EXTENT + 2 * BUFFER) ** 2 - theirs)).toBeLessThan(0.002);
  }
});
