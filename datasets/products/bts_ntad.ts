import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'bts_ntad',
  title: 'National Transportation Atlas Database',
  publisher: 'USDOT Bureau of Transportation Statistics',
  url: 'https://geodata.bts.gov',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'monthly to annual by layer',
  vintageRule: 'Date of last update in the metadata of each layer.',
  notes:
    'NET codes: M main, I industrial lead, O other track, S siding, Y yard, and not active: A abandoned, R removed, T trail, X out of service, F ferry. The rail lines also cover Canada and Mexico.',
  layers: {
    narn: {
      kind: 'vector',
      geometry: 'line',
      joinKey: 'FRAARCID',
      partition: 'national',
      columns: {
        FRAARCID: { type: 'string' },
        RROWNER1: { type: 'string', description: 'Reporting mark of the owner.' },
        NET: {
          type: 'string',
          description: 'M main, I industrial lead, O other, S siding, Y yard; A, R, T, X and F are not active.',
        },
      },
    },
    aviation_facilities: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'ARPT_ID',
      partition: 'national',
      columns: {
        ARPT_ID: { type: 'string' },
        ARPT_NAME: { type: 'string' },
        SITE_TYPE_CODE: { type: 'string', description: 'A airport, H heliport, C seaplane base, and others.' },
        FACILITY_USE_CODE: { type: 'string', description: 'PU public use, PR private use.' },
        FAR_139_TYPE_CODE: {
          type: 'string',
          description: 'Empty where the airport is not certificated under 14 CFR Part 139.',
        },
      },
    },
    transit_stops: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'stop_id',
      partition: 'national',
      columns: {
        stop_id: { type: 'string', description: 'Of the feed of one agency; repeated between agencies.' },
        stop_name: { type: 'string' },
      },
    },
  },
  fields: {
    nearest_rail_line_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest rail line',
      description: 'Distance to the nearest active rail line.',
      expression:
        "nearest_distance(bts_ntad:narn, max_km=300, where[NET != 'A' and NET != 'R' and NET != 'T' and NET != 'X' and NET != 'F'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 10 },
      hint: 'Close by means horns, vibration and possibly a siding; trains may still be few on a line listed as active.',
    },
    nearest_rail_line_owner: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest rail line owner',
      description: 'Reporting mark of the owner of the nearest active rail line.',
      expression:
        "nearest_attr(bts_ntad:narn, RROWNER1, max_km=300, where[NET != 'A' and NET != 'R' and NET != 'T' and NET != 'X' and NET != 'F'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      hint: 'The railroad to ask for a crossing, sidetrack or wire licence; look the reporting mark up in the AAR list.',
    },
    nearest_airport_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest airport',
      description: 'Distance to the nearest public-use airport.',
      expression:
        "nearest_distance(bts_ntad:aviation_facilities, max_km=300, where[SITE_TYPE_CODE = 'A' and FACILITY_USE_CODE = 'PU'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 14, wind_siting: 13, data_center_siting: 44 },
      hint: 'Within about 6 km even modest heights can need an FAA notice, and solar panels a glare study.',
    },
    nearest_airport_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest airport name',
      description: 'Name of the nearest public-use airport.',
      expression:
        "nearest_attr(bts_ntad:aviation_facilities, ARPT_NAME, max_km=300, where[SITE_TYPE_CODE = 'A' and FACILITY_USE_CODE = 'PU'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 15 },
      hint: 'Ask this airport for its noise contours and approach surfaces; grass strips count as well as hubs.',
    },
    nearest_commercial_airport_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest commercial airport',
      description: 'Distance to the nearest airport certificated for airline service (14 CFR Part 139).',
      expression:
        "nearest_distance(bts_ntad:aviation_facilities, max_km=800, where[SITE_TYPE_CODE = 'A' and FAR_139_TYPE_CODE is not null])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { site_selection: 11, points_of_interest: 18 },
      hint: 'A proxy for business travel; a certificate does not promise daily scheduled flights.',
    },
    nearest_commercial_airport_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest commercial airport name',
      description: 'Name of the nearest airport certificated for airline service.',
      expression:
        "nearest_attr(bts_ntad:aviation_facilities, ARPT_NAME, max_km=800, where[SITE_TYPE_CODE = 'A' and FAR_139_TYPE_CODE is not null])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { points_of_interest: 19 },
      hint: 'Look up its carriers and enplanements before you sell a location on it.',
    },
    transit_stop_count_within_800m: {
      layer: 'built_environment',
      type: 'integer',
      unit: 'count',
      title: 'Transit stop count within 800 m',
      description: 'Number of fixed-route transit stops within 800 m.',
      expression: 'count_within(bts_ntad:transit_stops, radius_m=800)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 20 },
      hint: 'Ten minutes on foot: many zoning codes relax parking minimums inside it. Says nothing about how often anything comes.',
    },
  },
});
