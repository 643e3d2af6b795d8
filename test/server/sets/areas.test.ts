import geographiclib from 'geographiclib-geodesic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { polygonsToGeometry } from '../../../query/geometry/geos.ts';
import { isArea } from '../../../query/sets/set-filter.ts';
import { WrittenJson } from '../../../server/http/written-json.ts';
import type { Routing } from '../../../server/proximity/provider/provider.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

/** Whatever is asked, one drives to two triangles that touch along an edge. */
const TRIANGLES = [
  [
    [
      [-68.7, 44.8],
      [-68.6, 44.8],
      [-68.6, 44.9],
      [-68.7, 44.8],
    ],
  ],
  [
    [
      [-68.7, 44.8],
      [-68.6, 44.9],
      [-68.7, 44.9],
      [-68.7, 44.8],
    ],
  ],
];
const ROADS: Partial<Routing> = {
  requireReady() {},
  areas: async () => ({
    cited: { provider: 'embedded', source: 'roads', source_url: null, dataset_vintage: null, note: null },
    origin: { metres: 3, nearestRoad: 3 },
    areas: [new WrittenJson(Buffer.from(JSON.stringify(TRIANGLES)))],
  }),
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ routing: ROADS as Routing });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const HERE = { lat: 44.8, lng: -68.77 };
const STATE = { field: 'state', op: 'eq', value: 'ME' };

async function post(body: unknown, url = '/v1/areas') {
  const response = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

const metres = ([lng, lat]: readonly number[], from = HERE) =>
  geographiclib.Geodesic.WGS84.Inverse(from.lat, from.lng, lat!, lng!).s12!;

describe('POST /v1/areas', () => {
  it('is what lies within a distance of a point, for a search as it is', async () => {
    const { status, body } = await post({ ...HERE, within_m: 500 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      geometry: { type: 'Polygon' },
      resolved_location: { ...HERE, source: 'coordinate' },
      status: 'complete',
      completion_reason: 'exhausted',
      request_id: expect.any(String),
    });
    const [ring] = body.geometry.coordinates;
    expect(ring).toHaveLength(body.vertices);
    for (const position of ring) expect(Math.abs(metres(position) / 500 - 1)).toBeLessThan(1e-3);
    expect(body.acres / ((Math.PI * 500 ** 2) / 4046.8564224)).toBeCloseTo(1, 3);
    const search = await post(
      { filters: [STATE, { field: 'geometry', op: 'within', value: body.geometry }] },
      '/v1/search',
    );
    expect(search.status).toBe(200);
  });

  it('looks an address up, and says where it is', async () => {
    fixture.tier.knows('73 Harlow St, Bangor, ME', { lat: 44.81, lng: -68.78 });
    const { body } = await post({ address: '73 Harlow St, Bangor, ME', within_m: 100 });
    expect(body.resolved_location).toEqual({ lat: 44.81, lng: -68.78, source: 'address' });
    expect(metres(body.geometry.coordinates[0][0], { lat: 44.81, lng: -68.78 })).toBeCloseTo(100, 1);
  });

  it('goes about a parcel from its outline', async () => {
    const ring = Float64Array.of(-68.77, 44.8, -68.76, 44.8, -68.76, 44.81, -68.77, 44.81, -68.77, 44.8);
    fixture.engine.parcelPlaces.set('pcl_known', { place: { geometry: polygonsToGeometry([[ring]]), point: null } });
    const { body } = await post({ parcel_id: 'pcl_known', within_m: 100 });
    const west = Math.min(...body.geometry.coordinates[0].map(([lng]: number[]) => lng));
    expect(metres([west, 44.805], { lat: 44.805, lng: -68.77 })).toBeCloseTo(100, 0);
    expect(body).not.toHaveProperty('resolved_location');
    expect(await post({ parcel_id: 'pcl_other', within_m: 100 })).toMatchObject({
      status: 404,
      body: { detail: { error: 'parcel_not_found' } },
    });
  });

  it('refuses what no search takes', async () => {
    const line = (to: number[]) => ({ type: 'LineString', coordinates: [[-110, 40], to] });
    expect((await post({ geometry: line([-109.9, 40]), within_m: 100_000 })).status).toBe(200);
    const { status, body } = await post({ geometry: line([-90, 40]), within_m: 10 });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject({ error: 'area_too_large', retryable: false });
  });

  it('is what is driven to, made valid, at the price of an isochrone', async () => {
    const { status, body, headers } = await post({ ...HERE, drive_minutes: 10 });
    expect(status).toBe(200);
    expect(headers['x-service-credits']).toBe('1');
    expect(body.geometry).toMatchObject({ type: 'Polygon' });
    expect(body.vertices).toBe(5);
    const asked = { filters: [STATE, { near: { ...HERE, drive_minutes: 10 } }] };
    expect((await post(asked, '/v1/search/count')).headers['x-service-credits']).toBe('1');
    expect((await post({ ...HERE, within_m: 10 })).headers['x-service-credits'] ?? '0').toBe('0');
  });

  it('is outside of the United States nothing', async () => {
    const { status, body } = await post({ lat: 10, lng: 10, within_m: 10 });
    expect([status, body.detail.error]).toEqual([400, 'coord_out_of_bounds']);
  });

  const SQUARE = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  };
  it.each<[string, unknown, string]>([
    ['no object', [], 'body'],
    ['no place', { within_m: 5 }, 'body'],
    ['two places', { ...HERE, address: 'x', within_m: 5 }, 'body'],
    ['half a coordinate', { lat: 44, within_m: 5 }, 'body'],
    ['a coordinate as text', { lat: '44', lng: -68, within_m: 5 }, 'lat'],
    ['no reach', HERE, 'body'],
    ['two reaches', { ...HERE, within_m: 5, drive_minutes: 5 }, 'body'],
    ['less than a metre', { ...HERE, within_m: 0.5 }, 'within_m'],
    ['more than a hundred kilometres', { ...HERE, within_m: 100_001 }, 'within_m'],
    ['a drive of more than two hours', { ...HERE, drive_minutes: 121 }, 'drive_minutes'],
    ['a drive from an area', { geometry: { type: 'Point', coordinates: [0, 0] }, drive_minutes: 5 }, 'body'],
    ['an unknown key', { ...HERE, within_m: 5, unit: 'ft' }, 'body'],
    ['an empty address', { address: ' ', within_m: 5 }, 'address'],
    ['a line of one place', { geometry: { type: 'LineString', coordinates: [[0, 0]] }, within_m: 5 }, 'geometry'],
    ['a place off the earth', { geometry: { type: 'Point', coordinates: [200, 0] }, within_m: 5 }, 'geometry'],
    ['a feature', { geometry: { type: 'Feature', geometry: null }, within_m: 5 }, 'geometry'],
    ['a polygon that crosses itself', { geometry: SQUARE, within_m: 5 }, 'geometry'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.error).toBe('search_invalid_request');
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});

it('names the key that a wrong one is nearest to', async () => {
  const { body } = await post({ lat: 44, lon: -68, within_metres: 5 });
  expect(body.detail.issues[0].hint).toMatch(/^Nearest: `lng` or `within_m`\. It takes lat, /);
});

describe('a filter near', () => {
  it('is the area of that body', async () => {
    const near = { ...HERE, within_m: 500 };
    const { status } = await post({ filters: [STATE, { near }] }, '/v1/search/count');
    expect(status).toBe(200);
    const asked = fixture.engine.countings.at(-1)!.filters[1]!;
    const { geometry } = (await post(near)).body;
    expect(isArea(asked) && asked).toMatchObject({ op: 'intersects', path: 'filters[1].near' });
    expect(isArea(asked) && [...asked.geometry.xy]).toEqual(geometry.coordinates[0].flat());
  });

  it.each<[string, object, string]>([
    ['with another key', { near: { ...HERE, within_m: 5 }, op: 'within' }, 'filters[1]'],
    ['without a place', { near: { within_m: 5 } }, 'filters[1].near'],
    ['of a wrong distance', { near: { ...HERE, within_m: 0 } }, 'filters[1].near.within_m'],
  ])('is refused %s', async (_, filter, path) => {
    const answer = await post({ filters: [STATE, filter] }, '/v1/search/count');
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues[0].path).toBe(path);
  });

  it('looks nothing up for a body that is refused', async () => {
    const { length } = fixture.tier.asked;
    const near = { address: '1 Main St, Bangor, ME', within_m: 5 };
    expect((await post({ filters: [{ near }] }, '/v1/search/count')).status).toBe(422);
    expect(fixture.tier.asked).toHaveLength(length);
  });
});
