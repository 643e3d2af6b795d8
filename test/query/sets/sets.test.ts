import { latLngToCell } from 'h3-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import { countParcels, type ParcelCount } from '../../../query/engine/count-task.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import {
  type AggregateRequest,
  type Aggregation,
  type WrittenAggregation,
  writeAggregate,
} from '../../../query/sets/aggregate.ts';
import { type Criterion, type Ranking, rankParcels } from '../../../query/sets/rank.ts';
import type { SetFilter } from '../../../query/sets/set-filter.ts';

import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { seeded } from '../spoiling.ts';
import { type PublishedRow, publishedRows } from './published-rows.ts';

let release: Release;
let rows: PublishedRow[];
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
  rows = await publishedRows(home);
}, 120_000);

const cache = createCache(256);
const environment = (of = release) => ({
  release: of,
  catalog,
  cache,
  deadline: Date.now() + 60_000,
  stopped: () => false,
});
const SHARED = { outputs: ['acreage'], countyByFips: false, budget: BUDGET };
const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const NUMBERS = ['acreage', 'parval', 'nearest_road_distance_m', 'building_count_within_1km'];
const TEXTS = ['city', 'apn', 'usedesc', 'land_cover_class'];

/** The groups that are written. */
async function aggregated(request: AggregateRequest, of = release): Promise<Aggregation> {
  const answer = (await writeAggregate(request, environment(of))) as WrittenAggregation;
  return { ...answer, groups: JSON.parse(answer.groups) };
}

/** A filter and what it says of a row. */
interface Wish {
  readonly filter: SetFilter;
  readonly holds: (row: PublishedRow) => boolean;
}

const none = (value: unknown) => value === null || value === undefined;

/** Acres of deed or county that are others than those of the outline. */
const DISAGREES: Wish = {
  filter: { name: 'acreage', kind: 'number', op: 'disagrees', text: '' },
  holds: ({ acreage, ...row }) =>
    [row.deeded_acres, row.gisacre].some(said => {
      const [own, other] = [Number(acreage), Number(said ?? 0)];
      return other > 0 && Math.abs(other - own) > Math.max(0.02, 0.05 * own) + 1e-9;
    }),
};

/** Random filters over columns of all forms, from values that occur. */
function wishes(random: () => number): Wish[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (): Wish => {
    if (random() < 0.1) return DISAGREES;
    const [kind, name] = random() < 0.5 ? (['number', pick(NUMBERS)] as const) : (['string', pick(TEXTS)] as const);
    const value = pick(rows)[name];
    const op = pick(['is_null', 'not_null', 'compare', 'compare', 'text']);
    if (op === 'is_null' || op === 'not_null' || none(value)) {
      const nulls = op !== 'not_null';
      return {
        filter: { name, kind, op: nulls ? 'is_null' : 'not_null', text: '' },
        holds: row => none(row[name]) === nulls,
      };
    }
    if (kind === 'number') {
      const at = Number(value);
      const less = random() < 0.5;
      return {
        filter: { name, kind, op: less ? 'lte' : 'gt', operands: [at] },
        holds: row => !none(row[name]) && Number(row[name]) <= at === less,
      };
    }
    const text = String(value);
    if (op === 'compare') {
      const same = random() < 0.5;
      return {
        filter: { name, kind, op: same ? 'eq' : 'ne', operands: [text] },
        holds: row => !none(row[name]) && (row[name] === text) === same,
      };
    }
    const part = text.slice(0, 2).toLowerCase();
    const starts = random() < 0.5;
    const holds = (row: PublishedRow) => {
      const lower = none(row[name]) ? null : String(row[name]).toLowerCase();
      return lower !== null && (starts ? lower.startsWith(part) : lower.includes(part));
    };
    return { filter: { name, kind, op: starts ? 'starts_with' : 'contains', text: part }, holds };
  });
}

const passing = (some: readonly Wish[]) => rows.filter(row => some.every(({ holds }) => holds(row)));
/** The synthetic area lies in two states. */
const BOTH: Test = { ...STATE, op: 'in', operands: ['ME', 'NH'] };
const withState = (some: readonly Wish[]): SetFilter[] => [BOTH, ...some.map(({ filter }) => filter)];
const idOf = (row: PublishedRow) => parcelId(String(row.parcel_key));

/** Where a value stands among others, counted one by one. */
const percentile = (value: number, all: readonly number[]) =>
  (100 * (all.filter(one => one < value).length + all.filter(one => one === value).length / 2)) / all.length;

const SEEDS = Array.from({ length: 25 }, (_, i) => i + 1);

describe('over random filters, against the published rows', () => {
  it.each(SEEDS)('counts what passes, each filter alone and all but one (seed %i)', async seed => {
    const some = wishes(seeded(seed));
    const found = passing(some);
    const counted = (await countParcels(
      { ...SHARED, filters: withState(some), bound: 100_000 },
      environment(),
    )) as ParcelCount;
    expect(counted).toMatchObject({ count: found.length, atLeast: false, unknown: 0, unread: false });
    expect(counted.outlines).toBe(new Set(found.map(({ fips, outline }) => fips + outline)).size);
    expect(counted.perFilter).toEqual([
      { alone: rows.length, without: found.length },
      ...some.map((wish, i) => ({ alone: passing([wish]).length, without: passing(some.toSpliced(i, 1)).length })),
    ]);
  });

  it('filters by what enrichment alone answers for one parcel', async () => {
    const counties = release.layer('parcel_store', 'main')!.partitions;
    const stored: Record<string, unknown>[] = [];
    for (const county of counties) {
      const calculated = new Calculated(new Layers(release, cache), catalog, county);
      for (let ord = 0; ord < county.rows; ord++) {
        const found = await calculated.findings(ord, Object.keys(ENRICH_ONLY));
        stored.push(Object.fromEntries([...found].map(([name, { value }]) => [name, value])));
      }
    }
    const states = [...new Set(counties.map(({ key }) => key.split('/')[0]!))];
    const all: Test = { name: 'state', kind: 'state', op: 'in', operands: states };
    const cases: (readonly [SetFilter & { readonly name: string }, (row: Record<string, unknown>) => boolean])[] = [
      [
        { name: 'parcel_flood_sfha_fraction', kind: 'number', op: 'gt', operands: [0] },
        row => Number(row.parcel_flood_sfha_fraction) > 0,
      ],
      [
        { name: 'parcel_constraint_zones', kind: 'string', op: 'contains', text: 'wetland' },
        row => String(row.parcel_constraint_zones).includes('wetland'),
      ],
      [{ name: 'owner_assemblage', kind: 'string', op: 'not_null', text: '' }, row => !none(row.owner_assemblage)],
    ];
    for (const [filter, holds] of cases) {
      const counted = await countParcels({ ...SHARED, filters: [all, filter], bound: 100_000 }, environment());
      const expected = stored.filter(holds).length;
      expect(counted, filter.name).toMatchObject({ count: expected, unknown: 0, unread: false });
      expect(expected, filter.name).toBeGreaterThan(0);
    }
  });

  it.each(SEEDS)('ranks by fields in turn, absent values last (seed %i)', async seed => {
    const some = wishes(seeded(seed));
    const names = seed % 2 ? ['building_count_within_1km', 'city'] : ['land_cover_class', 'parval'];
    const criteria = names.map((name, i): Criterion => {
      const direction = (seed + i) % 3 ? 'asc' : 'desc';
      return { name, kind: NUMBERS.includes(name) ? 'number' : 'string', direction, weight: 1, prefer: 'high' };
    });
    const request = { ...SHARED, filters: withState(some), criteria, scored: false, limit: 15 };
    const ranked = (await rankParcels(request, environment())) as Ranking;
    const found = passing(some);
    const expected = found
      .toSorted((a, b) => {
        for (const { name, direction } of criteria) {
          const [one, other] = [a[name] ?? null, b[name] ?? null] as [string, string];
          if (one === other) continue;
          if (one === null || other === null) return one === null ? 1 : -1;
          return one < other === (direction === 'asc') ? -1 : 1;
        }
        return idOf(a) < idOf(b) ? -1 : 1;
      })
      .slice(0, 15);
    const matches = JSON.parse(ranked.matches) as { parcel_id: string; rank: number; criteria: object }[];
    expect(matches.map(({ parcel_id: id }) => id)).toEqual(expected.map(idOf));
    expect(matches.map(({ rank }) => rank)).toEqual(expected.map((_, i) => i + 1));
    expect(ranked).toMatchObject({
      considered: found.length,
      absent: found.filter(row => names.some(name => none(row[name]))).length,
      failed: 0,
    });
    for (const [i, match] of matches.entries())
      for (const name of names) expect(match.criteria).toMatchObject({ [name]: { value: expected[i]![name] ?? null } });
  });

  it.each(SEEDS)('scores by the weighted mean of percentiles (seed %i)', async seed => {
    const some = wishes(seeded(seed));
    const wanted = [
      { name: 'acreage', weight: 2, prefer: 'high' },
      { name: 'nearest_road_distance_m', weight: 1, prefer: 'low' },
      { name: 'parval', weight: 0.5, prefer: { near: 200_000 } },
    ] as const;
    const criteria = wanted.map((one): Criterion => ({ ...one, kind: 'number', direction: 'desc' }));
    const request = { ...SHARED, filters: withState(some), criteria, scored: true, limit: 1_000 };
    const ranked = (await rankParcels(request, environment())) as Ranking;
    const found = passing(some);
    const measure = (row: PublishedRow, { name, prefer }: (typeof wanted)[number]) =>
      none(row[name])
        ? null
        : typeof prefer === 'object'
          ? Math.abs(Number(row[name]) - prefer.near)
          : Number(row[name]);
    const shares = (row: PublishedRow) =>
      wanted.map(one => {
        const all = found.flatMap(other => measure(other, one) ?? []);
        const value = measure(row, one);
        return value === null ? null : percentile(value, all);
      });
    const byId = new Map(found.map(row => [idOf(row), shares(row)]));
    const matches = JSON.parse(ranked.matches) as {
      parcel_id: string;
      score: number | null;
      criteria: Record<string, { percentile: number | null }>;
    }[];
    expect(matches).toHaveLength(found.length);
    let last = Number.POSITIVE_INFINITY;
    for (const { parcel_id: id, score, criteria: each } of matches) {
      const expected = byId.get(id)!;
      for (const [i, { name }] of wanted.entries()) {
        if (expected[i] === null) expect(each[name]!.percentile).toBeNull();
        else expect(each[name]!.percentile).toBeCloseTo(expected[i]!, 9);
      }
      if (expected.includes(null)) expect(score).toBeNull();
      else {
        const good = (expected[0]! * 2 + (100 - expected[1]!) + (100 - expected[2]!) / 2) / 3.5;
        expect(score).toBeCloseTo(good, 9);
      }
      const own = score ?? Number.NEGATIVE_INFINITY;
      expect(own).toBeLessThanOrEqual(last);
      last = own;
    }
  });

  it.each(SEEDS)('groups and measures (seed %i)', async seed => {
    const some = wishes(seeded(seed));
    const edges = [1, 5, 20];
    const groupings: { by: AggregateRequest['groupBy'][number]; of: (row: PublishedRow) => unknown }[] = [
      { by: { by: 'county' }, of: row => row.fips },
      { by: { by: 'zip' }, of: row => row.szip5 ?? (row.szip as string | null)?.slice(0, 5) ?? null },
      {
        by: { by: 'h3', resolution: 7 },
        of: row => latLngToCell(Number(row.centroid_lat), Number(row.centroid_lon), 7),
      },
      {
        by: { by: 'bins', field: { name: 'acreage', kind: 'number' }, edges },
        of: ({ acreage }) => {
          if (none(acreage)) return null;
          const below = edges.filter(edge => edge <= Number(acreage)).length;
          return { from: edges[below - 1] ?? null, to: edges[below] ?? null };
        },
      },
      {
        by: { by: 'field', field: { name: 'land_cover_class', kind: 'string' } },
        of: row => row.land_cover_class ?? null,
      },
    ];
    const used = groupings.filter((_, i) => (seed >> i) % 2 === 1).slice(0, 3);
    const parval = { name: 'parval', kind: 'number' } as const;
    const request: AggregateRequest = {
      ...SHARED,
      filters: withState(some),
      groupBy: used.map(({ by }) => by),
      measures: [
        { op: 'count', field: null, q: 0 },
        { op: 'sum', field: parval, q: 0 },
        { op: 'mean', field: parval, q: 0 },
        { op: 'min', field: parval, q: 0 },
        { op: 'max', field: parval, q: 0 },
        { op: 'quantile', field: parval, q: 0.3 },
      ],
      minCount: 5,
      stacked: false,
      geometry: false,
    };
    const answer = await aggregated(request);
    const found = passing(some);
    const expected = Map.groupBy(found, row => JSON.stringify(used.map(({ of }) => of(row))));
    if (used.length === 0 && found.length === 0) expected.set('[]', []);
    expect(answer.groups.map(({ key }) => JSON.stringify(key)).sort()).toEqual([...expected.keys()].sort());
    for (const { key, count, small, measures } of answer.groups) {
      const group = expected.get(JSON.stringify(key))!;
      const values = group.flatMap(row => (none(row.parval) ? [] : [Number(row.parval)])).sort((a, b) => a - b);
      expect([count, small]).toEqual([group.length, group.length < 5]);
      const counts = { ok: values.length, absent: group.length - values.length, failed: 0 };
      const sum = values.reduce((a, b) => a + b, 0);
      const at = Math.max(0, Math.ceil(0.3 * values.length) - 1);
      expect(measures.map(({ value }) => value)).toEqual([
        group.length,
        ...[sum, sum / values.length, values[0], values.at(-1), values[at]].map(value =>
          values.length ? expect.closeTo(value!, 4) : null,
        ),
      ]);
      for (const measure of measures.slice(1)) expect(measure).toMatchObject(counts);
    }
    expect(answer.groups.map(({ count }) => count)).toEqual(
      answer.groups.map(({ count }) => count).sort((a, b) => b - a),
    );
  });
});
