import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { polygonsToGeometry } from '../../../query/geometry/geos.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.engine.reset());
afterAll(() => fixture[Symbol.asyncDispose]());

const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
const ID = `pcl_${'a'.repeat(22)}`;
const FOUND = { groups: [], ownerless: 0, cut: 0, lacking: false, unknown: 0, unread: false, late: false, notices: [] };

async function post(body: object) {
  const response = await fixture.app.inject({
    method: 'POST',
    url: '/v1/assemblage',
    headers: { authorization: `Bearer ${fixture.token}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
}

describe('POST /v1/assemblage', () => {
  it('answers the groups in the order of the engine', async () => {
    const geometry = polygonsToGeometry([[Float64Array.of(0, 0, 1, 0, 1, 1, 0, 0)]]);
    const group = { acres: 41.5, owners: ['A', 'B'], parcelIds: [ID, `${ID}b`], geometry };
    fixture.engine.assembled = { ...FOUND, groups: [group] };
    const { status, body } = await post({ filters, acres_min: 40, owners_max: 2, road_m: 20, limit: 5 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      groups: [{ acres: 41.5, owners: ['A', 'B'], parcel_ids: [ID, `${ID}b`], geometry: { type: 'Polygon' } }],
      ...{ warnings: [], status: 'complete', completion_reason: 'exhausted' },
    });
    expect(fixture.engine.assemblings.at(-1)).toMatchObject({
      ...{ acresMin: 40, ownersMax: 2, roadM: 20, parcelId: null, limit: 5 },
    });
  });

  it('says what it could not find out', async () => {
    fixture.engine.assembled = { ...FOUND, ownerless: 1, cut: 2_000, lacking: true };
    const { body } = await post({ filters, acres_min: 40 });
    expect(body.warnings).toEqual([
      expect.stringContaining('The owner of 1 parcel is not known'),
      expect.stringContaining('About 2,000 parcels not every group was tried'),
      expect.stringContaining('which parcels are neighbors'),
    ]);
    expect(body).toMatchObject({ status: 'partial', completion_reason: 'source_unavailable' });
  });

  it('knows no other parcel', async () => {
    fixture.engine.assembled = { missing: true };
    expect(await post({ filters, acres_min: 40, parcel_id: ID })).toMatchObject({ status: 404 });
  });

  it.each([
    [{}, 'acres_min'],
    [{ acres_min: 0 }, 'acres_min'],
    [{ acres_min: 1e9 }, 'acres_min'],
    [{ acres_min: '40' }, 'acres_min'],
    [{ acres_min: 40, owners_max: 0 }, 'owners_max'],
    [{ acres_min: 40, owners_max: 1.5 }, 'owners_max'],
    [{ acres_min: 40, road_m: 31 }, 'road_m'],
    [{ acres_min: 40, road_m: null }, 'road_m'],
    [{ acres_min: 40, parcel_id: 7 }, 'parcel_id'],
    [{ acres_min: 40, limit: 51 }, 'limit'],
    [{ acres_min: 40, road: 10 }, 'body'],
  ])('refuses %j at its path', async (wrong, path) => {
    const { status, body } = await post({ filters, ...wrong });
    expect(status).toBe(422);
    expect(body.detail.error).toBe('search_invalid_request');
    const paths = body.detail.issues.map((issue: { path: string }) => issue.path);
    expect(paths.some((one: string) => one === path || one.startsWith('road'))).toBe(true);
  });
});
