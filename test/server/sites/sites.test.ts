import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteScreened, siteUnscreened } from '../../../server/state/sites.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { circle, square } from './site-shapes.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ limits: { bodyLimit: 4_000_000 } });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const headers = (token = fixture.token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const post = (site: unknown, token?: string) =>
  fixture.app.inject({ method: 'POST', url: '/v1/sites', headers: headers(token), payload: JSON.stringify({ site }) });
const raw = (payload: string) => fixture.app.inject({ method: 'POST', url: '/v1/sites', headers: headers(), payload });
const get = (id: string, token?: string) =>
  fixture.app.inject({ method: 'GET', url: `/v1/sites/${id}`, headers: headers(token) });
const spent = async () => {
  const usage = await fixture.app.inject({ method: 'GET', url: '/v1/users/me/usage', headers: headers() });
  return usage.json().credits_used as number;
};

/** Screenings that wait. */
const waiting = async () => (await fixture.state.jobs.jobs({ kind: 'screening', status: 'waiting', limit: 9 })).length;
/** Ends the screening that waits as a worker would. */
const screened = async (site_id: string) => {
  const claim = (await fixture.state.jobs.claim('screening'))!;
  expect(claim.data).toEqual({ site_id });
  await fixture.state.jobs.finish(claim, await siteScreened(site_id, '{}', 'r1', fixture.clock.time));
};

describe('POST /v1/sites', () => {
  it('reads a long polygon as it reads a short one, and repeats it in a refusal as it was sent', async () => {
    const site = circle(400);
    expect(JSON.stringify({ site }).length).toBeGreaterThan(10_000);
    const { site_id } = (await post(site)).json();
    const spaced = await raw(JSON.stringify({ site }, null, 1));
    expect(spaced.json().site_id).toBe(site_id);
    const { detail } = (await raw(JSON.stringify({ site, more: site }))).json();
    expect(detail).toMatchObject([{ loc: ['body', 'more'], type: 'extra_forbidden', input: site }]);
  });

  it('registers a polygon, charges 10 credits a call and has it screened', async () => {
    const response = await post(square());
    expect(response.statusCode).toBe(202);
    const body = response.json();
    expect(Object.keys(body)).toEqual(['site_id', 'status', 'message']);
    expect(body.site_id).toMatch(/^site_[0-9a-f]{32}$/);
    expect(body.status).toBe('building');
    expect(await spent()).toBe(10);
    expect(await waiting()).toBe(1);
    const again = await post(square());
    expect(again.json().site_id).toBe(body.site_id);
    expect(await spent()).toBe(20);
    expect(await waiting()).toBe(1);
  });

  it('knows the same polygon in another notation, and another polygon', async () => {
    const first = (await post(square())).json().site_id;
    const [ring] = square().coordinates;
    const open = ring!.slice(0, -1);
    const turned = [...open.slice(2), ...open.slice(0, 2)].reverse();
    const noted = { type: 'MultiPolygon', coordinates: [[[...turned, turned[0]!, turned[0]!]]] };
    expect((await post(noted)).json().site_id).toBe(first);
    expect((await post(square(0.0100001))).json().site_id).not.toBe(first);
  });

  it('a ready site is charged and not screened again, unless another release came', async () => {
    const { site_id } = (await post(square())).json();
    await screened(site_id);
    const ready = await post(square());
    expect(ready.statusCode).toBe(202);
    expect(ready.json()).toMatchObject({ site_id, status: 'ready' });
    expect(await spent()).toBe(20);
    expect(await waiting()).toBe(0);
    fixture.engine.current = { ...fixture.engine.current, release: 'r2' };
    expect((await post(square())).json().status).toBe('building');
    expect(await waiting()).toBe(1);
  });

  it('a failed site is tried again', async () => {
    const { site_id } = (await post(square())).json();
    const claim = (await fixture.state.jobs.claim('screening'))!;
    await fixture.state.jobs.fail(claim, 'a reason', true, siteUnscreened(site_id, 'a reason'));
    expect((await get(site_id)).json()).toMatchObject({ status: 'failed', built_at: null });
    expect((await post(square())).json().status).toBe('building');
  });

  it('is refused when the credits do not last, and nothing is registered', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 15);
    const { site_id } = (await post(square())).json();
    const refused = await post(square(0.02));
    expect(refused.statusCode).toBe(402);
    expect(refused.json().detail.error).toBe('credits_exhausted');
    expect(await spent()).toBe(10);
    expect((await get(site_id)).statusCode).toBe(200);
    expect(await waiting()).toBe(1);
  });

  const ring = square().coordinates[0]!;
  const BAD: Record<string, [unknown, RegExp, string?]> = {
    altitude: [
      { type: 'Polygon', coordinates: [ring.map(([x, y]) => [x, y, 30])] },
      /without altitude/,
      'site.coordinates[0][0]',
    ],
    'one point': [{ type: 'Polygon', coordinates: [[ring[0]]] }, /expected at least 4/],
    'one point four times': [
      { type: 'Polygon', coordinates: [[ring[0], ring[0], ring[0], ring[0]]] },
      /fewer than three different points/,
    ],
    'an open ring': [{ type: 'Polygon', coordinates: [ring.slice(0, -1)] }, /not closed/, 'site.coordinates[0][3]'],
    'a wrong type': [{ type: 'Point', coordinates: ring[0] }, /neither a Polygon nor a MultiPolygon/, 'site.type'],
    'a line': [{ type: 'LineString', coordinates: ring }, /neither a Polygon nor a MultiPolygon/],
    'a Feature': [{ type: 'Feature', properties: {}, geometry: square() }, /no Feature/],
    'a crs': [{ ...square(), crs: { type: 'name' } }, /no Feature, crs/],
    'swapped coordinates': [{ type: 'Polygon', coordinates: [ring.map(([x, y]) => [y, x])] }, /seem to be swapped/],
    'another continent': [square(0.01, 2.35, 48.85), /outside the United States/],
    'one position abroad': [
      { type: 'Polygon', coordinates: [[...ring.slice(0, -1), [-64, 44.79], ring[0]]] },
      /outside the United States/,
    ],
    'a bow tie': [
      { type: 'Polygon', coordinates: [[ring[0], ring[2], ring[1], ring[3], ring[0]]] },
      /self-intersection at the edge from ring 0, position 0 and the edge from ring 0, position 2 .*no edge cross/s,
    ],
    'overlapping parts': [
      { type: 'MultiPolygon', coordinates: [square().coordinates, square(0.02).coordinates] },
      /not valid/,
    ],
    'a hole outside': [
      { type: 'Polygon', coordinates: [ring, square(0.001, -68.7).coordinates[0]] },
      /hole lies outside shell at ring 1, position \d /,
    ],
    'no rings': [{ type: 'Polygon', coordinates: [] }, /nonempty list/],
    text: ['POLYGON((0 0))', /not a GeoJSON object/],
    null: [null, /not a GeoJSON object/],
    'a number as text': [{ type: 'Polygon', coordinates: [[['a', 1], ...ring.slice(1)]] }, /finite JSON number/],
    'too many acres': [square(1), /acres, more than 200,000/],
    'one vertex too many': [circle(20_001), /20,001 vertices, more than 20,000/],
  };
  it.each(Object.entries(BAD))('refuses %s with 422 and a hint, at no charge', async (_, [site, problem, path]) => {
    const response = await post(site);
    expect(response.statusCode).toBe(422);
    const { detail } = response.json();
    expect(detail).toMatchObject({ error: 'invalid_geometry', retryable: false });
    expect(detail.message).toMatch(problem);
    expect(detail.issues).toHaveLength(1);
    expect(detail.issues[0].hint.length).toBeGreaterThan(10);
    if (path) expect(detail.issues[0].path).toBe(path);
    expect(await spent()).toBe(0);
    expect(await waiting()).toBe(0);
  });

  it('takes 20,000 vertices and just under 200,000 acres', async () => {
    expect((await post(circle(20_000))).statusCode).toBe(202);
    const big = await post(square(0.303, -68.9, 44.7));
    expect(big.statusCode).toBe(202);
    expect((await get(big.json().site_id)).json().site_acres).toBeGreaterThan(195_000);
  });

  it('a body of another shape is 422 in the default shape', async () => {
    for (const payload of ['{}', '[]', '{"site": {}, "more": 1}', '{"polygon": {}}']) {
      const response = await raw(payload);
      expect(response.statusCode).toBe(422);
      expect(Array.isArray(response.json().detail)).toBe(true);
    }
    expect(await spent()).toBe(0);
  });
});

describe('GET /v1/sites/{site_id}', () => {
  it('is the record, unmetered', async () => {
    const { site_id } = (await post(square())).json();
    const response = await get(site_id);
    expect(response.statusCode).toBe(200);
    const body = response.json();
    expect(Object.keys(body)).toEqual(['site_id', 'status', 'site_acres', 'site_extent', 'built_at']);
    expect(body).toMatchObject({
      site_id,
      status: 'building',
      site_extent: [-68.78, 44.79, -68.77, 44.8],
      built_at: null,
    });
    expect(body.site_acres).toBeCloseTo(217.3, 0);
    expect(await spent()).toBe(10);
    await screened(site_id);
    expect((await get(site_id)).json()).toMatchObject({ status: 'ready', built_at: '2026-01-02T03:04:05.678Z' });
  });

  it('is read only by accounts that registered it; unknown, foreign and malformed ids are alike', async () => {
    const { site_id } = (await post(square())).json();
    const other = await fixture.state.openAccount('other@example.org', 'build');
    const token = await fixture.tokens.issue(other);
    const foreign = await get(site_id, token);
    const unknown = await get(`site_${'0'.repeat(32)}`);
    for (const response of [foreign, unknown, await get('site_x'), await get('%00'), await get('site_Ä')]) {
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual(unknown.json());
    }
    expect(unknown.json().detail.error).toBe('site_not_found');
    expect((await post(square(), token)).json().site_id).toBe(site_id);
    expect((await get(site_id, token)).statusCode).toBe(200);
  });

  it('is gone 30 days after the last registration', async () => {
    const { site_id } = (await post(square())).json();
    fixture.clock.time += 29 * 86_400_000;
    expect((await get(site_id)).statusCode).toBe(200);
    fixture.clock.time += 2 * 86_400_000;
    expect((await get(site_id)).statusCode).toBe(404);
    expect(await fixture.state.sites.prune(fixture.clock.time)).toBe(1);
  });
});
