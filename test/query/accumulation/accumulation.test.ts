import geographiclib from 'geographiclib-geodesic';
import { expect, it } from 'vitest';
import { accumulate } from '../../../query/accumulation/accumulation.ts';
import { randomOf } from '../star.ts';

const { WGS84 } = geographiclib.Geodesic;
const RUNNING = { stopped: () => false };

/** Sums about each point by looking at every other one. */
function plainSums(lngLat: Float64Array, values: Float64Array, metres: number) {
  const n = values.length;
  const sums = Array.from({ length: n }, (_, i) => {
    let [sum, points] = [0, 0];
    for (let j = 0; j < n; j++) {
      if (Number.isNaN(values[j]!)) continue;
      const { s12 } = WGS84.Inverse(lngLat[2 * i + 1]!, lngLat[2 * i]!, lngLat[2 * j + 1]!, lngLat[2 * j]!);
      if (s12! > metres) continue;
      sum += values[j]!;
      points++;
    }
    return { sum, points };
  });
  return sums;
}

it.each([
  ['a town', 400, 0.02, [1, 50, 500, 5_000]],
  ['a state', 400, 4, [1_000, 30_000, 100_000]],
])('the sums about each point of %s are those of every pair', async (_, n, degrees, radii) => {
  const random = randomOf(n + degrees);
  const lngLat = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 ? 44 : -70) + degrees * random());
  // Some stand in one place, some have no value.
  for (let i = 0; i < 40; i++) lngLat.copyWithin(2 * (n - 1 - i), 0, 2);
  const values = Float64Array.from({ length: n }, () => (random() < 0.1 ? Number.NaN : Math.round(1e6 * random())));
  for (const metres of radii) {
    const circles = await accumulate({ lngLat, values, metres, limit: 300 }, RUNNING);
    const all = plainSums(lngLat, values, metres).map((one, row) => ({ row, ...one }));
    const largest = all.toSorted((a, b) => b.sum - a.sum || a.row - b.row).slice(0, 300);
    expect([...circles.rows]).toEqual(largest.map(({ row }) => row));
    expect([...circles.points]).toEqual(largest.map(one => one.points));
    // Whole numbers: their sums are exact.
    expect([...circles.sums]).toEqual(largest.map(one => one.sum));
  }
});

it('points right at the radius are in, a millimetre beyond it they are out, across the antimeridian and near a pole too', async () => {
  for (const [lng, lat] of [
    [-68, 45],
    [179.99999, 52],
    [-150, 71.3],
  ] as const)
    for (const metres of [10, 3_000, 100_000]) {
      const at = (azimuth: number, far: number) => {
        const { lat2, lon2 } = WGS84.Direct(lat, lng, azimuth, far);
        return [lon2!, lat2!];
      };
      const azimuths = Array.from({ length: 24 }, (_, i) => i * 15);
      const inside = azimuths.flatMap(azimuth => at(azimuth, metres - 1e-3));
      const outside = azimuths.flatMap(azimuth => at(azimuth, metres + 1e-3));
      const lngLat = Float64Array.of(lng, lat, ...inside, ...outside);
      const values = new Float64Array(lngLat.length / 2).fill(1);
      const { rows, points } = await accumulate({ lngLat, values, metres, limit: values.length }, RUNNING);
      expect(points[rows.indexOf(0)]).toBe(1 + azimuths.length);
    }
});

it('nothing and points without values have no sums', async () => {
  const none = { lngLat: new Float64Array(0), values: new Float64Array(0), metres: 10, limit: 5 };
  expect((await accumulate(none, RUNNING)).sums).toHaveLength(0);
  const two = { lngLat: Float64Array.of(0, 0, 0, 0), values: Float64Array.of(Number.NaN, 3), metres: 10, limit: 5 };
  expect([...(await accumulate(two, RUNNING)).sums]).toEqual([3, 3]);
  await expect(accumulate(two, { stopped: () => true })).rejects.toThrow('nobody waits');
});
