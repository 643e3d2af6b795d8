// Addresses of the explorer's views, as its own code reads them.
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { placeAddress, searchAddress } from '../../../server/mcp/view/explorer.ts';
import { readFilters } from '../../../web/search/filter.ts';
import { connect } from '../../contract/client.ts';
import { openFixture } from '../service-fixture.ts';
import { GENERATIONS } from './mcp-clients.ts';

const ORIGIN = 'https://plat.example.org';
const MAINE = { field: 'state', op: 'eq', value: 'ME' };
const LARGE = { field: 'acreage', op: 'gt', value: 2 };

/** What stands behind the # of an address. */
const stateOf = (address: string) => Object.fromEntries(new URLSearchParams(new URL(address).hash.slice(1)));

it('a place is named by latitude and longitude, to the metre', () => {
  expect(placeAddress(ORIGIN, '/parcel', { lat: 44.8016123, lng: -68.7712 })).toBe(
    'https://plat.example.org/parcel#at=44.80161,-68.77120',
  );
});

it('a search is shown with its state, its filters and its area', () => {
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  };
  const filters = [MAINE, LARGE, { field: 'city', op: 'in', value: ['A, B', 'C#&='] }];
  const state = stateOf(searchAddress(ORIGIN, [...filters, { field: 'geometry', op: 'within', value: area }])!);
  expect(readFilters(state.f)).toEqual(filters.slice(1));
  expect([state.st, state.how, JSON.parse(state.area!)]).toEqual(['ME', 'within', area]);
});

it('there is no page for several states, several areas, or an area that no address has room for', () => {
  const area = { field: 'geometry', op: 'within', value: { type: 'Polygon', coordinates: [] } };
  expect(searchAddress(ORIGIN, [{ field: 'state', op: 'in', value: ['ME', 'NH'] }])).toBeNull();
  expect(searchAddress(ORIGIN, [MAINE, area, area])).toBeNull();
  const large = { ...area, value: { type: 'Polygon', coordinates: Array(1_000).fill([0, 0]) } };
  expect(searchAddress(ORIGIN, [MAINE, large])).toBeNull();
});

it('each answer about a place has the address of its view, and a search that of its page', async () => {
  await using fixture = await openFixture({ catalog, plan: 'scale' });
  const { base } = await connect(fixture);
  const client = await GENERATIONS['the SDK of 2026']!(base, { authorization: `Bearer ${fixture.token}` });
  const slim = async (name: string, req: object) =>
    (await client.call(`service_${name}`, req, { beside: {} })).structuredContent;
  const at = { lat: 44.8, lng: -68.77 };
  const hash = '#at=44.80000,-68.77000';
  expect((await slim('fetch', { ...at, fields: ['elevation'] })).view_url).toMatch(new RegExp(`/${hash}$`));
  expect((await slim('enrich', { ...at, preset: 'zoning' })).view_url).toMatch(new RegExp(`/parcel${hash}$`));
  expect((await slim('lookup', { input: '44.8,-68.77' })).view_url).toContain(hash);
  const { results } = await slim('fetch_batch', { locations: [at], fields: ['elevation'] });
  expect(results[0].view_url).toMatch(new RegExp(`/${hash}$`));
  const { view_url } = await slim('search', { filters: [MAINE, LARGE] });
  expect([stateOf(view_url).st, readFilters(stateOf(view_url).f)]).toEqual(['ME', [LARGE]]);
  await client.close();
});
