import { type Static, type TSchema, Type } from 'typebox';
import { ENRICH_PRESETS, type EnrichPreset } from '../../datasets/enrich/enrich-presets.ts';
import { FieldRecord, LOCATOR, type PartialFailure, type ResolvedLocation } from '../fetch/schema.ts';
import type { GeocodeBlock } from '../geocoder/block.ts';
import { RELEASE_KEY } from '../release/choice.ts';

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);

export const EnrichBody = Type.Object(
  {
    ...LOCATOR,
    fields: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        minItems: 1,
        description: 'Enrich field ids; as many as are wanted.',
      }),
    ),
    preset: Type.Optional(
      Type.Unsafe<EnrichPreset | null>({
        type: ['string', 'null'],
        enum: [...Object.keys(ENRICH_PRESETS), null],
        description: 'A named list of fields; `fields` are added to it. Without either all fields are answered.',
      }),
    ),
    ...RELEASE_KEY,
  },
  {
    additionalProperties: false,
    description: 'Exactly one locator: `lat` and `lng`, or `address`.',
    examples: [
      { lat: 44.8016, lng: -68.7712, preset: 'zoning' },
      { lat: 44.8016, lng: -68.7712, fields: ['parcel_constraint_zones', 'owner_assemblage'] },
    ],
  },
);
export type EnrichBody = Static<typeof EnrichBody>;

/** A field record of fetch, plus what the value means for a decision. */
export const EnrichRecord = Type.Object(
  { ...FieldRecord.properties, interpretation_hints: Type.String() },
  {
    $id: 'EnrichRecord',
    additionalProperties: false,
    description: 'A value of a parcel, with what it means for a decision.',
  },
);
export type EnrichRecord = Static<typeof EnrichRecord>;

const MatchedParcel = Type.Object(
  {
    parcel_id: Type.String({ description: 'Stays the same from release to release.' }),
    apn: maybe(Type.String()),
    address: maybe(Type.String()),
    source: Type.String(),
    match_type: Type.Union([Type.Literal('contains'), Type.Literal('nearest'), Type.Literal('address')]),
    match_distance_m: Type.Number({ description: 'From the location to the parcel; 0 inside it.' }),
  },
  { $id: 'MatchedParcel', additionalProperties: false, description: 'A parcel that a location may be about.' },
);
export type MatchedParcel = Static<typeof MatchedParcel>;

const ParcelMatchSchema = Type.Object(
  {
    status: Type.Union(
      (['matched', 'ambiguous', 'no_match', 'unavailable'] as const).map(status => Type.Literal(status)),
      {
        description:
          '`matched`: one parcel. `ambiguous`: several, see `candidates`. `no_match`: none is there. `unavailable`: it is not known whether one is there, see `reason`.',
      },
    ),
    parcel: maybe(Type.Ref('MatchedParcel#')),
    candidates: Type.Array(Type.Ref('MatchedParcel#'), { description: 'When ambiguous: by area, then key.' }),
    reason: maybe(Type.String()),
  },
  { $id: 'ParcelMatch', additionalProperties: false, description: 'The parcel that a location is about.' },
);

const AnalysisPoint = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    method: Type.Union([Type.Literal('stored_parcel_centroid'), Type.Literal('input_fallback')]),
    source: Type.String(),
  },
  { additionalProperties: false },
);

export const EnrichResponse = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    fetched_at: Type.String(),
    resolved_location: Type.Ref('ResolvedLocation#'),
    geocode: Type.Optional(Type.Ref('GeocodeBlock#')),
    analysis_point: maybe(AnalysisPoint),
    parcel_match: Type.Ref('ParcelMatch#'),
    fields: Type.Record(Type.String(), Type.Ref('EnrichRecord#'), {
      description: 'In the order of the presets, whatever the order of the request. Empty unless the parcel matched.',
    }),
    partial_failures: Type.Array(Type.Ref('PartialFailure#')),
  },
  { additionalProperties: false },
);

/** Schemas that other schemas refer to by name. */
export const ENRICH_SCHEMAS = [EnrichRecord, MatchedParcel, ParcelMatchSchema] as const;

/** The body of a 200; see enrichText. */
export interface EnrichResult {
  readonly lat: number;
  readonly lng: number;
  readonly fetched_at: string;
  readonly resolved_location: Static<typeof ResolvedLocation>;
  readonly geocode?: GeocodeBlock;
  readonly analysis_point: Static<typeof AnalysisPoint> | null;
  readonly parcel_match: {
    readonly status: 'matched' | 'ambiguous' | 'no_match' | 'unavailable';
    readonly parcel: MatchedParcel | null;
    readonly candidates: readonly MatchedParcel[];
    readonly reason: string | null;
  };
  /** Records as objects, or as the JSON text in UTF-8 that a worker wrote. */
  readonly fields: Readonly<Record<string, EnrichRecord>> | Uint8Array;
  readonly partial_failures: readonly PartialFailure[];
  /** No part of the body; only where it was asked for: how many records there are, and the first of them as objects. */
  readonly outline?: { readonly count: number; readonly first: Readonly<Record<string, EnrichRecord>> };
}
