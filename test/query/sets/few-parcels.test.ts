import { beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { countParcels, type ParcelCount } from '../../../query/engine/count-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById, type Release } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import {
  type AggregateRequest,
  type Aggregation,
  type WrittenAggregation,
  writeAggregate,
} from '../../../query/sets/aggregate.ts';
import { type Criterion, type Ranking, rankParcels } from '../../../query/sets/rank.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { writeParcelRelease } from '../search/parcel-release.ts';

const cache = createCache(256);
const environment = (release: Release) => ({
  release,
  catalog,
  cache,
  deadline: Date.now() + 60_000,
  stopped: () => false,
});
const SHARED = { outputs: ['acreage'], countyByFips: false, budget: BUDGET };
const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };

/** The groups that are written. */
async function aggregated(request: AggregateRequest, release: Release): Promise<Aggregation> {
  const answer = (await writeAggregate(request, environment(release))) as WrittenAggregation;
  return { ...answer, groups: JSON.parse(answer.groups) };
}

const square = (x: number) => [
  [x, 45],
  [x + 0.01, 45],
  [x + 0.01, 45.01],
  [x, 45.01],
  [x, 45],
];
/** Three apartments on one lot, and a lot beside it; one city is spelt in two ways. */
const source = [-68, -68, -68, -67.9].map((x, i) => ({
  geometry: fromGeoJSON({ type: 'Polygon', coordinates: [square(x)] } as Polygonal),
  properties: { apn: `${i}`, city: ['Orono ', 'orono', 'ORONO', 'ORONO'][i]! },
}));
const SUM = {
  ...SHARED,
  filters: [STATE],
  groupBy: [],
  measures: [{ op: 'sum', field: { name: 'acreage', kind: 'number' }, q: 0 }],
  minCount: 5,
  stacked: false,
  geometry: false,
} as const satisfies AggregateRequest;
let home: Awaited<ReturnType<typeof writeParcelRelease>>;
let of: Release;
beforeAll(async () => {
  home = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels: source }]);
  of = openReleaseById(home.home, 'r1');
  return () => home.remove();
});
const aggregate = (more: Partial<AggregateRequest>) => aggregated({ ...SUM, ...more }, of);

it('counts the ground of apartments once in a sum of acres, unless told otherwise', async () => {
  const acres = async (stacked: boolean) => Number((await aggregate({ stacked })).groups[0]!.measures[0]!.value);
  expect((await acres(true)) / (await acres(false))).toBeCloseTo(2, 6);
  const { measures } = (await aggregate({})).groups[0]!;
  expect(measures[0]).toMatchObject({ ok: 4, absent: 0, failed: 0 });
});

it('takes the spellings of a city together and shows the usual one', async () => {
  const { groups } = await aggregate({ groupBy: [{ by: 'city' }] });
  expect(groups.map(({ key, count, small }) => [key, count, small])).toEqual([[['ORONO'], 4, true]]);
});

it('counts a calculation that was not carried out apart: unknown in a filter, failed in a rank and a measure', async () => {
  const slope = { name: 'parcel_mean_slope_percent', kind: 'number' } as const;
  const field = [...catalog.fields.values()].find(({ name, type }) => type === 'number' && name === slope.name);
  const missing = field ? slope : ({ name: 'elevation', kind: 'number' } as const);
  const filter = { ...missing, op: 'gt', operands: [0] } as const;
  const counted = (await countParcels(
    { ...SHARED, filters: [STATE, filter], bound: 9 },
    environment(of),
  )) as ParcelCount;
  expect(counted).toMatchObject({ count: 0, unknown: 4, notices: [{ kind: 'not_calculated', name: missing.name }] });
  const criterion: Criterion = { ...missing, direction: 'asc', weight: 1, prefer: 'low' };
  const request = { ...SHARED, filters: [STATE], criteria: [criterion], scored: true, limit: 5 };
  expect(await rankParcels(request, environment(of))).toMatchObject({ matches: '[]', considered: 4, failed: 4 });
  const answer = await aggregate({ measures: [{ op: 'mean', field: missing, q: 0 }] });
  expect(answer.groups[0]!.measures).toEqual([{ value: null, ok: 0, absent: 0, failed: 4 }]);
  expect(answer.empty).toEqual([missing.name]);
  expect(await aggregate({ groupBy: [{ by: 'field', field: missing }] })).toMatchObject({ groups: [], failed: 4 });
});

it('ranks by a field that is absent everywhere by id, and says so', async () => {
  const criterion: Criterion = { name: 'parval', kind: 'number', direction: 'asc', weight: 1, prefer: 'high' };
  const request = { ...SHARED, filters: [STATE], criteria: [criterion], scored: true, limit: 3 };
  const ranked = (await rankParcels(request, environment(of))) as Ranking;
  expect(ranked).toMatchObject({ considered: 4, absent: 4, failed: 0, empty: ['parval'] });
  const ids = (JSON.parse(ranked.matches) as { parcel_id: string; score: null }[]).map(({ parcel_id: id }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toHaveLength(3);
});

it('gives cells their outline', async () => {
  const { groups } = await aggregate({ groupBy: [{ by: 'h3', resolution: 4 }], geometry: true });
  const { key, geometry } = groups[0]!;
  expect(String(key[0])).toMatch(/^84/);
  expect(geometry!.coordinates[0]!.at(0)).toEqual(geometry!.coordinates[0]!.at(-1));
});
