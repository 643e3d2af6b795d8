import type { ExampleGround } from '../../operation/operation.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import type { ExamplePlace } from './example-place.ts';

/** Where no place of a release is known: one in Bangor, Maine. */
const ELSEWHERE = { point: { lat: 44.8016, lng: -68.7712 }, state: 'ME', address: null } as const;
/** Degrees to another place near by, a drive of some minutes. */
const AWAY = 0.012;
/** Half the side of a site, degrees: some hectares. */
const HALF = 0.001;

const rounded = (degrees: number) => Number(degrees.toFixed(5));

/** Values in an example that an earlier line of it put into a variable of the shell. */
export const variable = (name: string) => `$${name}`;

/** What examples of operations are about. @param place that a release knows; null where none is known. */
export function groundOf(place: ExamplePlace | null): ExampleGround {
  const { point, state, address } = place ?? ELSEWHERE;
  const filters = [
    { field: 'state', op: 'eq', value: state ?? 'ME' },
    { field: 'acreage', op: 'gte', value: 5 },
  ];
  return { spot: { lat: point.lat, lng: point.lng }, state: state ?? 'ME', address, filters };
}

/**
 * A body for each operation that takes one, about a place of the open release, so that each example has something to answer.
 * @returns operation id → body.
 */
export function exampleBodies(place: ExamplePlace | null): Readonly<Record<string, unknown>> {
  const { point, address } = place ?? ELSEWHERE;
  const { lat, lng } = point;
  const spot = { lat, lng };
  const there = { lat: rounded(lat + AWAY), lng: rounded(lng + AWAY) };
  const located = address === null ? spot : { address };
  const batch = { locations: [spot, there], fields: ['county_name', 'fema_flood_zone'] };
  const [west, south, east, north] = [lng - HALF, lat - HALF, lng + HALF, lat + HALF].map(rounded);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const question = { question: 'Is it in a flood zone, and how far is the nearest hospital in miles?', ...spot };
  const matrix = { origins: [spot], destinations: [there] };
  const ground = groundOf(place);
  return {
    fetch: { ...spot, preset: 'flood_risk', fields: ['county_name'] },
    fetchBatch: batch,
    fetchQuote: { preset: 'terrain', fields: ['county_name'], locations: 10 },
    geocode: { address: address ?? '73 Harlow St, Bangor, ME 04401' },
    lookup: { input: address ?? `${lat},${lng}` },
    enrich: { ...located, preset: 'zoning' },
    search: { filters: ground.filters, limit: 3 },
    ...Object.fromEntries(OPERATIONS.map(({ id, example }) => [id, example(ground)])),
    proximity: { operation: 'matrix', ...matrix },
    proximity_matrix: matrix,
    proximity_nearest: { origin: spot, candidates: '@airports', k: 3 },
    proximity_screen: {
      candidates: [spot, there],
      rules: [{ name: 'airport', to: '@airports', within_minutes: 30 }],
    },
    proximity_labor_shed: { origin: spot, max_minutes: 30 },
    proximity_isochrone: { origin: spot, minutes: [10, 20] },
    upload: `custom_id,lat,lng,tiv_usd\nhere,${lat},${lng},250000\nthere,${there.lat},${there.lng},400000\n`,
    submitExport: { search: { filters: ground.filters }, fields: ['acreage'], format: 'csv' },
    quoteExport: { search: { filters: ground.filters }, fields: ['acreage'], format: 'csv' },
    submitRun: { kind: 'fetch_batch', request: batch },
    registerSite: { site: { type: 'Polygon', coordinates: [ring] } },
    putTemplate: {
      title: 'Community solar',
      exclusions: [{ layer: 'usfws_nwi', setback_ft: 75 }],
      boundary_setback_m: 15,
      max_slope_percent: 12,
      min_piece_acres: 5,
    },
    registerWatch: {
      search: { filters: ground.filters },
      fields: ['fema_flood_zone'],
      callback: { email: 'me@example.org' },
    },
    ask: question,
    askStream: question,
    askSite: { site_id: variable('SITE_ID'), question: 'How much of the site is wetland?' },
    fileFieldRequest: {
      description: 'Distance to the nearest public EV charging station with at least 150 kW',
      example_locations: [{ ...spot, claimed_value: '1200 m' }],
    },
    fileCorrection: {
      ...spot,
      field: 'elevation',
      value: 17.2,
      evidence: { url: 'https://surveys.example.org/17', note: 'A surveyor measured it in May.' },
    },
    change_settings: { monthly_credit_limit: null },
    sign_out: { everywhere: false },
    create_token: { name: 'an example', expires_in_days: 1 },
    reveal_token: {},
    guest: {},
    beginOnboarding: { terms_version: variable('TERMS_VERSION'), terms_sha256: variable('TERMS_SHA256') },
    exchangeConnectCode: { connect_code: variable('CONNECT_CODE') },
    tellOnboardingProgress: { stage: 'installed', clients: ['an example'] },
    startDeviceLogin: { client_name: 'an example' },
    pollDeviceLogin: { device_code: variable('DEVICE_CODE') },
  };
}
