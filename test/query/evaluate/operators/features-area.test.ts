import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { intersects, isValid } from '../../../oracle/geometry.ts';
import { metresApart } from '../../../oracle/ground.ts';
import {
  createFixture,
  dataset,
  type FeatureSpec,
  type Fixture,
  field,
  line,
  point,
  rectangle,
} from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';
import { answersOver, statisticsOf } from '../area/answers-over.ts';

const LONG = process.env.PLAT_TEST === 'long';

const things: VectorLayer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, sid: { type: 'string' }, mag: { type: 'number' } },
};
const named = (layer: string) => ({
  [`${layer}_count`]: field(`count_within(it:${layer}, radius_m=1000)`, { type: 'integer' }),
  [`${layer}_strong`]: field(`count_within(it:${layer}, radius_m=1000, where[mag >= 4])`, { type: 'integer' }),
  [`${layer}_away`]: field(`nearest_distance(it:${layer}, max_km=50)`, { unit: 'm' }),
  [`${layer}_strong_away`]: field(`nearest_distance(it:${layer}, max_km=50, where[mag >= 4])`, { unit: 'm' }),
});
const it_ = dataset(
  'it',
  {
    points: things,
    lines: { ...things, geometry: 'line' },
    areas: { ...things, geometry: 'polygon' },
    edge: things,
    lost: things,
  },
  {
    ...named('points'),
    ...named('lines'),
    ...named('areas'),
    sids: field('count_within(it:points, radius_m=1000, distinct=sid)', { type: 'integer' }),
    sum: field('agg_within(it:points, mag, agg=sum, radius_m=1000)'),
    max: field('agg_within(it:points, mag, agg=max, radius_m=1000)'),
    edge_count: field('count_within(it:edge, radius_m=1000)', { type: 'integer' }),
    edge_away: field('nearest_distance(it:edge, max_km=50)', { unit: 'm' }),
    lost_count: field('count_within(it:lost, radius_m=1000)', { type: 'integer' }),
    lost_away: field('nearest_distance(it:lost, max_km=50)', { unit: 'm' }),
    close: field('nearest_distance(it:edge, max_km=0.1)', { unit: 'm' }),
  },
);

const random = randomOf(99);
const row = (geometry: Geometry, i: number, mag: number | null = i % 6): FeatureSpec => ({
  geometry,
  id: `t${i}`,
  sid: i % 9 === 0 ? null : `s${i % 7}`,
  mag,
});
const at = (): [number, number] => [10 + 0.5 * random(), 45 + 0.4 * random()];
const points = Array.from({ length: 300 }, (_, i) => row(point(...at()), i));
const lines = Array.from({ length: 60 }, (_, i) => {
  const [x, y] = at();
  return row(line([x, y], [x + 0.05 * random(), y + 0.02], [x + 0.1 * random(), y - 0.03 * random()]), i);
});
const areas: FeatureSpec[] = [];
for (let i = 0; areas.length < 60; i++) {
  const { geometry } = starOf(i + 1, 8, ...at(), 0.01 + 0.01 * random());
  if (isValid(geometry)) areas.push(row(geometry, i));
}
const site = (seed: number, lng: number, lat: number, size: number): Geometry => {
  for (let i = seed; ; i += 100) {
    const { geometry } = starOf(i, 15, lng, lat, size);
    if (isValid(geometry)) return geometry;
  }
};
const sites = [
  site(1, 10.2, 45.2, 0.05),
  site(2, 10.3, 45.1, 0.02),
  site(3, 9.9, 45.5, 0.02),
  site(4, 10.6, 44.9, 0.03),
];
const all = { points, lines, areas };
/** The few whose vertices lie nearest on a plane. */
const nearly = (geometry: Geometry, rows: readonly FeatureSpec[]) => {
  const planar = ({ geometry: { xy } }: FeatureSpec) => {
    let least = Infinity;
    for (let i = 0; i < xy.length; i += 2)
      for (let j = 0; j < geometry.xy.length; j += 2)
        least = Math.min(least, Math.hypot((xy[i]! - geometry.xy[j]!) * 0.7, xy[i + 1]! - geometry.xy[j + 1]!));
    return least;
  };
  return [...rows].sort((a, b) => planar(a) - planar(b)).slice(0, 3);
};

describe('counts and distances over an area', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    const coverage = [rectangle([9, 44, 10.235, 46])];
    fixture = await createFixture([it_], {
      it: {
        points: [
          { key: 'a', features: points.slice(0, 200) },
          { key: 'b', features: points.slice(200) },
        ],
        lines: [{ features: lines }],
        areas: [{ features: areas }],
        edge: [{ place: 'west', coverage, features: [row(point(9.8, 45.2), 1)] }],
        lost: [
          {
            features: [row(point(10.31, 45.2), 1), row(point(10.2, 45.5), 2)],
            rejected: [{ geometry: point(10.2, 45.28), reason: 'it has no name', mag: null }],
          },
        ],
      },
    });
  });
  afterAll(() => fixture.remove());

  it('features that meet the area are counted as GEOS finds them', async () => {
    let found = 0;
    for (const geometry of sites)
      for (const [layer, rows] of Object.entries(all)) {
        const answers = await answersOver(fixture, [`${layer}_count`, `${layer}_strong`], geometry);
        const on = rows.filter(one => intersects(one.geometry, geometry));
        found += on.length;
        expect(statisticsOf(answers[`${layer}_count`], 'count').count).toBe(on.length);
        const strong = on.filter(one => (one.mag as number) >= 4).length;
        expect(statisticsOf(answers[`${layer}_strong`], 'count').count).toBe(strong);
      }
    expect(found).toBeGreaterThan(12);
  });

  it('sums, maxima and distinct values are those of the features that meet it', async () => {
    const geometry = sites[0]!;
    const on = points.filter(one => intersects(one.geometry, geometry));
    const { sids, sum, max } = await answersOver(fixture, ['sids', 'sum', 'max'], geometry);
    expect(on.length).toBeGreaterThan(3);
    expect(statisticsOf(sids, 'count').count).toBe(new Set(on.flatMap(({ sid }) => sid ?? [])).size);
    expect(statisticsOf(sum, 'sum').value).toBe(on.reduce((total, { mag }) => total + (mag as number), 0));
    expect(statisticsOf(max, 'max').value).toBe(Math.max(...on.map(({ mag }) => mag as number)));
  });

  it('distances from the boundary are those of every vertex to every segment; 0 where they meet', async () => {
    let zero = 0;
    for (const geometry of LONG ? sites : sites.slice(0, 2))
      for (const [layer, rows] of Object.entries(all))
        for (const strong of [false, true]) {
          const name = strong ? `${layer}_strong_away` : `${layer}_away`;
          const { [name]: said } = await answersOver(fixture, [name], geometry);
          const of = rows.filter(one => !strong || (one.mag as number) >= 4);
          const meets = of.some(one => intersects(one.geometry, geometry));
          const want = meets ? 0 : Math.min(...nearly(geometry, of).map(one => metresApart(geometry, one.geometry)));
          if (want === 0) zero++;
          expect(Math.abs(statisticsOf(said, 'distance').metres - want)).toBeLessThan(0.11);
        }
    expect(zero).toBeGreaterThan(LONG ? 4 : 2);
    expect(zero).toBeLessThan(LONG ? 20 : 12);
  });

  it('where the coverage ends within the area the count says how much is beyond, and a distance is an upper bound', async () => {
    const { edge_count, edge_away, close } = await answersOver(
      fixture,
      ['edge_count', 'edge_away', 'close'],
      sites[0]!,
    );
    const { count, unmapped } = statisticsOf(edge_count, 'count');
    expect(count).toBe(0);
    expect(unmapped).toBeGreaterThan(0);
    expect(unmapped).toBeLessThan(0.2);
    expect(edge_away).toMatchObject({ status: 'ok', confidence: 'low' });
    expect(edge_away!.notes.join()).toMatch(/coverage of it:edge.* ends nearer .* upper bound/);
    expect(close).toMatchObject({ status: 'absent', confidence: 'low' });
    expect(close!.notes[0]).toMatch(/nothing within 0.1 km of the area.*beyond it nothing is known/);
    const outside = await answersOver(fixture, ['edge_count', 'edge_away'], sites[3]!);
    for (const finding of Object.values(outside))
      expect(finding).toMatchObject({ status: 'absent', notes: ['outside the coverage of it:edge'] });
  });

  it('a rejected row that lies there or nearer leaves it open', async () => {
    const { lost_count, lost_away } = await answersOver(fixture, ['lost_count', 'lost_away'], sites[0]!);
    // It stands 0.03 degrees north of the site, the nearest of the others 0.06 east of it.
    expect(statisticsOf(lost_count, 'count').count).toBe(0);
    expect(lost_away).toMatchObject({ status: 'absent' });
    expect(lost_away!.notes.join()).toMatch(/was rejected: it has no name/);
    const under = await answersOver(fixture, ['lost_count'], rectangle([10.19, 45.27, 10.21, 45.29]));
    expect(under.lost_count).toMatchObject({ status: 'absent' });
    const far = await answersOver(fixture, ['lost_away'], rectangle([10.19, 45.49, 10.21, 45.51]));
    expect(statisticsOf(far.lost_away, 'distance').metres).toBe(0);
  });

  it('a feature that may or may not count makes the count absent and the distance an upper bound', async () => {
    const doubted = await createFixture([it_], {
      it: { points: [{ features: [row(point(10.2, 45.2), 1, null), row(point(10.4, 45.2), 2, 5)] }] },
    });
    try {
      const geometry = rectangle([10.18, 45.18, 10.22, 45.22]);
      const said = await answersOver(doubted, ['points_strong', 'points_strong_away', 'points_count'], geometry);
      expect(said.points_strong).toMatchObject({ status: 'absent' });
      expect(said.points_strong!.notes[0]).toMatch(
        /may or may not count: what decides \(mag\).*\(at least 0, at most 1\)/,
      );
      expect(said.points_strong_away).toMatchObject({ status: 'ok', confidence: 'low' });
      expect(said.points_strong_away!.notes[0]).toMatch(/upper bound/);
      expect(statisticsOf(said.points_count, 'count').count).toBe(1);
    } finally {
      doubted.remove();
    }
  });
});
