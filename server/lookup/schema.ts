import { type Static, type TSchema, Type } from 'typebox';
import { RELEASE_KEY } from '../release/choice.ts';
import { KINDS } from './input.ts';
import type { ParcelPart } from './parcel.ts';
import type { LookupValues } from './values.ts';

export const LookupBody = Type.Object(
  {
    input: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: '\\S',
      description: 'An address, a `lat,lng` pair or a parcel number.',
    }),
    include_parcel: Type.Optional(Type.Boolean({ description: 'Default true; false skips the parcel.' })),
    kind: Type.Optional(
      Type.Unsafe<(typeof KINDS)[number]>({
        type: 'string',
        enum: [...KINDS],
        description: 'What `input` is; told from its shape when omitted.',
      }),
    ),
    ...RELEASE_KEY,
  },
  {
    additionalProperties: false,
    examples: [{ input: '73 Harlow St, Bangor, ME 04401' }, { input: '44.8016,-68.7712', include_parcel: false }],
  },
);
export type LookupBody = Static<typeof LookupBody>;

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const text = (description?: string) => maybe(Type.String(description === undefined ? {} : { description }));
const number = () => maybe(Type.Number());

const Parcel = Type.Object(
  {
    parcel_id: Type.String({ description: 'Stable from release to release.' }),
    apn: text(),
    address: text(),
    area_m2: Type.Number({ description: 'Geodesic square meters.' }),
    geometry: Type.Unknown({ description: 'GeoJSON.' }),
    geometry_wkt: text(),
    owner: text(),
    zoning: text(),
    land_use: text(),
    assessed_value_usd: number(),
    last_sale_date: text(),
    last_sale_price_usd: number(),
    transaction_count: number(),
    match_type: Type.String({ examples: ['contains', 'nearest', 'address'] }),
    match_distance_m: Type.Number(),
    match_radius_m: Type.Number({ description: 'How far the nearest parcel may lie.' }),
    source: Type.String(),
  },
  { additionalProperties: false },
);

const Resolved = Type.Object(
  {
    disposition: Type.Literal('resolved', { description: 'One place.' }),
    lat: Type.Number(),
    lng: Type.Number(),
    resolved_address: text('The address that was matched; null for a coordinate.'),
    resolved_location: Type.Ref('ResolvedLocation#'),
    county_fips: text(),
    county: text('Name.'),
    tract_geoid: text('Of the 2020 census, never of an earlier one; so are block group and block.'),
    state_fips: text(),
    state: text('Two-letter code.'),
    block_group_geoid: text(),
    block_geoid: text(),
    congressional_district: text(),
    cbsa_name: text(),
    cbsa_code: text(),
    elevation_m: number(),
    fema_flood_zone: text(),
    within_floodplain: maybe(Type.Boolean()),
    coastal_high_hazard: maybe(Type.Boolean()),
    county_market: Type.Object(
      {
        population: number(),
        population_growth_1yr_pct: number(),
        net_domestic_migration: number(),
        building_permits_total_annual: number(),
        building_permits_sf_annual: number(),
        building_permits_yoy_pct: number(),
        hpi_yoy_pct: number(),
        employment_total: number(),
        employment_yoy_pct: number(),
        median_household_income_usd: number(),
      },
      { additionalProperties: false },
    ),
    in_opportunity_zone: maybe(Type.Boolean()),
    opportunity_zone_tract_geoid: text(),
    timezone: text('IANA name.'),
    parcel: Type.Optional(Parcel),
    parcel_unavailable: Type.Boolean({
      description:
        'The parcels could not be asked, or that of the place was rejected when it was loaded: `parcel_unavailable_reason` says which.',
    }),
    parcel_unavailable_reason: text('Why there is no `parcel` although one was asked for.'),
    match_method: Type.String({
      description: '`coordinate`, or how the coordinate of the address was derived: its `accuracy_type`.',
    }),
    confidence: Type.Number({
      description:
        'Similarity of the matched address, 0 to 1; 1 for a coordinate. The fallback gives none: then that of the two texts.',
    }),
  },
  { additionalProperties: false },
);

const Clarify = Type.Object(
  {
    disposition: Type.Literal('clarify', { description: 'Several places fit alike: ask which is meant.' }),
    candidates: Type.Array(
      Type.Object(
        { resolved_address: text(), lat: Type.Number(), lng: Type.Number(), confidence: Type.Number() },
        { additionalProperties: false },
      ),
      { maxItems: 3, description: 'Places that fit alike, best first. None of them is picked.' },
    ),
  },
  { additionalProperties: false },
);

const NO_MATCH_REASONS = ['unaddressed_or_no_match', 'address_too_coarse', 'apn_not_supported_in_v1'] as const;

const NoMatch = Type.Object(
  {
    disposition: Type.Literal('no_match', { description: 'No place; `reason` says why.' }),
    reason: Type.Union(NO_MATCH_REASONS.map(reason => Type.Literal(reason))),
    hint: Type.String({ description: 'What to send instead.' }),
  },
  { additionalProperties: false },
);

export const LookupResponse = Type.Union([Resolved, Clarify, NoMatch]);

/** The body of a 200. */
export type LookupResult =
  | ({
      readonly disposition: 'resolved';
      readonly lat: number;
      readonly lng: number;
      readonly resolved_address: string | null;
      readonly resolved_location: { readonly lat: number; readonly lng: number; readonly source: string };
      readonly match_method: string;
      readonly confidence: number;
    } & LookupValues &
      ParcelPart)
  | {
      readonly disposition: 'clarify';
      readonly candidates: readonly {
        readonly resolved_address: string | null;
        readonly lat: number;
        readonly lng: number;
        readonly confidence: number;
      }[];
    }
  | { readonly disposition: 'no_match'; readonly reason: (typeof NO_MATCH_REASONS)[number]; readonly hint: string };
