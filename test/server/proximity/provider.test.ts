import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { distance } from '../../../query/geometry/geodesic.ts';
import { jsonOf } from '../../../server/http/written-json.ts';
import { Gate } from '../../../server/lease/gate.ts';
import { type ProximityServices, proximityOf } from '../../../server/proximity/operation.ts';
import { embeddedRouting } from '../../../server/proximity/provider/embedded.ts';
import { type HttpRoutingOptions, httpRouting } from '../../../server/proximity/provider/http.ts';
import { osrm } from '../../../server/proximity/provider/osrm.ts';
import { valhalla } from '../../../server/proximity/provider/valhalla.ts';
import type { Operation } from '../../../server/proximity/schema.ts';
import { periodOf } from '../../../server/state/usage/period.ts';
import { contextFor, type Fixture, openFixture } from '../service-fixture.ts';
import { type Loopback, openLoopback, SPEED } from './loopback.ts';

const KEY = 'a-secret-credential';

let fixture: Fixture;
let provider: Loopback;
beforeAll(async () => {
  [fixture, provider] = [await openFixture({ plan: 'scale' }), await openLoopback()];
});
afterAll(async () => {
  await provider?.close();
  await fixture?.[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const PROTOCOLS = { osrm, valhalla } as const;
type Name = keyof typeof PROTOCOLS;
const names = ['osrm', 'valhalla'] as const;

function services(name: Name, more: Partial<HttpRoutingOptions> & { timeoutMs?: number } = {}): ProximityServices {
  const { timeoutMs = 20_000, url = provider.url, key = KEY } = more;
  const routing = httpRouting({
    protocol: PROTOCOLS[name](url, key === 'none' ? '' : key, { timeoutMs, now: Date.now }),
    url,
    key,
    records: fixture.state.routing,
    budget: null,
    now: Date.now,
    embedded: embeddedRouting(fixture.engine),
    ...more,
  });
  return { routing, gate: new Gate(8) };
}
/** An answer as its client reads it. */
const ask = async (of: ProximityServices, operation: Operation, body: unknown, deadline = Date.now() + 60_000) =>
  JSON.parse(jsonOf(await proximityOf(contextFor(fixture, { clock: Date, deadline }), of, operation, body)).toString());
const used = async () => {
  const now = Date.now();
  const { spent, held } = await fixture.state.ledger.usage(fixture.account.id, periodOf(now), now);
  return spent + held;
};
const places = Array.from({ length: 120 }, (_, i) => ({
  lat: 40 + (i % 11) / 100,
  lng: -80 + Math.floor(i / 11) / 100,
}));
const minutes = (a: { lat: number; lng: number }, b: { lat: number; lng: number }) =>
  distance(a.lng, a.lat, b.lng, b.lat) / SPEED / 60;

describe.each(names)('%s', name => {
  it('answers a matrix in blocks that it takes, with the credential and in the order of the request', async () => {
    const [origins, destinations] = [places.slice(0, 52), places.slice(50, 110)];
    const before = await used();
    const answer = await ask(services(name), 'matrix', { origins, destinations });
    const rows = answer.minutes as number[][];
    for (const [i, from] of origins.entries())
      for (const [j, to] of destinations.entries()) expect(rows[i]![j]).toBeCloseTo(minutes(from, to), 2);
    expect((answer.meters as number[][])[3]![4]).toBeCloseTo(60 * SPEED * minutes(origins[3]!, destinations[4]!), -1);
    expect(answer).toMatchObject({
      provider: name,
      dataset_vintage: name === 'osrm' ? '2026-11-01' : null,
      unresolved: [],
      calculations: 52 * 60,
    });
    expect(provider.heard).toHaveLength(4);
    for (const { query } of provider.heard) expect(query.get('api_key')).toBe(KEY);
    expect((await used()) - before).toBe(312);
  });

  it('says what has no road, and what no way leads to', async () => {
    const answer = await ask(services(name), 'matrix', {
      origins: [places[0]!, { lat: 61, lng: -80, id: 'tundra' }],
      destinations: [{ lat: 61.5, lng: -80 }, places[1]!, { lat: 47, lng: -53 }],
    });
    expect(answer.minutes).toEqual([
      [null, expect.any(Number), null],
      [null, null, null],
    ]);
    expect(answer.unresolved).toMatchObject([
      { role: 'origins', index: 1, id: 'tundra', error: 'unresolvable_input' },
      { role: 'destinations', index: 0, error: 'unresolvable_input' },
    ]);
  });

  it('finds the nearest of a list', async () => {
    const answer = await ask(services(name), 'nearest', { origin: places[0]!, candidates: places.slice(20, 60), k: 3 });
    const byTime = places.slice(20, 60).map((place, index) => ({ index, time: minutes(places[0]!, place) }));
    byTime.sort((a, b) => a.time - b.time || a.index - b.index);
    expect((answer.results as { minutes: number }[]).map(one => one.minutes)).toEqual(
      byTime.slice(0, 3).map(({ time }) => expect.closeTo(time, 2)),
    );
    expect(answer.provider).toBe(name);
  });

  it.each<[string, number, string]>([
    ['a server error', 500, 'upstream_error'],
    ['a wrong credential', 401, 'upstream_auth'],
    ['a missing entitlement', 403, 'upstream_auth'],
    ['a rejected request', 400, 'upstream_auth'],
    ['overload', 429, 'upstream_transient'],
    ['a bad gateway', 502, 'upstream_transient'],
    ['maintenance', 503, 'upstream_transient'],
  ])('%s', async (_, status, code) => {
    provider.reset(response => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ said: KEY }));
      return true;
    });
    const before = await used();
    const refused = await ask(services(name), 'matrix', { origins: [places[0]!], destinations: [places[1]!] }).catch(
      e => e,
    );
    expect(refused).toMatchObject({ code });
    expect(JSON.stringify(refused.body)).not.toContain(KEY);
    // Passing trouble is worth a second try, nothing else is.
    expect(provider.heard).toHaveLength(code === 'upstream_transient' ? 2 : 1);
    expect(await used()).toBe(before);
  });

  it('is asked a second time, and that may be enough', async () => {
    provider.reset((response, times) => {
      if (times > 1) return false;
      response.destroy();
      return true;
    });
    const answer = await ask(services(name), 'matrix', { origins: [places[0]!], destinations: [places[1]!] });
    expect(answer.minutes).toEqual([[expect.any(Number)]]);
    expect(provider.heard).toHaveLength(2);
  });

  it('that drops every connection is transient; that talks nonsense is not', async () => {
    provider.reset(response => {
      response.destroy();
      return true;
    });
    const pair = { origins: [places[0]!], destinations: [places[1]!] };
    await expect(ask(services(name), 'matrix', pair)).rejects.toMatchObject({ code: 'upstream_transient' });
    for (const text of ['<html>', '{}', '[]', '{"code":"Ok","sources_to_targets":[[{"time":1}]],"durations":[[1]]}']) {
      provider.reset(response => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
        return true;
      });
      await expect(ask(services(name), 'matrix', pair), text).rejects.toMatchObject({ code: 'upstream_error' });
    }
  });

  it('that does not answer is transient at its own limit, and late at the deadline of the request', async () => {
    provider.reset(() => true);
    const pair = { origins: [places[0]!], destinations: [places[1]!] };
    await expect(ask(services(name, { timeoutMs: 100 }), 'matrix', pair)).rejects.toMatchObject({
      code: 'upstream_transient',
    });
    await expect(ask(services(name), 'matrix', pair, Date.now() + 150)).rejects.toMatchObject({
      code: 'proximity_deadline_exceeded',
    });
  });

  it('that cannot be reached is transient', async () => {
    const gone = await openLoopback();
    await gone.close();
    await expect(
      ask(services(name, { url: gone.url }), 'matrix', { origins: [places[0]!], destinations: [places[1]!] }),
    ).rejects.toMatchObject({ code: 'upstream_transient' });
  });
});

describe('a provider', () => {
  const pair = { origins: [places[0]!], destinations: [places[1]!] };

  it('without address or credential is unconfigured, and one that needs none says so', async () => {
    for (const more of [{ url: '' }, { key: '' }])
      await expect(ask(services('osrm', more), 'matrix', pair)).rejects.toMatchObject({
        code: 'proximity_unconfigured',
      });
    expect(provider.heard).toEqual([]);
    await ask(services('osrm', { key: 'none' }), 'matrix', pair);
    expect(provider.heard[0]!.query.has('api_key')).toBe(false);
  });

  it('is asked no more when the budget of the month is spent, over all servers', async () => {
    const of = () => services('osrm', { budget: 10 });
    // What other tests asked for counted nothing: they had no budget.
    await ask(of(), 'matrix', { origins: places.slice(0, 2), destinations: places.slice(0, 3) });
    await expect(
      ask(of(), 'matrix', { origins: places.slice(0, 1), destinations: places.slice(0, 5) }),
    ).rejects.toMatchObject({ code: 'proximity_budget_exhausted', retryAfter: 3600 });
    await ask(of(), 'matrix', { origins: places.slice(0, 2), destinations: places.slice(0, 2) });
    await expect(ask(of(), 'matrix', pair)).rejects.toMatchObject({ code: 'proximity_budget_exhausted' });
    expect(provider.heard).toHaveLength(2);
  });
});
