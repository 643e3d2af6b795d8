import { afterAll, beforeAll, beforeEach } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { MatchedParcel } from '../../../query/parcel/parcel-match.ts';
import { type Fixture, openFixture } from '../../server/service-fixture.ts';
import { type Client, connect } from '../client.ts';

export const ADDRESS = '73 Harlow St, Bangor, ME';
export const POINT = { lat: 44.8017, lng: -68.7714 };
export const VALUES = {
  county_fips: '23019',
  county_name: 'Penobscot County',
  tract_geoid: '23019001100',
  state_fips: '23',
  block_group_geoid: '230190011001',
  block_geoid: '230190011001001',
  congressional_district: '2302',
  cbsa_name: 'Bangor, ME',
  cbsa_code: '12620',
  elevation: 31.5,
  fema_flood_zone: 'X',
  within_floodplain_polygon: false,
  coastal_high_hazard: false,
  in_opportunity_zone: true,
  opportunity_zone_tract_geoid: '23019000900',
  timezone: 'America/New_York',
  county_population: 1,
  county_population_growth_1yr_pct: 2,
  county_net_domestic_migration: 3,
  county_building_permits_total_annual: 4,
  county_building_permits_sf_annual: 5,
  county_building_permits_yoy_pct: 6,
  county_hpi_yoy_pct: 7,
  county_employment_total: 8,
  county_employment_yoy_pct: 9,
  county_median_household_income_usd: 10,
};
export const MARKET = {
  population: 1,
  population_growth_1yr_pct: 2,
  net_domestic_migration: 3,
  building_permits_total_annual: 4,
  building_permits_sf_annual: 5,
  building_permits_yoy_pct: 6,
  hpi_yoy_pct: 7,
  employment_total: 8,
  employment_yoy_pct: 9,
  median_household_income_usd: 10,
};
export const GROUND = {
  county_fips: '23019',
  county: 'Penobscot County',
  tract_geoid: '23019001100',
  state_fips: '23',
  state: 'ME',
  block_group_geoid: '230190011001',
  block_geoid: '230190011001001',
  congressional_district: '2302',
  cbsa_name: 'Bangor, ME',
  cbsa_code: '12620',
  elevation_m: 31.5,
  fema_flood_zone: 'X',
  within_floodplain: false,
  coastal_high_hazard: false,
  county_market: MARKET,
  in_opportunity_zone: true,
  opportunity_zone_tract_geoid: '23019000900',
  timezone: 'America/New_York',
};
export const PARCEL: MatchedParcel = {
  parcelId: 'pcl_1',
  apn: '042-011',
  address: '73 HARLOW ST',
  areaM2: 812.4,
  source: 'county parcels',
  matchType: 'contains',
  metres: 0,
  ref: { partition: '23019', ord: 1 },
  properties: {
    owner: 'SMITH',
    zoning: 'R-1',
    usedesc: 'HOUSE',
    parval: 250_000,
    saledate: '2021-06-14',
    sale_count: 2,
  },
  vintage: '2026',
  analysisPoint: null,
  geometry: {
    type: 'Polygon',
    xy: new Float64Array([-68, 44, -67, 44, -67, 45, -68, 44]),
    ends: new Uint32Array([4]),
    parts: new Uint32Array([1]),
  },
};
export const PARCEL_KEYS = {
  parcel_id: 'pcl_1',
  apn: '042-011',
  address: '73 HARLOW ST',
  area_m2: 812.4,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-68, 44],
        [-67, 44],
        [-67, 45],
        [-68, 44],
      ],
    ],
  },
  geometry_wkt: 'POLYGON ((-68 44, -67 44, -67 45, -68 44))',
  owner: 'SMITH',
  zoning: 'R-1',
  land_use: 'HOUSE',
  assessed_value_usd: 250_000,
  last_sale_date: '2021-06-14',
  last_sale_price_usd: null,
  transaction_count: 2,
  match_type: 'contains',
  match_distance_m: 0,
  match_radius_m: 30,
  source: 'county parcels',
};

/** What the tests of one file ask, opened before them and as new before each. */
export interface Lookups {
  readonly fixture: Fixture;
  readonly client: Client;
  /** Looks something up. */
  readonly look: (input: unknown, more?: object) => ReturnType<Client['post']>;
  /** Credits used so far. */
  readonly used: () => Promise<number>;
}

/** Opens a service whose engine and geocoder answer what a test tells them; its members are there once tests run. */
export function lookups(): Lookups {
  let fixture: Fixture;
  let client: Client;
  beforeAll(async () => {
    fixture = await openFixture({ cache: false, catalog, lookupGate: 2 });
    client = await connect(fixture);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    fixture.tier.reset();
    fixture.engine.reset();
    fixture.engine.parcel = { status: 'matched', parcel: PARCEL };
    for (const [name, value] of Object.entries(VALUES)) fixture.engine.answers.set(name, { value });
    await fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
  });
  return {
    get fixture() {
      return fixture;
    },
    get client() {
      return client;
    },
    look: (input, more = {}) => client.post('/v1/lookup', { input, ...more }),
    used: async () => (await client.get('/v1/users/me/usage')).json.credits_used as number,
  };
}
