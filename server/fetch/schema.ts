import { type Static, type TSchema, Type } from 'typebox';
import { FETCH_PRESETS } from '../../datasets/catalog.ts';
import type { GeocodeBlock } from '../geocoder/block.ts';
import { RELEASE_KEY } from '../release/choice.ts';

/** A JSON value or null. It is one `type` list, so that a wrong value is reported once and not once per alternative. */
const nullable = <T>(type: string, options: Record<string, unknown>) =>
  Type.Unsafe<T | null>({ ...options, type: [type, 'null'] });

/** Keys of a locator, shared by every endpoint that takes a place. */
export const LOCATOR = {
  lat: Type.Optional(nullable<number>('number', { description: 'Latitude in WGS84 degrees; together with `lng`.' })),
  lng: Type.Optional(nullable<number>('number', { description: 'Longitude in WGS84 degrees; together with `lat`.' })),
  address: Type.Optional(
    nullable<string>('string', {
      minLength: 1,
      maxLength: 256,
      pattern: '\\S',
      description: 'Street address, instead of a coordinate.',
    }),
  ),
};

/** Keys that choose fields. */
export const SELECTION = {
  fields: Type.Optional(
    nullable<string[]>('array', {
      items: { type: 'string' },
      description: 'Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion.',
    }),
  ),
  preset: Type.Optional(
    nullable<(typeof FETCH_PRESETS)[number]>('string', {
      enum: [...FETCH_PRESETS, null],
      description: 'A named list of fields; expanded before `fields` are added.',
    }),
  ),
};

export const FetchBody = Type.Object(
  { ...LOCATOR, ...SELECTION, ...RELEASE_KEY },
  {
    additionalProperties: false,
    description: 'Exactly one locator (`lat` and `lng`, or `address`) and at least one of `fields` and `preset`.',
    examples: [
      { lat: 44.8016, lng: -68.7712, fields: ['county_name', 'fema_flood_zone'] },
      { lat: 44.8016, lng: -68.7712, preset: 'boundaries' },
      { address: '73 Harlow St, Bangor, ME 04401', fields: ['county_name', 'fema_flood_zone'] },
    ],
  },
);
export type FetchBody = Static<typeof FetchBody>;

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);

/** One value with its provenance. */
export const FieldRecord = Type.Object(
  {
    value: Type.Unknown({ description: 'Null when absent or failed.' }),
    unit: maybe(Type.String()),
    source: Type.String({ description: 'Identifier of the product that answered.' }),
    source_url: maybe(Type.String()),
    confidence: Type.String({ examples: ['high', 'medium', 'low'] }),
    fetched_at: Type.String({ description: 'When the value was read or computed; a cached value keeps its own.' }),
    dataset_vintage: maybe(Type.String()),
    ttl_seconds: Type.Integer({ description: 'How long a caller may keep an ok or absent entry.' }),
    notes: maybe(Type.String({ description: 'Why there is no value, or what qualifies it.' })),
    status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')], {
      description:
        '`ok`: there is a value; zero, false and an empty list are values. `absent`: the source has none here, `notes` says why. `failed`: it could not be read.',
    }),
    error: Type.Optional(Type.String({ description: 'Only on failed entries.' })),
    retryable: Type.Optional(Type.Boolean({ description: 'Only on failed entries: whether trying again can help.' })),
  },
  {
    $id: 'FieldRecord',
    additionalProperties: false,
    description: 'One value with where it comes from, or why there is none.',
  },
);
export type FieldRecord = Static<typeof FieldRecord>;

export const PartialFailure = Type.Object(
  { field: Type.String(), source: Type.String(), error: Type.String(), retryable: Type.Boolean() },
  { $id: 'PartialFailure', additionalProperties: false, description: 'A field that could not be read.' },
);
export type PartialFailure = Static<typeof PartialFailure>;

/** Which point a response is about. */
export const ResolvedLocation = Type.Object(
  { lat: Type.Number(), lng: Type.Number(), source: Type.Union([Type.Literal('coordinate'), Type.Literal('address')]) },
  { $id: 'ResolvedLocation', additionalProperties: false, description: 'The point that the answer is about.' },
);

export const FetchResponse = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    fetched_at: Type.String(),
    fields: Type.Record(Type.String(), Type.Ref('FieldRecord#')),
    partial_failures: Type.Array(Type.Ref('PartialFailure#')),
    resolved_location: Type.Ref('ResolvedLocation#'),
    geocode: Type.Optional(Type.Ref('GeocodeBlock#')),
  },
  { additionalProperties: false },
);

/** The body of a 200. */
export interface FetchResult {
  readonly lat: number;
  readonly lng: number;
  readonly fetched_at: string;
  readonly fields: Readonly<Record<string, FieldRecord>>;
  readonly partial_failures: readonly PartialFailure[];
  readonly resolved_location: Static<typeof ResolvedLocation>;
  /** Only for an address. */
  readonly geocode?: GeocodeBlock;
}
