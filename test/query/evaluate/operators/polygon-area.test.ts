import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { straightArea } from '../../../../query/geometry/polygon-overlap.ts';
import { squareMetres } from '../../../oracle/geodesic.ts';
import { toGeoJSON } from '../../../oracle/geojson.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { cutOut } from '../../../oracle/ground.ts';
import { createFixture, dataset, type FeatureSpec, type Fixture, field, rectangle } from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';
import { answersOver, statisticsOf } from '../area/answers-over.ts';

const zones: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: {
    id: { type: 'string' },
    zone: { type: 'string' },
    level: { type: 'integer' },
    FLD_ZONE: { type: 'string' },
  },
};
const land = dataset(
  'land',
  { main: zones, panel: zones, spoilt: zones, dull: zones },
  {
    zone: field('polygon_attr(land, zone)', { type: 'string' }),
    most: field('polygon_attr(land, level, pick=max)', { type: 'integer' }),
    within: field('polygon_within(land)', { type: 'boolean' }),
    high: field('polygon_within(land, where[level >= 3])', { type: 'boolean' }),
    mapped: field('polygon_within(land, coverage=land:panel, where[level >= 3])', { type: 'boolean' }),
    near: field('overlap_fraction(land, over=radius:500)'),
    of_parcel: field('overlap_fraction(land, over=parcel, where[level >= 3])'),
    either: field('overlap_fraction(any_of[land; land:panel], over=radius:500)'),
    spoilt: field('polygon_attr(land:spoilt, zone)', { type: 'string' }),
    spoilt_within: field('polygon_within(land:spoilt, where[level >= 3])', { type: 'boolean' }),
    dull: field('polygon_attr(land:dull, zone)', { type: 'string' }),
    nowhere: field('polygon_attr(land:dull, level)', { type: 'integer' }),
  },
);

const random = randomOf(4711);
const stars: FeatureSpec[] = [];
for (let i = 0; stars.length < 170; i++) {
  const { geometry } = starOf(
    i + 1,
    6 + (i % 40),
    10 + 0.3 * random(),
    45 + 0.2 * random(),
    0.004 + 0.04 * random() ** 2,
  );
  if (!isValid(geometry)) continue;
  const zone = random() < 0.1 ? null : 'ABCD'[i % 4]!;
  stars.push({ geometry, id: `s${i}`, zone, level: random() < 0.15 ? null : i % 5, FLD_ZONE: null });
}
/** Ground of a row that was rejected. */
const ruined = rectangle([10.02, 45.05, 10.07, 45.12]);
const west = rectangle([9, 44, 10.15, 46]);
const inWest = stars.slice(0, 85);
const spec = {
  main: [
    { key: 'ME/a', place: 'west', coverage: [west], features: inWest },
    { key: 'US', place: 'nation', features: stars.slice(85) },
  ],
  panel: [
    {
      key: 'ME',
      place: 'west',
      coverage: [west],
      features: [{ geometry: rectangle([10.055, 44.9, 10.1, 45.3]), id: 'p', zone: null, level: null, FLD_ZONE: null }],
    },
  ],
  spoilt: [
    {
      key: 'US',
      features: stars.slice(0, 10),
      rejected: [{ geometry: ruined, reason: 'its zone is no zone', zone: null, level: null }],
    },
  ],
  dull: [{ key: 'ME/a', place: 'west', coverage: [west], features: inWest, unpublished: ['level'] }],
};

/** A star as site: with a hole and an island in it. */
const site = (seed: number, lng: number, lat: number, size: number): Geometry => {
  for (let i = seed; ; i += 100) {
    const { geometry } = starOf(i, 12, lng, lat, size);
    if (isValid(geometry)) return geometry;
  }
};
const sites = [site(3, 10.06, 45.08, 0.04), site(4, 10.1, 45.1, 0.09), site(5, 10.25, 45.1, 0.03)];
const whole = (geometry: Geometry) => squareMetres(toGeoJSON(geometry) as GeoJSON.MultiPolygon);
const sizeOf = (geometry: Geometry) => whole(geometry);
/** Polygons that a place with a coverage of its own answers with, cut to it, then those of the nation beyond it. */
const pieces = (geometry: Geometry, choose: (row: FeatureSpec) => boolean) => {
  const [inside, beyond] = [inWest, stars.slice(85)].map(rows => rows.filter(choose));
  return { inside: inside!, beyond: beyond!, geometry };
};

describe('polygon operators over an area', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture([land], { land: spec });
  });
  afterAll(() => fixture.remove());

  /** Square metres by row of what answers on a site, GEOS cutting one after the other out of what is left. */
  const expected = (geometry: Geometry, order: (rows: readonly FeatureSpec[]) => readonly FeatureSpec[]) => {
    const total = new Map<string, number>();
    const { inside, beyond } = pieces(geometry, () => true);
    const add = (key: string, area: number) => total.set(key, (total.get(key) ?? 0) + area);
    const world = rectangle([5, 40, 15, 50], [9, 44, 10.15, 46]);
    for (const [rows, outside] of [
      [order(inside), world],
      [order(beyond), west],
    ] as const) {
      const areas = cutOut(geometry, [outside, ...rows.map(row => row.geometry)]);
      for (const [i, row] of rows.entries()) add(String(row.id), areas[i + 1]!);
      add('none', areas.at(-1)!);
    }
    return total;
  };
  const bySize = (rows: readonly FeatureSpec[]) =>
    [...rows].sort((a, b) => sizeOf(a.geometry) - sizeOf(b.geometry) || (String(a.id) < String(b.id) ? -1 : 1));

  it('shares of values agree with GEOS and add up to 1', async () => {
    for (const geometry of sites) {
      const { zone } = await answersOver(fixture, ['zone'], geometry);
      const said = statisticsOf(zone, 'shares');
      const rows = expected(geometry, bySize);
      const area = whole(geometry);
      const want = new Map<string, number>();
      for (const [id, square] of rows) {
        const row = stars.find(r => r.id === id);
        const key = id === 'none' ? 'none' : String(row!.zone);
        want.set(key, (want.get(key) ?? 0) + square);
      }
      for (const { value, share, acres } of said.shares) {
        expect(Math.abs(share - want.get(String(value))! / area)).toBeLessThan(1e-4);
        expect(Math.abs(acres - want.get(String(value))! / 4046.8564224)).toBeLessThan(0.02);
      }
      expect(Math.abs(said.uncovered - (want.get('none') ?? 0) / area)).toBeLessThan(1e-4);
      expect(Math.abs(said.without_value - (want.get('null') ?? 0) / area)).toBeLessThan(1e-4);
      const sum = said.shares.reduce((all, one) => all + one.share, 0);
      expect(sum + said.uncovered + said.without_value + said.unknown + said.unmapped).toBeCloseTo(1, 3);
      expect(said.shares.length).toBeGreaterThan(2);
    }
  });

  it('of several polygons the one with the extreme value counts', async () => {
    const geometry = sites[1]!;
    const { most } = await answersOver(fixture, ['most'], geometry);
    const order = (rows: readonly FeatureSpec[]) =>
      [...rows].sort((a, b) => ((b.level as number) ?? -1) - ((a.level as number) ?? -1));
    const rows = expected(geometry, order);
    const area = whole(geometry);
    for (const { value, share } of statisticsOf(most, 'shares').shares) {
      const want = [...rows].reduce((sum, [id, a]) => sum + (stars.find(r => r.id === id)?.level === value ? a : 0), 0);
      expect(Math.abs(share - want / area)).toBeLessThan(1e-4);
    }
  });

  it('what polygons cover agrees with GEOS; what may or may not count is unknown, never uncovered', async () => {
    for (const geometry of sites) {
      const answers = await answersOver(fixture, ['within', 'high', 'near', 'of_parcel', 'either'], geometry);
      const area = whole(geometry);
      const all = expected(geometry, bySize);
      const covered = statisticsOf(answers.within, 'covered');
      expect(Math.abs(covered.uncovered - all.get('none')! / area)).toBeLessThan(1e-4);
      expect(covered.share + covered.uncovered).toBeCloseTo(1, 3);
      expect(statisticsOf(answers.near, 'covered')).toEqual(covered);
      const rank = ({ level }: FeatureSpec) => (level === null ? 1 : (level as number) >= 3 ? 0 : 2);
      const yes = expected(geometry, rows => [...rows].sort((a, b) => rank(a) - rank(b)));
      const of = (want: number) =>
        [...yes].reduce((sum, [id, a]) => {
          const row = stars.find(r => r.id === id);
          return row && rank(row) === want ? sum + a : sum;
        }, 0) / area;
      const high = statisticsOf(answers.high, 'covered');
      expect(Math.abs(high.share - of(0))).toBeLessThan(1e-4);
      expect(Math.abs(high.unknown - of(1))).toBeLessThan(1e-4);
      expect(high.unknown).toBeGreaterThan(0);
      expect(answers.high!.notes.join()).toMatch(/what decides \(level\) is empty or unknown/);
      expect(statisticsOf(answers.of_parcel, 'covered')).toEqual(high);
      expect(answers.either).toBeNull();
    }
  });

  it('ground without a panel is unmapped', async () => {
    const geometry = sites[0]!;
    const { mapped, high } = await answersOver(fixture, ['mapped', 'high'], geometry);
    const [said, plain] = [statisticsOf(mapped, 'covered'), statisticsOf(high, 'covered')];
    expect(said.share).toBe(plain.share);
    expect(said.unknown).toBe(plain.unknown);
    expect(said.unmapped).toBeGreaterThan(0.05);
    expect(said.uncovered).toBeLessThan(plain.uncovered - 0.05);
    expect(said.share + said.unknown + said.uncovered + said.unmapped).toBeCloseTo(1, 3);
  });

  it('ground under a rejected row is unknown, and the reason is said', async () => {
    const geometry = sites[0]!;
    const { spoilt, spoilt_within } = await answersOver(fixture, ['spoilt', 'spoilt_within'], geometry);
    const rejected = cutOut(geometry, [ruined])[0]! / whole(geometry);
    expect(rejected).toBeGreaterThan(0.01);
    expect(Math.abs(statisticsOf(spoilt, 'shares').unknown - rejected)).toBeLessThan(1e-4);
    expect(spoilt!.notes.join()).toMatch(/was rejected: its zone is no zone/);
    const within = statisticsOf(spoilt_within, 'covered');
    // Where another polygon is known to count it does not matter what was rejected.
    expect(within.unknown).toBeGreaterThan(0);
    expect(within.share + within.unknown + within.uncovered).toBeCloseTo(1, 3);
  });

  it('beyond the coverage nothing is said, and what is not published has a reason', async () => {
    const [first, , east] = sites as [Geometry, Geometry, Geometry];
    const { dull } = await answersOver(fixture, ['dull'], sites[1]!);
    const beyond = 1 - cutOut(sites[1]!, [west])[0]! / whole(sites[1]!);
    expect(beyond).toBeGreaterThan(0.1);
    expect(Math.abs(statisticsOf(dull, 'shares').unmapped - beyond)).toBeLessThan(1e-4);
    const outside = await answersOver(fixture, ['dull'], east);
    expect(outside.dull).toMatchObject({
      status: 'absent',
      value: null,
      notes: ['outside the coverage of land:dull'],
    });
    const { nowhere } = await answersOver(fixture, ['nowhere'], first);
    expect(nowhere).toMatchObject({ status: 'ok' });
    expect(statisticsOf(nowhere, 'shares').shares).toEqual([]);
    expect(nowhere!.notes.join()).toMatch(/lacks it \(level\)/);
  });

  it('a site cut into many tiles says what one sweep says', async () => {
    // Many small polygons: far more edges than one tile takes.
    const many: FeatureSpec[] = Array.from({ length: 1_300 }, (_, i) => {
      const [x, y] = [10 + 0.3 * random(), 45 + 0.2 * random()];
      const size = 0.001 + 0.004 * random();
      return {
        geometry: rectangle([x, y, x + size, y + size]),
        id: `r${String(i).padStart(4, '0')}`,
        zone: 'AB'[i % 2]!,
        level: 1,
        FLD_ZONE: null,
      };
    });
    const tiled = await createFixture([land], { land: { ...spec, main: [{ key: 'US', features: many }] } });
    try {
      const geometry = sites[1]!;
      const { within, zone } = await answersOver(tiled, ['within', 'zone'], geometry);
      const covered = statisticsOf(within, 'covered');
      const { none } = {
        none: cutOut(
          geometry,
          many.map(row => row.geometry),
        ).at(-1)!,
      };
      expect(Math.abs(covered.uncovered - none / straightArea(geometry))).toBeLessThan(1e-4);
      const shares = statisticsOf(zone, 'shares');
      expect(shares.shares.reduce((sum, { share }) => sum + share, shares.uncovered)).toBeCloseTo(1, 3);
    } finally {
      tiled.remove();
    }
  });
});
