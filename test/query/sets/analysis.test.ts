import geographiclib from 'geographiclib-geodesic';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { countParcels, type ParcelCount } from '../../../query/engine/count-task.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { areaTest, type Test } from '../../../query/search/request/filter.ts';
import { areaAbout } from '../../../query/sets/area.ts';
import { explainFilters } from '../../../query/sets/explain.ts';
import { placeOfParcel } from '../../../query/sets/parcel-by-id.ts';
import type { SetFilter } from '../../../query/sets/set-filter.ts';
import { similarParcels } from '../../../query/sets/similar.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { type PublishedRow, publishedRows } from './published-rows.ts';

let release: Release;
let rows: PublishedRow[];
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
  rows = await publishedRows(home);
}, 120_000);

const cache = createCache(256);
const environment = () => ({ release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false });
const SHARED = { outputs: ['acreage'], countyByFips: false, budget: BUDGET };
const BOTH: Test = { name: 'state', kind: 'state', op: 'in', operands: ['ME', 'NH'] };
const number = (name: string, op: Test['op'], ...operands: number[]): Test => ({ name, kind: 'number', op, operands });
const idOf = (row: PublishedRow) => parcelId(String(row.parcel_key));
const acres = (row: PublishedRow) => Number(row.acreage);

describe('a parcel by its id', () => {
  it('is found wherever it is stored', async () => {
    for (const row of [rows[0]!, rows[rows.length >> 1]!, rows.at(-1)!]) {
      const { place } = (await placeOfParcel({ ...SHARED, filters: [], parcelId: idOf(row) }, environment())) as {
        place: { point: { lng: number; lat: number } };
      };
      expect(place.point).toEqual({ lng: Number(row.centroid_lon), lat: Number(row.centroid_lat) });
    }
  });

  it.each(['', 'pcl_', `pcl_${'a'.repeat(22)}`, '../x'])('is nothing for %j', async id => {
    expect(await placeOfParcel({ ...SHARED, filters: [], parcelId: id }, environment())).toEqual({ place: null });
  });
});

it('counts parcels near a point: those whose analysis point is nearer are among them', async () => {
  const [at, metres] = [rows[7]!, 800];
  const [lng, lat] = [Number(at.centroid_lon), Number(at.centroid_lat)];
  const shape = {
    type: 'Point',
    xy: Float64Array.of(lng, lat),
    ends: Uint32Array.of(1),
    parts: new Uint32Array(0),
  } as const;
  const limits = { maxSquareKm: 1e6, maxVertices: 10_000 };
  const made = await areaAbout({ shape, metres, path: 'near', ...limits }, { stopped: () => false });
  if (!('geometry' in made)) throw new Error('no area');
  const filters = [BOTH, areaTest('intersects', made.geometry, 'near')];
  const { count } = (await countParcels({ ...SHARED, filters, bound: 1e6 }, environment())) as ParcelCount;
  const away = (row: PublishedRow) =>
    geographiclib.Geodesic.WGS84.Inverse(lat, lng, Number(row.centroid_lat), Number(row.centroid_lon)).s12!;
  const nearer = rows.filter(row => away(row) < metres * 0.999).length;
  expect(nearer).toBeGreaterThan(0);
  expect(count).toBeGreaterThanOrEqual(nearer);
  expect(count).toBeLessThan(rows.length);
});

describe('why a parcel passes or not', () => {
  const explain = async (row: PublishedRow, filters: SetFilter[]) => {
    const answer = await explainFilters({ ...SHARED, filters, parcelId: idOf(row) }, environment());
    if (!('verdicts' in answer)) throw new Error('no verdicts');
    return answer.verdicts;
  };

  it('tells value and margin of every filter', async () => {
    for (const row of rows.filter((_, i) => i % 97 === 0)) {
      const value = row.parval === null || row.parval === undefined ? null : Number(row.parval);
      const verdicts = await explain(row, [
        BOTH,
        { ...BOTH, operands: ['NH'] },
        number('acreage', 'gt', 1),
        number('acreage', 'between', 0.5, 2),
        number('parval', 'lte', 100_000),
        { name: 'city', kind: 'string', op: 'eq', operands: [String(row.city)] },
        { name: 'parval', kind: 'number', op: 'is_null', text: '' },
      ]);
      const state = row.fips.startsWith('33') ? 'NH' : 'ME';
      const size = acres(row);
      expect(verdicts.slice(0, 2)).toEqual([
        { value: state, status: 'ok', passes: true, margin: null },
        { value: state, status: 'ok', passes: state === 'NH', margin: null },
      ]);
      expect(verdicts[2]).toEqual({ value: size, status: 'ok', passes: size > 1, margin: size - 1 });
      expect(verdicts[3]).toMatchObject({ passes: size >= 0.5 && size <= 2, margin: Math.min(size - 0.5, 2 - size) });
      expect(verdicts[4]).toEqual(
        value === null
          ? { value: null, status: 'absent', passes: false, margin: null }
          : { value, status: 'ok', passes: value <= 100_000, margin: 100_000 - value },
      );
      const city = row.city ?? null;
      expect(verdicts[5]).toMatchObject({
        value: city,
        status: city === null ? 'absent' : 'ok',
        passes: city !== null,
      });
      expect(verdicts[6]).toMatchObject({ passes: value === null });
    }
  });

  it('tells how far an area is', async () => {
    const [row, other] = [rows[0]!, rows.at(-1)!];
    const [x, y] = [Number(other.centroid_lon), Number(other.centroid_lat)];
    const spot = {
      type: 'Polygon',
      xy: Float64Array.of(x, y, x + 1e-6, y, x, y + 1e-6, x, y),
      ends: Uint32Array.of(4),
      parts: Uint32Array.of(1),
    } as const;
    const [far] = await explain(row, [areaTest('intersects', spot, 'x')]);
    const metres = geographiclib.Geodesic.WGS84.Inverse(Number(row.centroid_lat), Number(row.centroid_lon), y, x).s12!;
    expect(far).toMatchObject({ passes: false, margin: -Number(far!.value) });
    expect(Number(far!.value)).toBeGreaterThan(0);
    expect(Number(far!.value)).toBeLessThan(metres);
    expect(await explain(other, [areaTest('intersects', spot, 'x')])).toEqual([
      { value: 0, status: 'ok', passes: true, margin: null },
    ]);
  });

  it('knows no other parcel', async () => {
    const asked = { ...SHARED, filters: [BOTH], parcelId: 'pcl_nobody' };
    expect(await explainFilters(asked, environment())).toEqual({ missing: true });
  });
});

describe('why none passes', () => {
  const relax = async (filters: SetFilter[]) => {
    const answer = await explainFilters({ ...SHARED, filters, parcelId: null }, environment());
    if (!('relax' in answer)) throw new Error('no relaxation');
    return answer;
  };

  it('tells how far each filter must give way for ten', async () => {
    const most = Math.max(...rows.map(acres));
    const filters = [BOTH, number('acreage', 'gt', most + 10), number('nearest_road_distance_m', 'gte', 0)];
    const able = rows
      .filter(row => row.nearest_road_distance_m !== null)
      .map(acres)
      .sort((a, b) => b - a);
    const tenth = able[9]!;
    const { count, relax: told } = await relax(filters);
    expect(count).toBe(0);
    expect(told).toEqual([{ index: 1, value: tenth, matches: able.filter(size => size >= tenth).length }]);
    // With that bound they pass.
    const again = [BOTH, number('acreage', 'gte', tenth), filters[2]!];
    const { count: found } = (await countParcels(
      { ...SHARED, filters: again, bound: 1e6 },
      environment(),
    )) as ParcelCount;
    expect(found).toBe(told[0]!.matches);
  });

  it('widens a range on the side where parcels are, and leaves out what has no bound', async () => {
    const sizes = rows.map(acres).sort((a, b) => a - b);
    const [least] = sizes as [number];
    const { relax: below } = await relax([BOTH, number('acreage', 'between', least / 4, least / 2)]);
    expect(below).toEqual([
      { index: 1, value: [least / 4, sizes[9]], matches: sizes.filter(size => size <= sizes[9]!).length },
    ]);
    const nowhere: Test = { name: 'city', kind: 'string', op: 'eq', operands: ['Nowhere'] };
    expect((await relax([BOTH, nowhere])).relax).toEqual([{ index: 1, value: null, matches: rows.length }]);
    // Two that nothing passes: neither alone is enough.
    expect((await relax([BOTH, nowhere, number('acreage', 'lt', least / 2)])).relax).toEqual([]);
  });

  it('lets nothing give way where something passes', async () => {
    expect(await relax([BOTH])).toMatchObject({ count: rows.length, relax: [], unread: false });
  });
});

describe('parcels like one', () => {
  const FIELDS = ['acreage', 'parval', 'nearest_road_distance_m'];
  it('are those at the least distance in standard deviations', async () => {
    const there = (row: PublishedRow) => FIELDS.every(name => row[name] !== null && row[name] !== undefined);
    const mine = rows.filter(there)[11]!;
    const fields = FIELDS.map(name => ({ name, kind: 'number' as const }));
    const answer = await similarParcels(
      { ...SHARED, filters: [BOTH], parcelId: idOf(mine), fields, limit: 25 },
      environment(),
    );
    if (!('own' in answer)) throw new Error('no likenesses');
    const deviations = FIELDS.map(name => {
      const values = rows.flatMap(row => (row[name] === null || row[name] === undefined ? [] : [Number(row[name])]));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    });
    const distances = rows
      .filter(row => there(row) && row !== mine)
      .map(row => {
        const each = FIELDS.map((name, i) => Math.abs(Number(row[name]) - Number(mine[name])) / deviations[i]!);
        return { id: idOf(row), each, all: Math.hypot(...each) };
      })
      .sort((a, b) => a.all - b.all);
    const matches = JSON.parse(answer.matches) as {
      parcel_id: string;
      rank: number;
      distance: number;
      fields: Record<string, { distance: number }>;
    }[];
    expect(matches).toHaveLength(25);
    const byId = new Map(distances.map(one => [one.id, one]));
    for (const [i, match] of matches.entries()) {
      expect(match.rank).toBe(i + 1);
      expect(match.distance).toBeCloseTo(distances[i]!.all, 8);
      for (const [k, name] of FIELDS.entries())
        expect(match.fields[name]!.distance).toBeCloseTo(byId.get(match.parcel_id)!.each[k]!, 8);
    }
    expect(answer).toMatchObject({ considered: rows.length - 1, failed: 0 });
    expect(answer.absent).toBe(rows.length - 1 - distances.length);
    for (const [i, name] of FIELDS.entries()) {
      expect(answer.own[name]).toMatchObject({ value: Number(mine[name]), status: 'ok' });
      expect(answer.own[name]!.deviation).toBeCloseTo(deviations[i]!, 6);
    }
  });

  it('are none where the parcel has no value to compare', async () => {
    const name = Object.keys(rows[0]!).find(
      key => rows.some(row => row[key] === null) && rows.some(row => typeof row[key] === 'number'),
    )!;
    const mine = rows.find(row => row[name] === null)!;
    const fields = [{ name, kind: 'number' as const }];
    const asked = { ...SHARED, filters: [BOTH], parcelId: idOf(mine), fields, limit: 5 };
    expect(await similarParcels(asked, environment())).toMatchObject({
      matches: '[]',
      own: { [name]: { value: null, status: 'absent' } },
      considered: rows.length - 1,
    });
  });
});
