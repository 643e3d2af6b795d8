import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dossier } from '../../../server/sites/dossier.ts';
import { siteScreened, siteUnscreened } from '../../../server/state/sites.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { square } from './site-shapes.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, token = fixture.token, more: object = {}) =>
  fixture.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...more,
    },
    ...(method === 'POST' ? { payload: JSON.stringify({ site: square(SIDE) }) } : {}),
  });
let SIDE = 0.01;

async function register(side: number, token?: string): Promise<string> {
  SIDE = side;
  const { site_id } = (await call('POST', '/v1/sites', token)).json();
  fixture.clock.time += 1_000;
  return site_id;
}

/** A token of another account. */
async function otherToken(): Promise<string> {
  const account = await fixture.state.openAccount('other@example.org', 'build');
  return fixture.tokens.issue(account);
}

const cited = { source: 'nlcd', source_url: null, dataset_vintage: '2021', confidence: 'high', notes: null };
const record = { ...cited, unit: null, fetched_at: '2026-11-01T00:00:00.000Z', ttl_seconds: 60, status: 'ok' as const };
const DOSSIER: Dossier = {
  release: 'r1',
  built_at: '2026-11-01T00:00:00.000Z',
  acres: 12.5,
  extent: [-68.77, 44.8, -68.76, 44.81],
  analysis_point: { lat: 44.805, lng: -68.765 },
  records: {
    slope_degrees: {
      ...record,
      field: 'slope_degrees',
      value: 3,
      area: {
        ...cited,
        status: 'ok',
        statistics: { kind: 'range', min: 1, mean: 2.5, max: 9, cells: 40, without_value: 0.1 },
      },
    },
    flood_note: { ...record, field: 'flood_note', value: '=A, "B"', area: null },
  },
  parcels: {
    status: 'ok',
    count: 1,
    acres_on_site: 12,
    parcels: [{ parcel_id: 'pcl_1', apn: '7', address: null, source: 'county', acres: 20, acres_on_site: 12 }],
    source: 'county',
    dataset_vintage: '2026',
    notes: [],
  },
};

async function screened(site_id: string, dossier: object = DOSSIER) {
  const claim = (await fixture.state.jobs.claim('screening'))!;
  await fixture.state.jobs.finish(
    claim,
    await siteScreened(site_id, JSON.stringify(dossier), 'r1', fixture.clock.time),
  );
}

describe('GET /v1/sites', () => {
  it('lists the own ones page by page, the last registered first', async () => {
    const [first, second, third] = [await register(0.01), await register(0.02), await register(0.03)];
    await register(0.04, await otherToken());
    const page = (await call('GET', '/v1/sites?limit=2')).json();
    expect(page.sites.map((site: { site_id: string }) => site.site_id)).toEqual([third, second]);
    expect(page.sites[0]).toEqual((await call('GET', `/v1/sites/${third}`)).json());
    const rest = (await call('GET', `/v1/sites?limit=2&cursor=${page.next_cursor}`)).json();
    expect(rest).toMatchObject({ sites: [{ site_id: first }], next_cursor: null });
    await register(0.01);
    expect((await call('GET', '/v1/sites')).json().sites[0].site_id).toBe(first);
    const foreign = await call('GET', `/v1/sites?cursor=${page.next_cursor}`, await otherToken());
    expect([foreign.statusCode, foreign.json().detail.error]).toEqual([422, 'list_cursor_invalid']);
  });
});

describe('GET /v1/sites/{site_id}/dossier', () => {
  it('is what was found, as JSON, table and map', async () => {
    const id = await register(0.01);
    await screened(id);
    const url = `/v1/sites/${id}/dossier`;
    for (const accept of [undefined, '*/*', 'image/png', 'text/csv;q=0.1, application/json'])
      expect((await call('GET', url, undefined, accept ? { accept } : {})).json()).toEqual({ site_id: id, ...DOSSIER });
    const csv = await call('GET', url, undefined, { accept: 'text/csv' });
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      vary: expect.stringMatching(/Accept/),
    });
    const [header, slope, note] = csv.body.split('\r\n');
    const cells = Object.fromEntries(header!.split(',').map((name, i) => [name, slope!.split(',')[i]]));
    expect(cells).toMatchObject({
      field: 'slope_degrees',
      value: '3',
      area_kind: 'range',
      min: '1',
      mean: '2.5',
      max: '9',
      not_covered: '0.1',
      source: 'nlcd',
    });
    // What a spreadsheet would run is text.
    expect(note).toContain(`"'=A, ""B"""`);
    const map = await call('GET', url, undefined, { accept: 'application/geo+json, text/csv;q=0.5' });
    expect(map.headers['content-type']).toBe('application/geo+json');
    expect(map.json()).toMatchObject({
      type: 'FeatureCollection',
      features: [{ id, geometry: { type: 'Polygon' }, properties: { site_id: id, acres: 12.5 } }],
    });
  });

  it('says why there is none', async () => {
    const id = await register(0.01);
    const url = `/v1/sites/${id}/dossier`;
    const early = await call('GET', url);
    expect([early.statusCode, early.json().detail.error]).toEqual([409, 'site_not_ready']);
    const claim = (await fixture.state.jobs.claim('screening'))!;
    await fixture.state.jobs.fail(claim, 'a reason', true, siteUnscreened(id, 'a reason'));
    const failed = await call('GET', url);
    expect([failed.statusCode, failed.json().detail.error]).toEqual([409, 'site_failed']);
    for (const response of [await call('GET', url, await otherToken()), await call('GET', '/v1/sites/x/dossier')])
      expect([response.statusCode, response.json().detail.error]).toEqual([404, 'site_not_found']);
  });
});

describe('DELETE /v1/sites/{site_id}', () => {
  it('takes it from the account alone while others have it, then altogether', async () => {
    const [mine, theirs] = [fixture.token, await otherToken()];
    const id = await register(0.01, mine);
    expect((await call('DELETE', `/v1/sites/${id}`, theirs)).statusCode).toBe(404);
    await register(0.01, theirs);
    await screened(id);
    expect((await call('DELETE', `/v1/sites/${id}`, mine)).statusCode).toBe(204);
    expect((await call('DELETE', `/v1/sites/${id}`, mine)).statusCode).toBe(404);
    expect((await call('GET', `/v1/sites/${id}`, mine)).statusCode).toBe(404);
    expect((await call('GET', '/v1/sites', mine)).json().sites).toEqual([]);
    expect((await call('GET', `/v1/sites/${id}/dossier`, theirs)).statusCode).toBe(200);
    expect((await call('DELETE', `/v1/sites/${id}`, theirs)).statusCode).toBe(204);
    SIDE = 0.01;
    expect((await call('POST', '/v1/sites', mine)).json()).toMatchObject({ site_id: id, status: 'building' });
  });
});
