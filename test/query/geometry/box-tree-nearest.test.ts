import { describe, expect, test } from 'vitest';
import { type Box, boxOf } from '../../../datasets/geometry.ts';
import { type BoxTree, nearest, within } from '../../../query/geometry/box-tree-nearest.ts';
import { distanceTo } from '../../../query/geometry/feature-distance.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { byDistance, type Feature } from '../../oracle/features.ts';
import { pointAt } from '../../oracle/geodesic.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { randomOf, starOf } from '../star.ts';

/** A packed tree in the numbering of FlatGeobuf: root 0, level by level, leaves last. */
class Tree implements BoxTree {
  readonly nodeCount: number;
  readonly boxes: Float64Array;
  readonly features: readonly Feature[];
  readonly #firstLeaf: number;
  readonly #first: number[] = [];
  constructor(features: readonly Feature[], nodeSize = 4) {
    this.features = features;
    const levels: Box[][] = [features.map(f => boxOf(f.geometry))];
    while (levels[0]!.length > 1) {
      const below = levels[0]!;
      const level: Box[] = [];
      for (let i = 0; i < below.length; i += nodeSize) level.push(union(below.slice(i, i + nodeSize)));
      levels.unshift(level);
    }
    const all = levels.flat();
    this.nodeCount = all.length;
    this.boxes = Float64Array.from(all.flat());
    this.#firstLeaf = all.length - features.length;
    let start = 0;
    for (const level of levels.slice(0, -1)) {
      level.forEach((_, i) => {
        this.#first.push(start + level.length + i * nodeSize);
      });
      start += level.length;
    }
    this.#first.push(this.nodeCount);
  }
  isLeaf = (node: number) => node >= this.#firstLeaf;
  featureOf = (leaf: number) => leaf - this.#firstLeaf;
  childOf = (node: number) => this.#first[node]!;
  childEnd = (node: number) => (node + 1 < this.#firstLeaf ? this.#first[node + 1]! : this.nodeCount);
}

const union = (boxes: Box[]): Box => [
  Math.min(...boxes.map(b => b[0])),
  Math.min(...boxes.map(b => b[1])),
  Math.max(...boxes.map(b => b[2])),
  Math.max(...boxes.map(b => b[3])),
];

function find(trees: Tree[], lng: number, lat: number, max: number, accept = (_: Feature) => true) {
  const found = nearest(
    trees,
    lng,
    lat,
    max,
    (tree, i) => accept(tree.features[i]!),
    (tree, i, limit) => distanceTo(tree.features[i]!.geometry, lng, lat, limit),
    (tree, i) => tree.features[i]!.key,
  );
  return found && { key: found.tree.features[found.feature]!.key, metres: found.metres };
}

const point = (key: string, lng: number, lat: number): Feature => ({
  key,
  geometry: fromGeoJSON({ type: 'Point', coordinates: [lng, lat] }),
});
const square = (key: string, west: number, south: number, size: number): Feature => ({
  key,
  geometry: fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + size, south],
        [west + size, south + size],
        [west, south + size],
        [west, south],
      ],
    ],
  }),
});

/** Each is measured to every feature by brute force, which takes 0.1 s. */
const POINTS = process.env.PLAT_TEST === 'long' ? 25 : 5;

describe('nearest', () => {
  test.each([
    ['Bangor', -68.77, 44.8],
    ['Utqiagvik', -156.8, 72],
    ['the antimeridian', 180, 52],
  ])(
    'agrees with brute force over partitions about %s',
    (_, lng, lat) => {
      const random = randomOf(lat * 100);
      const features: Feature[] = [];
      for (let i = 0; i < 300; i++) {
        const [x, y] = [wrap(lng + random() - 0.5), lat + random() - 0.5];
        if (i % 3) features.push(point(`p${i}`, x, y));
        else features.push({ key: `s${i}`, geometry: starOf(i + 1, 3, clamp(x), y, 0.01).geometry });
      }
      const trees = [0, 1, 2].map(n => new Tree(features.filter((_f, i) => i % 3 === n)));
      for (let i = 0; i < POINTS; i++) {
        const [x, y] = [wrap(lng + random() - 0.5), lat + random() - 0.5];
        const [expected] = byDistance(features, x, y, 8);
        const found = find(trees, x, y, 100_000);
        expect(found?.key).toBe(expected!.feature.key);
        expect(Math.abs(found!.metres - expected!.metres)).toBeLessThan(0.1);
        if (expected!.metres > 1) expect(find(trees, x, y, expected!.metres - 0.5)).toBeNull();
      }
    },
    30_000,
  );

  test('the nearest beyond a partition edge, though the point lies in the other partition', () => {
    const west = new Tree([point('far', -69, 44), point('west', -68.3, 44)]);
    const east = new Tree([point('east', -67.99, 44), point('off', -67, 44)]);
    expect(find([west, east], -68.01, 44, 1e6)?.key).toBe('east');
    expect(find([east, west], -68.2, 44, 1e6)?.key).toBe('west');
  });

  test('across the antimeridian', () => {
    const tree = new Tree([point('same side', 179, 52), point('other side', -179.9, 52)]);
    expect(find([tree], 179.9, 52, 1e6)?.key).toBe('other side');
  });

  test('equal distances go to the smaller key as text, in any order of trees and features', () => {
    const shapes = [
      square('9', -69, 44, 1),
      square('10', -68, 44, 1),
      square('b', -69, 43, 1),
      square('a', -68, 43, 1),
    ];
    for (const order of [shapes, [...shapes].reverse(), [shapes[2]!, shapes[0]!, shapes[3]!, shapes[1]!]]) {
      expect(find([new Tree(order)], -68, 44, 1000)).toEqual({ key: '10', metres: 0 });
      expect(find([new Tree(order.slice(0, 2)), new Tree(order.slice(2))], -68, 44, 1000)?.key).toBe('10');
      // Beside the edge that 9 and b share with nobody nearer: both end at the corner -69,44.
      expect(find([new Tree(order)], -69.1, 44, 100_000)?.key).toBe('9');
    }
  });

  test('a feature nearer by more than the tie wins against a smaller key, one nearer by less does not', () => {
    const metres = (m: number) => m / distance(0, 0, 0, 1);
    const pair = (gap: number) => new Tree([point('b', 0, metres(10)), point('a', 0, -metres(10 + gap))]);
    expect(find([pair(1e-5)], 0, 0, 1000)?.key).toBe('b');
    expect(find([pair(1e-8)], 0, 0, 1000)?.key).toBe('a');
  });

  test('leaves out what is not accepted, and finds nothing in an empty tree', () => {
    const tree = new Tree([point('a', 0, 0), point('b', 1, 0)]);
    expect(find([tree], 0, 0, 1e6, f => f.key !== 'a')?.key).toBe('b');
    expect(find([tree], 0, 0, 1e6, () => false)).toBeNull();
    expect(find([new Tree([])], 0, 0, 1e6)).toBeNull();
    expect(find([], 0, 0, 1e6)).toBeNull();
  });

  test('reads few features of many', () => {
    const random = randomOf(3);
    const places = Array.from({ length: 2000 }, () => [random(), 44 + random()] as const).sort((a, b) => a[0] - b[0]);
    const tree = new Tree(places.map(([x, y], i) => point(`${i}`, x, y)));
    let measured = 0;
    nearest(
      [tree],
      0.5,
      44.5,
      1e6,
      () => true,
      (t, i, limit) => {
        measured++;
        return distanceTo(t.features[i]!.geometry, 0.5, 44.5, limit);
      },
      () => '',
    );
    expect(measured).toBeLessThan(20);
  });

  test('asks every 256 nodes whether to go on, and stops when that throws', () => {
    const tree = new Tree(Array.from({ length: 2000 }, (_, i) => point(`${i}`, i / 2000, 0)));
    let asked = 0;
    const all = (stop: number) =>
      within(
        [tree],
        0,
        0,
        1e6,
        () => true,
        () => {
          if (++asked === stop) throw new Error('deadline');
        },
      );
    all(Infinity);
    expect(asked).toBe(Math.floor(tree.nodeCount / 256));
    asked = 0;
    expect(() => all(2)).toThrow('deadline');
    expect(asked).toBe(2);
  });
});

describe('within', () => {
  test('visits every feature that is so near, nearest boxes first', () => {
    const random = randomOf(8);
    for (const [lng, lat] of [
      [-68, 44],
      [179.9, 52],
      [-156, 72],
    ] as const) {
      const features = Array.from({ length: 400 }, (_, i) =>
        point(`${i}`, wrap(lng + random() - 0.5), lat + random() - 0.5),
      );
      const seen: string[] = [];
      within([new Tree(features.slice(0, 99)), new Tree(features.slice(99))], lng, lat, 20_000, (tree, i) => {
        seen.push(tree.features[i]!.key);
      });
      const expected = byDistance(features, lng, lat)
        .filter(f => f.metres <= 20_000)
        .map(f => f.feature.key);
      expect(expected.length).toBeGreaterThan(30);
      expect(seen).toEqual(expect.arrayContaining(expected));
      expect(seen.length).toBeLessThan(expected.length * 1.1);
    }
  });

  test('with no distance: the boxes that hold the point, on either side of the antimeridian', () => {
    const tree = new Tree([square('west', 179, 51, 1), square('east', -180, 51, 1), square('off', -170, 51, 1)]);
    const seen: string[] = [];
    within([tree], 180, 51.5, 0, (t, i) => {
      seen.push(t.features[i]!.key);
    });
    expect(seen.sort()).toEqual(['east', 'west']);
  });

  test('ends when the visitor says so', () => {
    const tree = new Tree([point('a', 0, 0), point('b', 0.1, 0), point('c', 0.2, 0)]);
    const seen: number[] = [];
    within([tree], 0, 0, 1e6, (_, i) => {
      seen.push(i);
      return seen.length < 2;
    });
    expect(seen).toEqual([0, 1]);
  });
});

/** Points may lie on either side of the antimeridian, in [-180, 180]. */
function wrap(lng: number): number {
  return lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng;
}

/** Stars must not cross it. */
function clamp(lng: number): number {
  return Math.sign(lng) * Math.min(Math.abs(lng), 179.98);
}

test('a point that many metres away is found at that distance', () => {
  const [x, y] = pointAt(-68, 44, 30, 12_345);
  expect(find([new Tree([point('a', x, y)])], -68, 44, 20_000)?.metres).toBeCloseTo(12_345, 6);
});
