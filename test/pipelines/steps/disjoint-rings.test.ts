import { describe, expect, it } from 'vitest';
import { provesValid } from '../../../pipelines/steps/disjoint-rings.ts';
import { loadGeos, polygonsToGeometry } from '../../../query/geometry/geos.ts';

const geos = await loadGeos();

/** Park and Miller's minimal standard generator, 0..1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A closed ring of `count` vertices drawn by `draw`. */
function ring(count: number, draw: () => number): Float64Array {
  const points = Array.from({ length: 2 * count }, draw);
  return Float64Array.from([...points, points[0]!, points[1]!]);
}

/** A star-shaped ring: simple for any radii. */
function star(count: number, radius: (i: number) => number): Float64Array {
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const r = radius(i);
    points.push(r * Math.cos(angle), r * Math.sin(angle));
  }
  return Float64Array.from([...points, points[0]!, points[1]!]);
}

const square = (x: number, y: number, side: number) =>
  Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side, x, y);

describe('provesValid', () => {
  it('never affirms what GEOS denies, on a coarse grid full of touching and crossing rings and in general position', () => {
    const random = generator(20_261_120);
    let proven = 0;
    let valid = 0;
    for (let k = 0; k < 20_000; k++) {
      const draw = k % 3 === 0 ? () => random() * 6 : () => Math.floor(random() * 7);
      const some = () => ring(3 + Math.floor(random() * 4), draw);
      const geometry = polygonsToGeometry(
        [
          () => [[some()]],
          () => [[some(), some()]],
          () => [[some()], [some()]],
          () => [[square(-1, -1, 9), some(), some()], [some()]],
        ][k % 4]!(),
      );
      const reason = geos.invalidReason(geometry);
      if (reason === null) valid++;
      if (!provesValid(geometry)) continue;
      proven++;
      expect(reason, JSON.stringify([...geometry.xy])).toBe(null);
    }
    expect(proven).toBeGreaterThan(0.8 * valid);
    expect(valid).toBeGreaterThan(2000);
  });

  it('proves long rings, and finds the one pair of segments that crosses', () => {
    const random = generator(7);
    for (const count of [9, 65, 513, 5000]) {
      const xy = star(count, () => 1 + random());
      expect(provesValid(polygonsToGeometry([[xy]]))).toBe(true);
      const crossed = xy.slice();
      const at = 2 * Math.floor(count / 2);
      // A vertex thrown beyond the other side.
      crossed[at] = -crossed[at]! * 3;
      crossed[at + 1] = -crossed[at + 1]! * 3;
      expect(provesValid(polygonsToGeometry([[crossed]]))).toBe(false);
      expect(geos.invalidReason(polygonsToGeometry([[crossed]]))).not.toBe(null);
    }
  });

  it('knows how rings must lie', () => {
    const proves = (polygons: Float64Array[][]) => provesValid(polygonsToGeometry(polygons));
    expect(proves([[square(0, 0, 10), square(1, 1, 2), square(5, 5, 2)]])).toBe(true);
    expect(proves([[square(0, 0, 10), square(11, 1, 2)]])).toBe(false);
    expect(proves([[square(0, 0, 10), square(1, 1, 8), square(3, 3, 2)]])).toBe(false);
    expect(proves([[square(0, 0, 10), square(1, 1, 8)], [square(3, 3, 2)]])).toBe(true);
    expect(proves([[square(0, 0, 10)], [square(3, 3, 2)]])).toBe(false);
    expect(proves([[square(3, 3, 2)], [square(0, 0, 10)]])).toBe(false);
  });

  it('leaves to GEOS what touches, repeats, runs back or is open', () => {
    const proves = (...points: number[]) => provesValid(polygonsToGeometry([[Float64Array.from(points)]]));
    expect(proves(0, 0, 4, 0, 4, 4, 4, 4, 0, 4, 0, 0)).toBe(false);
    expect(proves(0, 0, 4, 0, 6, 0, 4, 0, 4, 4, 0, 0)).toBe(false);
    expect(proves(0, 0, 4, 0, 4, 4, 2, 0, 0, 4, 0, 0)).toBe(false);
    expect(proves(0, 0, 4, 0, 4, 4, 0, 4)).toBe(false);
    expect(proves(0, 0, 4, 0, 0, 0)).toBe(false);
    expect(proves(0, 0, 4, 0, 4, 4, 0, 4, 0, 0)).toBe(true);
  });
});
