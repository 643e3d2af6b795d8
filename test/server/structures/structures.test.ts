import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FloodShare, Height, Structure, Structures } from '../../../query/structures/request.ts';
import { rectangle } from '../../query/release-fixture.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.engine.reset());
afterAll(() => fixture[Symbol.asyncDispose]());

const ID = `pcl_${'a'.repeat(22)}`;
const cited = { source: 'a map', sourceUrl: null, vintage: '2025' };
const known = { status: 'ok', reason: null, retryable: false, ...cited } as const;
const inside: FloodShare = { ...known, share: 0.5, least: 0.1, most: 0.9, verdict: 'inside' };
const metres = (value: number): Height => ({ ...known, metres: value, error: 0.5 });
const house: Structure = {
  ...{ id: 'B1', occupancy: 'Residential', point: { lng: -70, lat: 44 }, squareMetres: 99.96, onGround: 0.75 },
  geometry: rectangle([-70, 44, -69.9, 44.1]),
  ...{ footprint: cited, sfha: inside, moderate: { ...inside, share: 0, verdict: 'outside' } },
  zones: { ...known, zone: 'AE', shares: [{ zone: 'AE', share: 0.5 }] },
  ...{ lowest: metres(9), baseFlood: metres(12), aboveBaseFlood: { ...metres(-3), verdict: 'below' } },
};
const ALL: Structures = {
  ...{ gross: 4046.8564224, footprints: known, count: 1, structures: [house] },
  ...{ partly: false, rejected: 0, late: false },
};

async function post(body: object) {
  const response = await fixture.app.inject({
    method: 'POST',
    url: '/v1/structures',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

it('each structure has its shares, its heights and what they rest on, at no charge', async () => {
  fixture.engine.structured = ALL;
  const { status, headers, body } = await post({ parcel_id: ID });
  expect([status, headers['x-service-credits'] ?? '0']).toEqual([200, '0']);
  const map = {
    status: 'ok',
    reason: null,
    retryable: false,
    source: 'a map',
    source_url: null,
    dataset_vintage: '2025',
  };
  expect(body).toMatchObject({ ground_acres: 1, count: 1, footprints: map, warnings: [], status: 'complete' });
  expect(body.structures[0]).toMatchObject({
    ...{ structure_id: 'B1', lat: 44, lng: -70, area_m2: 100, share_on_ground: 0.75, source: 'a map' },
    geometry: { type: 'Polygon' },
    special_flood_hazard_area: { verdict: 'inside', share: 0.5, share_least: 0.1, share_most: 0.9, ...map },
    flood_zone: { zone: 'AE', shares: [{ zone: 'AE', share: 0.5 }], ...map },
    floodplain_500yr: { verdict: 'outside', share: 0 },
    ...{ lowest_ground: { value_m: 9, error_m: 0.5, ...map }, base_flood_elevation: { value_m: 12 } },
    height_above_base_flood: { verdict: 'below', value_m: -3, error_m: 0.5 },
  });
  expect(fixture.engine.structuresAsked.at(-1)!.ground).toEqual({ parcelId: ID });
});

it('what is not known is said, never counted as none', async () => {
  const footprints = { ...known, status: 'absent', reason: 'outside the coverage of buildings' } as const;
  fixture.engine.structured = { ...ALL, footprints, count: null, structures: [] };
  const { body } = await post({ parcel_id: ID });
  expect(body).toMatchObject({
    ...{ count: null, structures: [], status: 'partial', completion_reason: 'source_unavailable' },
    footprints: { status: 'absent', reason: 'outside the coverage of buildings' },
    warnings: ['It is not known which buildings stand here: outside the coverage of buildings.'],
  });
  fixture.engine.structured = { ...ALL, count: 300, late: true, partly: true, rejected: 2 };
  const late = (await post({ parcel_id: ID })).body;
  expect(late).toMatchObject({ count: 300, status: 'partial', completion_reason: 'timeout' });
  expect(late.warnings).toHaveLength(3);
});

it('refuses a parcel that nobody has and wrong bodies, without their values', async () => {
  fixture.engine.structured = { missing: true };
  expect(await post({ parcel_id: ID })).toMatchObject({ status: 404, body: { detail: { error: 'parcel_not_found' } } });
  for (const body of [
    {},
    { parcel_id: ID, lat: 1, lng: 2 },
    { lat: 44 },
    { site_id: 'site_x' },
    { geometry: 'secret' },
  ]) {
    const refused = await post(body);
    expect(refused, JSON.stringify(body)).toMatchObject({
      status: 422,
      body: { detail: { error: 'search_invalid_request' } },
    });
    expect(JSON.stringify(refused.body)).not.toContain('secret');
  }
});
