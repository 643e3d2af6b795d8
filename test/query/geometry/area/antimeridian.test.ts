import { expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../../datasets/geometry.ts';
import { judge } from '../../../../pipelines/steps/validity.ts';
import { boxesApart } from '../../../../query/geometry/area/antimeridian.ts';
import { loadGeos, polygonsToGeometry, ringsOf } from '../../../../query/geometry/geos.ts';

const polygon = (...rings: number[][]): Geometry => polygonsToGeometry([rings.map(r => Float64Array.from(r))]);
const NONE = new Uint32Array(0);
const judged = async (geometry: Geometry, kind: 'polygon' | 'line' = 'polygon') =>
  judge(geometry, kind, await loadGeos());
const boxesOf = (geometry: Geometry) =>
  ringsOf(geometry)
    .map(([shell]) => [...boxOf(polygonsToGeometry([[shell!]]))])
    .sort((a, b) => a[0]! - b[0]!);

const CROSSING = [179, 51, -179, 51, -179, 52, 179, 52, 179, 51];
// What `ogr2ogr -wrapdateline -datelineoffset 10` makes of it: POLYGON ((180 51,179 51,…)) and POLYGON ((-180 52,…)).
const CUT = [
  [-180, 51, -179, 52],
  [179, 51, 180, 52],
];

it('a polygon that goes over 180° is cut there, holes with it', async () => {
  const verdict = await judged(polygon(CROSSING));
  expect(verdict).toMatchObject({ kind: 'repaired', reason: expect.stringContaining('-wrapdateline') });
  if (verdict.kind === 'rejected') throw new Error(verdict.reason);
  expect(boxesOf(verdict.geometry)).toEqual(CUT);
  expect(boxesApart(verdict.geometry, boxOf(verdict.geometry))).toEqual(CUT);
  const holed = await judged(polygon(CROSSING, [-179.8, 51.4, -179.8, 51.6, -179.6, 51.6, -179.6, 51.4, -179.8, 51.4]));
  if (holed.kind === 'rejected') throw new Error(holed.reason);
  const east = ringsOf(holed.geometry).find(rings => rings.length === 2)!;
  expect(boxOf(polygonsToGeometry([[east[1]!]]))).toEqual([-179.8, 51.4, -179.6, 51.6]);
});

it('a line that goes over 180° is cut there', async () => {
  const xy = Float64Array.of(178, 50, 179, 51, -179, 53, -178, 53);
  const verdict = await judged({ type: 'LineString', xy, ends: Uint32Array.of(4), parts: NONE }, 'line');
  expect(verdict).toMatchObject({ kind: 'repaired', geometry: { type: 'MultiLineString' } });
  if (verdict.kind === 'rejected') throw new Error(verdict.reason);
  expect([...verdict.geometry.xy]).toEqual([178, 50, 179, 51, 180, 52, -180, 52, -179, 53, -178, 53]);
  expect([...verdict.geometry.ends]).toEqual([3, 6]);
});

it('a ring around a pole has no inside in degrees, and one along all of a parallel is what it says', async () => {
  expect(await judged(polygon([0, 80, 120, 80, -120, 80, 0, 80]))).toMatchObject({
    kind: 'rejected',
    reason: expect.stringContaining('around a pole'),
  });
  expect(await judged(polygon([-180, -90, 180, -90, 180, 90, -180, 90, -180, -90]))).toMatchObject({ kind: 'valid' });
});

it('what reaches across 0° has one box', () => {
  const wide = polygon([-100, 40, 100, 40, 100, 41, -100, 41, -100, 40]);
  expect(boxesApart(wide, boxOf(wide))).toEqual([[-100, 40, 100, 41]]);
});
