import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import type { Ctx } from '../../../server/context.ts';
import { jsonOf } from '../../../server/http/written-json.ts';
import { Gate } from '../../../server/lease/gate.ts';
import { type ProximityServices, proximity, proximityOf } from '../../../server/proximity/operation.ts';
import { embeddedRouting } from '../../../server/proximity/provider/embedded.ts';
import type { Operation } from '../../../server/proximity/schema.ts';
import { periodOf } from '../../../server/state/usage/period.ts';
import { syntheticHome, syntheticWorld } from '../../synthetic-home.ts';
import { contextFor, type Fixture, openFixture } from '../service-fixture.ts';

type Answer = Awaited<ReturnType<typeof proximityOf>>;

let engine: Engine;
let fixture: Fixture;
let services: ProximityServices;
/** Places on streets of the synthetic area, in both states. */
let places: { lat: number; lng: number }[];

beforeAll(async () => {
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 64, memoryMb: 128 });
  fixture = await openFixture({ plan: 'scale' });
  services = { routing: embeddedRouting(engine), gate: new Gate(4) };
  const { lattice } = await syntheticWorld();
  places = [
    [1.3, 1],
    [1, lattice.rows / 2 + 0.3],
    [lattice.columns - 1.4, 1],
    [lattice.columns - 1, lattice.rows - 1.2],
  ].map(([column, row]) => {
    const [lng, lat] = lattice.at(column!, row!);
    return { lng, lat };
  });
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await engine?.close();
});

/** The engine's workers live by the clock of the machine. */
const ctx = (more: Partial<Ctx> = {}) =>
  contextFor(fixture, { engine, catalog, clock: Date, deadline: Date.now() + 60_000, ...more });
const used = async () => {
  const now = Date.now();
  const { spent, held } = await fixture.state.ledger.usage(fixture.account.id, periodOf(now), now);
  return spent + held;
};
/** An answer as its client reads it. */
const ask = async (operation: Operation, body: unknown) =>
  JSON.parse(jsonOf(await proximityOf(ctx(), services, operation, body)).toString());

describe('a matrix over the roads of the synthetic area', () => {
  it('has the times of every pair, also over the state line, and says what from', async () => {
    const answer = await ask('matrix', { origins: places, destinations: places });
    const minutes = answer.minutes as number[][];
    const meters = answer.meters as number[][];
    for (const [i, from] of places.entries())
      for (const [j, to] of places.entries()) {
        const straight = distance(from.lng, from.lat, to.lng, to.lat);
        if (i === j) expect([minutes[i]![j], meters[i]![j]]).toEqual([0, 0]);
        else {
          expect(meters[i]![j]).toBeGreaterThan(straight - 5);
          expect(meters[i]![j]).toBeLessThan(2.5 * straight + 3_000);
          // Between 100 km/h and a crawl.
          expect(minutes[i]![j]! * (100 / 3.6) * 60).toBeGreaterThan(straight - 5);
          expect(minutes[i]![j]! * (20 / 3.6) * 60).toBeLessThan(meters[i]![j]! * 1.01 + 100);
        }
      }
    expect(answer).toMatchObject({
      operation: 'matrix',
      provider: 'embedded',
      source: 'synthetic:census_tiger',
      dataset_vintage: 'synthetic',
      distances: 'driving',
      calculations: 16,
      unresolved: [],
    });
  });

  it('reports what has no road by its index, and leaves its row and column empty', async () => {
    const far = { lat: 44.5, lng: -68.2 };
    const answer = await ask('matrix', {
      origins: [
        { ...places[0]!, id: 'a' },
        { ...far, id: 'b' },
        { lat: 48.85, lng: 2.35 },
      ],
      destinations: [places[1]!, far],
    });
    expect(answer.unresolved).toMatchObject([
      { role: 'origins', index: 1, id: 'b', error: 'proximity_data_unavailable' },
      { role: 'origins', index: 2, error: 'coord_out_of_bounds' },
      { role: 'destinations', index: 1, error: 'proximity_data_unavailable' },
    ]);
    expect(answer.minutes).toEqual([
      [expect.any(Number), null],
      [null, null],
      [null, null],
    ]);
    expect(answer.origins).toMatchObject([
      { index: 0, id: 'a', snapped_m: expect.any(Number), nearest_road_m: expect.any(Number) },
      { index: 1, id: 'b', snapped_m: null, nearest_road_m: null },
      { index: 2 },
    ]);
    expect(answer.calculations).toBe(1);
  });

  it('is unavailable where no origin has roads, and says where there are', async () => {
    const far = [{ lat: 44.5, lng: -68.2 }];
    await expect(ask('matrix', { origins: far, destinations: places })).rejects.toMatchObject({
      code: 'proximity_data_unavailable',
      context: { regions: [{ place: 'synthetic' }] },
    });
    for (const [operation, body] of [
      ['matrix', { origins: places, destinations: far }],
      ['nearest', { origin: places[0], candidates: far }],
    ] as const)
      await expect(ask(operation, body)).rejects.toMatchObject({
        code: 'proximity_data_unavailable',
        context: { regions: [{ place: 'synthetic', box: expect.any(Array) }] },
      });
    await expect(ask('matrix', { origins: [{ lat: 10, lng: 10 }], destinations: places })).rejects.toMatchObject({
      code: 'unresolvable_input',
      context: { unresolved: [{ role: 'origins', index: 0, error: 'coord_out_of_bounds' }] },
    });
  });

  it('costs a credit for ten calculations begun, and one when it asks for too many', async () => {
    const before = await used();
    await ask('matrix', { origins: places, destinations: places });
    expect((await used()) - before).toBe(2);
    const many = Array.from({ length: 100 }, () => places[0]!);
    await expect(ask('matrix', { origins: many, destinations: many.slice(0, 36) })).rejects.toMatchObject({
      code: 'proximity_request_exceeds_budget_share',
      context: { calculations: 3_600, max: 3_500 },
    });
    expect((await used()) - before).toBe(3);
    await expect(ask('matrix', { origins: [{ lat: 44.5, lng: -68.2 }], destinations: places })).rejects.toThrow();
    expect((await used()) - before).toBe(3);
  });
});

describe('the nearest of a set', () => {
  it('by drive time are those that a matrix to all of them says', async () => {
    const answer = await ask('nearest', { origin: places[0]!, candidates: '@substations', k: 50 });
    const results = answer.results as { lat: number; lng: number; minutes: number; name: string }[];
    expect(results.length).toBeGreaterThan(1);
    const table = await ask('matrix', {
      origins: [places[0]!],
      destinations: results.map(({ lat, lng }) => ({ lat, lng })),
    });
    expect((table.minutes as number[][])[0]).toEqual(results.map(({ minutes }) => minutes));
    expect(results.map(({ minutes }) => minutes)).toEqual(results.map(({ minutes }) => minutes).sort((a, b) => a - b));
    const two = await ask('nearest', { origin: places[0]!, candidates: '@substations', k: 2 });
    expect(two.results).toEqual(results.slice(0, 2));
    expect(answer).toMatchObject({ set: '@substations', distances: 'driving', by: 'drive_time' });
  });

  it.each(['@airports', '@substations', '@power_plants', '@rail', '@ports', '@urban_areas'])(
    '%s are there, cited, in a straight line at no charge',
    async set => {
      const before = await used();
      const answer = await ask('nearest', { origin: places[0]!, candidates: set, k: 3, by: 'straight_line' });
      const results = answer.results as Record<string, number | string>[];
      expect(results.length).toBeGreaterThan(0);
      for (const one of results) {
        expect(one.source).toMatch(/^synthetic:/);
        const { lng, lat } = places[0]!;
        expect(one.straight_line_m).toBeCloseTo(distance(lng, lat, Number(one.lng), Number(one.lat)), 0);
        expect([one.minutes, one.meters]).toEqual([null, null]);
      }
      expect(answer).toMatchObject({ distances: 'straight_line', calculations: 0, provider: null });
      expect(await used()).toBe(before);
    },
  );

  it('of a list names them by index and id, and keeps to both limits', async () => {
    const candidates = places.map((place, i) => ({ ...place, id: `p${i}` }));
    const all = await ask('nearest', { origin: places[1]!, candidates });
    const results = all.results as { index: number; id: string; minutes: number; straight_line_m: number }[];
    expect(results[0]).toMatchObject({ index: 1, id: 'p1', minutes: 0, straight_line_m: 0 });
    expect(results).toHaveLength(4);
    const most = results[1]!.minutes + 0.01;
    const near = await ask('nearest', { origin: places[1]!, candidates, max_minutes: most });
    expect(near.results).toEqual(results.slice(0, 2));
    const km = await ask('nearest', { origin: places[1]!, candidates, max_km: 0 });
    expect(km.results).toEqual(results.slice(0, 1));
  });
});

describe('a screen', () => {
  it('says of each candidate and rule whether it passes, and by what', async () => {
    const [home, near, far] = [places[0]!, places[1]!, places[3]!];
    const answer = await ask('screen', {
      candidates: [home, far, { lat: 44.5, lng: -68.2 }],
      rules: [
        { name: 'town', to: [near], within_minutes: 10 },
        { name: 'any', to: '@substations', within_km: 500 },
        { name: 'soon', to: '@substations', within_minutes: 600, min_count: 2 },
      ],
    });
    const [a, b, c] = answer.results as { passed: boolean | null; rules: Record<string, unknown>[] }[];
    const table = await ask('matrix', { origins: [home, far], destinations: [near] });
    const minutes = (table.minutes as number[][]).map(row => row[0]!);
    expect(a!.rules[0]).toMatchObject({
      name: 'town',
      passed: minutes[0]! <= 10,
      nearest: { index: 0, minutes: minutes[0] },
    });
    expect(b!.rules[0]).toMatchObject({ passed: minutes[1]! <= 10, nearest: { minutes: minutes[1] } });
    expect(a!.rules[1]).toMatchObject({ passed: true, distances: 'straight_line', nearest: { minutes: null } });
    expect(a!.rules[2]).toMatchObject({ passed: true, count: 2, distances: 'driving' });
    expect(a!.passed).toBe(minutes[0]! <= 10);
    // Neither roads nor substations of the area reach there: nothing is said.
    expect(c!.rules.map(rule => rule.passed)).toEqual([null, null, null]);
    expect(c!.passed).toBeNull();
    expect(answer.unresolved).toMatchObject([{ role: 'candidates', index: 2 }]);
  });
});

describe('a labor shed', () => {
  it('holds the tracts between two times, and their sums add up over annuli', async () => {
    const whole = await ask('labor_shed', { origin: places[0]!, max_minutes: 60 });
    const inner = await ask('labor_shed', { origin: places[0]!, max_minutes: 4 });
    const outer = await ask('labor_shed', { origin: places[0]!, min_minutes: 4.0001, max_minutes: 60 });
    const tracts = (answer: Answer) => (answer.tracts as { geoid: string; minutes: number }[]).map(t => t.geoid);
    expect([...tracts(inner), ...tracts(outer)]).toEqual(tracts(whole));
    expect(tracts(inner).length).toBeGreaterThan(0);
    const total = (answer: Answer, name: string) =>
      (answer.totals as Record<string, { value: number | null; source: string | null }>)[name]!;
    for (const name of ['population', 'jobs', 'labor_force', 'employed_residents', 'unemployed'])
      expect(total(inner, name).value! + total(outer, name).value!).toBe(total(whole, name).value);
    // Everybody of the area lives within an hour.
    const { counties } = await syntheticWorld();
    const people = counties
      .flatMap(({ census }) => [...census.blocks()])
      .reduce((sum, { population }) => sum + population, 0);
    expect(total(whole, 'population')).toMatchObject({ value: people, source: 'synthetic:census_tiger' });
    expect(total(whole, 'employed_residents').value! + total(whole, 'unemployed').value!).toBe(
      total(whole, 'labor_force').value,
    );
    const { workers_by_sector } = whole.totals as Record<string, Record<string, { value: number; source: string }>>;
    const sectors = Object.values(workers_by_sector!);
    expect(sectors.reduce((sum, { value }) => sum + value, 0)).toBe(total(whole, 'jobs').value);
    expect(new Set(sectors.map(({ source }) => source))).toEqual(new Set(['synthetic:census_lodes']));
    expect(total(whole, 'average_weekly_wage').value).toBeGreaterThan(0);
    expect(whole.calculations).toBe(tracts(whole).length);
  });

  it('without a tract in reach counts nobody, and says what from', async () => {
    const whole = await ask('labor_shed', { origin: places[0]!, max_minutes: 60 });
    const none = await ask('labor_shed', { origin: places[0]!, min_minutes: 179, max_minutes: 180 });
    expect(none.tracts).toEqual([]);
    const { workers_by_sector, average_weekly_wage, ...counts } = none.totals as Record<string, object>;
    const of = whole.totals as Record<string, object>;
    const sectors = of.workers_by_sector as Record<string, object>;
    for (const [name, total] of Object.entries(counts))
      expect(total).toEqual({ ...of[name], value: 0, tracts_without: 0, note: null });
    for (const [name, total] of Object.entries(workers_by_sector!))
      expect(total).toEqual({ ...sectors[name], value: 0, tracts_without: 0, note: null });
    expect(average_weekly_wage).toMatchObject({ value: null, note: 'the shed has no tract' });
    expect((average_weekly_wage as { source: string }).source).toBe('synthetic:bls_qcew');
  });
});

describe('an isochrone', () => {
  it('is a FeatureCollection with the widest area first', async () => {
    const answer = await ask('isochrone', { origin: places[0]!, minutes: [2, 6, 2] });
    expect(answer).toMatchObject({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { minutes: 6 }, geometry: { type: 'MultiPolygon' } },
        { type: 'Feature', properties: { minutes: 2 } },
      ],
      calculations: 20,
    });
  });
});

it('the operation is named in the body, or in the path', async () => {
  const body = { origins: [places[0]!], destinations: [places[1]!] };
  const named = await proximity(ctx(), services, { operation: 'matrix', ...body });
  expect(JSON.parse(jsonOf(named).toString())).toEqual(await ask('matrix', body));
  await expect(proximity(ctx(), services, body)).rejects.toMatchObject({ code: 'invalid_request' });
});

it('what is past its deadline is refused and costs nothing', async () => {
  const before = await used();
  const late = ctx({ deadline: Date.now() });
  await expect(proximityOf(late, services, 'matrix', { origins: places, destinations: places })).rejects.toMatchObject({
    code: 'proximity_deadline_exceeded',
  });
  expect(await used()).toBe(before);
});

it('more at once than the gate lets in is busy, at no charge', async () => {
  const full: ProximityServices = { ...services, gate: new Gate(1) };
  await full.gate.enter('another', new AbortController().signal);
  await expect(proximityOf(ctx(), full, 'matrix', { origins: places, destinations: places })).rejects.toMatchObject({
    code: 'proximity_busy',
  });
});
