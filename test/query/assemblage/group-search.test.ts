import { expect, it } from 'vitest';
import { GroupSearch } from '../../../query/assemblage/group-search.ts';
import type { Land } from '../../../query/assemblage/land.ts';
import { randomOf } from '../star.ts';
import { everyGroup, type PlainLand } from './every-group.ts';

/** Pieces on a grid with some of its edges, some diagonals, owners and sizes at random. */
function randomLand(seed: number, width: number, height: number): PlainLand {
  const random = randomOf(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const n = width * height;
  const pairs: [number, number][] = [];
  for (let i = 0; i < n; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x + 1 < width && random() < 0.8) pairs.push([i, i + 1]);
    if (y + 1 < height && random() < 0.8) pairs.push([i, i + width]);
    if (x + 1 < width && y + 1 < height && random() < 0.3) pairs.push([i, i + width + 1]);
  }
  const isPair = (a: number, b: number) => pairs.some(([p, q]) => p === a && q === b);
  const clashes: [number, number][] = [];
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) if (!isPair(a, b) && random() < 0.03) clashes.push([a, b]);
  return {
    sizes: Array.from({ length: n }, () => 1 + whole(20)),
    parcels: Array.from({ length: n }, () => (random() < 0.8 ? 1 : 1 + whole(4))),
    owners: Array.from({ length: n }, () => (random() < 0.9 ? [whole(5)] : [...new Set([whole(5), whole(5)])])),
    ...{ beside: pairs, clashes },
  };
}

function landOf({ sizes, parcels, owners, beside, clashes }: PlainLand): Land {
  const lists = sizes.map((_, i) =>
    beside.flatMap(([a, b]) => (a === i ? [b] : b === i ? [a] : [])).sort((a, b) => a - b),
  );
  const starts = new Uint32Array(sizes.length + 1);
  for (const [i, list] of lists.entries()) starts[i + 1] = starts[i]! + list.length;
  const both = clashes.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  const byPiece = Map.groupBy(both, ([a]) => a);
  return {
    ...{ sizes: Float64Array.from(sizes), parcels: Uint8Array.from(parcels), owners, starts },
    beside: Uint32Array.from(lists.flat()),
    clashes: new Map([...byPiece].map(([a, list]) => [a, new Set(list.map(([, b]) => b))])),
  };
}

it('finds the groups that trying every set finds, in their order', () => {
  let groups = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const plain = randomLand(seed, 4, 3);
    const land = landOf(plain);
    const n = plain.sizes.length;
    for (const fixed of [null, seed % n]) {
      const rule = { size: 15 + (seed % 50), owners: seed % 3 ? (seed % 4) + 1 : null, parcels: 4 + (seed % 9) };
      const expected = everyGroup(plain, { ...rule, fixed });
      for (const limit of [3, 1_000]) {
        const search = new GroupSearch(rule.owners === null ? { ...land, owners: null } : land, rule, limit);
        if (fixed === null) for (let piece = 0; piece < n; piece++) search.from(piece, 1e9);
        else search.from(fixed, 1e9, true);
        expect(search.groups).toEqual(expected.slice(0, limit));
        expect(search.cut).toBe(0);
      }
      groups += expected.length;
    }
  }
  expect(groups).toBeGreaterThan(500);
});

it('ends after so many steps, and says so; what it found is right', () => {
  const plain = randomLand(7, 4, 4);
  const rule = { size: 60, owners: null, parcels: 12 };
  const search = new GroupSearch(landOf(plain), rule, 10);
  let tried = 0;
  for (let piece = 0; piece < 16; piece++) {
    const steps = search.from(piece, 20);
    expect(steps).toBeLessThanOrEqual(20);
    tried += steps;
  }
  expect(tried).toBeGreaterThan(0);
  expect(search.cut).toBeGreaterThan(0);
  const all = everyGroup(plain, { ...rule, fixed: null }).map(group => JSON.stringify(group));
  for (const group of search.groups) expect(all).toContain(JSON.stringify(group));
});
