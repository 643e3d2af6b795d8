import { beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { Dissolve } from '../../../pipelines/steps/dissolve.ts';
import { judge } from '../../../pipelines/steps/validity.ts';
import { type GeosPolygons, loadGeos, polygonsToGeometry, ringsOf } from '../../../query/geometry/geos.ts';

let geos: GeosPolygons;
beforeAll(async () => {
  geos = await loadGeos();
});

const polygon = (...rings: number[][]): Geometry => polygonsToGeometry([rings.map(r => Float64Array.from(r))]);
const multi = (...shells: number[][]): Geometry => polygonsToGeometry(shells.map(r => [Float64Array.from(r)]));
const line = (...xy: number[]): Geometry => ({
  type: 'LineString',
  xy: Float64Array.from(xy),
  ends: Uint32Array.of(xy.length / 2),
  parts: new Uint32Array(),
});
const SQUARE = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0];

/** Shoelace area in square degrees, holes subtracted: independent of the code under test. */
function area(geometry: Geometry): number {
  let total = 0;
  for (const rings of ringsOf(geometry))
    for (const [i, r] of rings.entries()) {
      let sum = 0;
      for (let k = 0; k + 3 < r.length; k += 2) sum += r[k]! * r[k + 3]! - r[k + 2]! * r[k + 1]!;
      total += (Math.abs(sum) / 2) * (i === 0 ? 1 : -1);
    }
  return total;
}

const repaired = (geometry: Geometry) => {
  const verdict = judge(geometry, 'polygon', geos);
  if (verdict.kind !== 'repaired') throw new Error(`${verdict.kind}: ${'reason' in verdict ? verdict.reason : ''}`);
  expect(geos.invalidReason(verdict.geometry)).toBeNull();
  return verdict;
};

describe('a valid geometry', () => {
  it('is kept as it is, object and all', () => {
    for (const geometry of [
      polygon(SQUARE),
      polygon(SQUARE, [0.2, 0.2, 0.4, 0.2, 0.4, 0.4, 0.2, 0.2]),
      // A hole may touch its shell, and parts may touch, at one point.
      polygon(SQUARE, [0, 0, 0.4, 0.2, 0.2, 0.4, 0, 0]),
      multi(SQUARE, [1, 1, 2, 1, 2, 2, 1, 2, 1, 1]),
    ]) {
      const verdict = judge(geometry, 'polygon', geos);
      expect(verdict).toEqual({ kind: 'valid', geometry });
      expect(verdict.kind === 'valid' && verdict.geometry).toBe(geometry);
    }
  });
});

describe('a certain repair', () => {
  it('closes an open ring', () => {
    const { geometry, reason } = repaired(polygon([0, 0, 1, 0, 1, 1, 0, 1]));
    expect([...geometry.xy]).toEqual(SQUARE);
    expect(reason).toContain('unclosed');
  });

  it('removes a spike without area, and those it hides', () => {
    const { geometry } = repaired(polygon([0, 0, 1, 0, 1, 1, 1, 3, 1, 2, 1, 1, 0, 1, 0, 0]));
    expect(area(geometry)).toBe(1);
    expect(Math.max(...geometry.xy)).toBe(1);
  });

  it('restructures a ring that encloses its own hole from inside one point', () => {
    // The shell runs into the point 1,1 and round an inner square the other way: an inverted shell.
    const { geometry, reason } = repaired(polygon([0, 0, 2, 0, 2, 2, 1, 2, 1.5, 1, 0.5, 1, 1, 2, 0, 2, 0, 0]));
    expect(area(geometry)).toBeCloseTo(4 - 0.5, 12);
    expect(geometry.ends.length).toBe(2);
    expect(reason).toMatch(/^Ring Self-intersection\[1 2\]/);
  });

  it('separates two parts that share an edge into one polygon of the same area', () => {
    const { geometry } = repaired(multi(SQUARE, [1, 0, 2, 0, 2, 1, 1, 1, 1, 0]));
    expect(geometry.type).toBe('Polygon');
    expect(area(geometry)).toBeCloseTo(2, 12);
  });
});

/** A lot of 40 by 25 m near Bangor whose last corners are swapped: their edges cross `depth` metres from its east side. */
const M = 1 / 111_195;
const swapped = (depth: number) => {
  const at = (x: number, y: number) => [-68.77 + (x * M) / Math.cos((44.8 * Math.PI) / 180), 44.8 + y * M];
  return polygon([
    ...at(0, 0),
    ...at(40 - depth, 0),
    ...at(40, 12),
    ...at(40, 10),
    ...at(40 - depth, 25),
    ...at(0, 25),
    ...at(0, 0),
  ]);
};

describe('a crossing that leaves no doubt about what is meant', () => {
  it('is made valid, and both areas are told', () => {
    const { geometry, reason, readings } = repaired(swapped(2));
    expect(reason).toMatch(/^Self-intersection\[.*: crossing rings made valid, what is meant is certain$/);
    const { evenOdd, nonZero, wound } = readings!;
    expect(evenOdd).toBeCloseTo(nonZero, 6);
    expect(evenOdd - wound).toBeGreaterThan(0.01);
    expect(evenOdd - wound).toBeLessThan(10);
    expect(area(geometry) / area(swapped(2))).toBeCloseTo(evenOdd / wound, 5);
  });

  it('drops parts and holes without area', () => {
    const { geometry } = repaired(
      polygonsToGeometry([
        [Float64Array.from(SQUARE), Float64Array.of(0.2, 0.2, 0.4, 0.4, 0.2, 0.2, 0.2, 0.2)],
        [Float64Array.of(2, 2, 3, 3, 2, 2, 2, 2)],
      ]),
    );
    expect([...geometry.xy]).toEqual(SQUARE);
  });
});

describe('what nobody can repair with certainty is rejected with reason and place', () => {
  const cases: [string, Geometry, RegExp][] = [
    ['a bow-tie', polygon([0, 0, 1, 1, 1, 0, 0, 1, 0, 0]), /^Self-intersection\[0\.5 0\.5\]/],
    // The same figure with the inner square walked the same way round: is it covered twice, or a hole?
    [
      'a loop inside walked the same way',
      polygon([0, 0, 2, 0, 2, 2, 1, 2, 0.5, 1, 1.5, 1, 1, 2, 0, 2, 0, 0]),
      /^Ring Self-intersection\[1 2\]/,
    ],
    // By even-odd the 3 % that are covered twice are a hole.
    [
      'parts that overlap by more than a hundredth',
      multi(SQUARE, [0.97, 0, 2, 0, 2, 1, 0.97, 1, 0.97, 0]),
      /^Self-intersection\[/,
    ],
    ['overlapping parts', multi(SQUARE, [0.5, 0, 2, 0, 2, 1, 0.5, 1, 0.5, 0]), /^Self-intersection\[/],
    ['a hole outside its shell', polygon(SQUARE, [2, 2, 3, 2, 3, 3, 2, 2]), /^Hole lies outside shell\[/],
    ['nested shells', multi(SQUARE, [0.2, 0.2, 0.4, 0.2, 0.4, 0.4, 0.2, 0.2]), /^Nested shells\[/],
    ['a ring walked twice', polygon([...SQUARE, ...SQUARE.slice(2)]), /^Self-intersection|^Ring Self-intersection/],
    ['a shell without area', polygon([0, 0, 1, 1, 0, 0, 0, 0]), /a shell has no area$/],
    ['a latitude of 91', polygon([0, 90, 1, 90, 1, 91, 0, 90]), /^coordinate 1 91 lies outside/],
    ['a coordinate that is no number', polygon([0, 0, NaN, 0, 1, 1, 0, 0]), /^coordinate NaN 0 lies outside/],
    ['a line', line(0, 0, 1, 1), /^LineString in a layer of polygons$/],
    ['nothing', polygonsToGeometry([]), /^empty geometry$/],
  ];
  for (const [name, geometry, reason] of cases)
    it(name, () => {
      expect(judge(geometry, 'polygon', geos)).toMatchObject({
        kind: 'rejected',
        reason: expect.stringMatching(reason),
      });
    });

  it('a line of one point, but not one that comes back to its start', () => {
    expect(judge(line(1, 1, 1, 1), 'line', geos).kind).toBe('rejected');
    expect(judge(line(1, 1, 2, 2, 1, 1), 'line', geos).kind).toBe('valid');
  });
});

describe('dissolve', () => {
  it('unites by key, keeps what the rows agree on, and drops inner edges without moving a vertex', () => {
    const dissolve = new Dissolve('tract');
    const rows = [
      { properties: { tract: 'b', state: 'ME', block: '1' }, geometry: polygon(SQUARE) },
      { properties: { tract: 'a', state: 'ME', block: '2' }, geometry: polygon([5, 5, 6, 5, 6, 6, 5, 5]) },
      { properties: { tract: 'b', state: 'ME', block: '3' }, geometry: polygon([1, 0, 2, 0, 2, 1, 1, 1, 1, 0]) },
    ];
    for (const row of rows) expect(dissolve.add(row)).toBe(true);
    expect(dissolve.add({ properties: { tract: null, state: 'ME', block: '4' }, geometry: polygon(SQUARE) })).toBe(
      false,
    );
    const [a, b] = [...dissolve.rows(geos)];
    expect(a!.properties).toEqual({ tract: 'a', state: 'ME', block: '2' });
    expect(b!.properties).toEqual({ tract: 'b', state: 'ME', block: null });
    expect(area(b!.geometry!)).toBe(2);
    expect(b!.geometry!.type).toBe('Polygon');
    for (const v of b!.geometry!.xy) expect([0, 1, 2]).toContain(v);
  });
});

describe('longitudes beyond 180°', () => {
  const box = (west: number, east: number) => polygon([west, 52, east, 52, east, 53, west, 53, west, 52]);
  const west = ({ xy }: Geometry) => Math.min(...xy.filter((_, i) => i % 2 === 0));
  const east = ({ xy }: Geometry) => Math.max(...xy.filter((_, i) => i % 2 === 0));

  // Expected: ogr2ogr -wrapdateline of GDAL 3.6.
  it.each([
    ['cut', box(179.5, 180.5), 2, [-180, 180]],
    ['cut', box(-180.5, -179.5), 2, [-180, 180]],
    ['turned', box(200, 200.5), 1, [-160, -159.5]],
    ['turned', box(-181, -180.5), 1, [179, 179.5]],
    ['turned', box(180, 181), 1, [-180, -179]],
  ] as const)('a polygon is %s: %#', (how, geometry, parts, [from, to]) => {
    const verdict = repaired(geometry);
    expect(verdict.reason).toContain(how === 'cut' ? 'cut there' : 'turned by 360°');
    expect([verdict.geometry.parts.length, west(verdict.geometry), east(verdict.geometry)]).toEqual([parts, from, to]);
    expect(area(verdict.geometry)).toBeCloseTo(area(geometry), 9);
  });

  it('lines and points are cut and turned too', () => {
    const lineOf = (...xy: number[]) => judge(line(...xy), 'line', geos);
    expect(lineOf(179, 52, 181, 54)).toMatchObject({
      kind: 'repaired',
      geometry: { type: 'MultiLineString', xy: Float64Array.of(179, 52, 180, 53, -180, 53, -179, 54) },
    });
    const turned = { kind: 'repaired', geometry: { type: 'LineString', xy: Float64Array.of(-180, 52, -179, 52) } };
    expect(lineOf(180, 52, 181, 52)).toMatchObject(turned);
    const point: Geometry = { ...line(190, 52), type: 'Point' };
    expect(judge(point, 'point', geos)).toMatchObject({
      kind: 'repaired',
      geometry: { xy: Float64Array.of(-170, 52) },
    });
    const far: Geometry = { ...line(13_000_000, 52), type: 'Point' };
    expect(judge(far, 'point', geos)).toMatchObject({ kind: 'rejected' });
  });

  it('rounding of a transformation is none', () => {
    const verdict = judge(box(-180.00000000000003, -179), 'polygon', geos);
    expect(verdict).toMatchObject({ kind: 'valid' });
    expect('geometry' in verdict && west(verdict.geometry)).toBe(-180);
  });
});
