import { type TSchema, Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './limit.ts';
import { OPERATORS } from './operand.ts';

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const OPERATOR_RULES = [
  `Text and booleans take ${OPERATORS.string.join(', ')}; numbers and dates ${OPERATORS.number.join(', ')};`,
  '`geometry` takes intersects (any shared area or boundary point) and within (the whole parcel, shared boundary allowed).',
  'GET /v1/meta/fields lists them by field as `filter_operators`.',
].join(' ');

const VALUE_RULES = [
  'By the type of the field, never null: text, true or false, or a JSON number.',
  'Dates are `2024-05-31`, timestamps UTC with milliseconds at most: `2024-05-31T12:00:00.000Z`; a date is its midnight UTC.',
  'A nonempty list for `in`, two ascending bounds for `between`, both included.',
  'For `state` and `state2` a two-letter code; for `county` a name, or a five-digit FIPS code as text.',
  'For `geometry` a GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: rings closed and valid, without altitude,',
  'split at longitude 180 where it crosses the antimeridian. All areas together have at most 10,000 vertices (PLAT_SEARCH_MAX_VERTICES),',
  'and each at most 1,000,000 square kilometers (PLAT_SEARCH_MAX_KM2).',
].join(' ');

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [-68.8, 44.7],
      [-68.7, 44.7],
      [-68.7, 44.8],
      [-68.8, 44.8],
      [-68.8, 44.7],
    ],
  ],
};

/** The body in the API description. SearchReader does the checking, because its issues never echo the body. */
export const SearchBodySchema = Type.Object(
  {
    filters: Type.Array(
      Type.Object(
        {
          field: Type.String({ description: 'A name of the search catalog.' }),
          op: Type.String({
            description: OPERATOR_RULES,
            examples: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between', 'intersects', 'within'],
          }),
          value: Type.Unknown({ description: VALUE_RULES }),
        },
        { additionalProperties: false },
      ),
      { description: 'All must hold. One selects states: `state` or `state2` with `eq` or `in`.' },
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Further outputs; they never affect what matches.' }),
    ),
    enrich: Type.Optional(
      Type.Boolean({ description: 'Whether each match gains everything known of its parcel. Default false.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: `Default ${DEFAULT_LIMIT}.` })),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before; valid one hour.' })),
    release: ReleaseName,
  },
  {
    additionalProperties: false,
    examples: [
      {
        filters: [
          { field: 'state', op: 'eq', value: 'ME' },
          { field: 'acreage', op: 'gte', value: 5 },
        ],
        limit: 10,
      },
      {
        filters: [
          { field: 'state', op: 'eq', value: 'ME' },
          { field: 'geometry', op: 'within', value: AREA },
        ],
      },
    ],
  },
);

/** A parcel that passed. */
export const Match = Type.Object(
  {
    apn: maybe(Type.String()),
    address: maybe(Type.String()),
    state: Type.String(),
    county: maybe(Type.String({ description: 'Always the name.' })),
    city: maybe(Type.String()),
    acreage: maybe(
      Type.Number({
        description:
          'International acres of the geodesic area. Parcels of one outline each have all of it: add acres up only where `stack_count` is 1.',
      }),
    ),
    source: Type.String(),
    analysis_point: Type.Object({ lat: Type.Number(), lng: Type.Number(), method: Type.String() }),
    fields: Type.Record(Type.String(), Type.Unknown()),
    field_status: Type.Record(
      Type.String(),
      Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
      {
        description:
          'For each name in `fields`: `ok`; `absent`, the source has no value (not zero, not false); `failed`, it could not be read.',
      },
    ),
    enrichment: Type.Optional(
      Type.Object(
        {
          fetched_at: Type.String({ format: 'date-time' }),
          analysis_point: Type.Object({
            lat: Type.Number(),
            lng: Type.Number(),
            method: Type.String(),
            source: Type.String(),
          }),
          fields: Type.Record(Type.String(), Type.Unknown(), {
            description: 'Records as POST /v1/enrich answers them, in the same order.',
          }),
          partial_failures: Type.Array(
            Type.Object({
              field: Type.String(),
              source: Type.String(),
              error: Type.String(),
              retryable: Type.Boolean(),
            }),
          ),
        },
        { description: 'Only with `enrich: true`.' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const SearchResponseSchema = Type.Object(
  {
    matches: Type.Array(Match),
    status: Type.Union([Type.Literal('complete'), Type.Literal('limited'), Type.Literal('partial')], {
      description:
        '`complete`: nothing follows. `limited`: more may follow, go on with `next_cursor`. `partial`: something could not be read, so that matches may be missing; a cursor goes on behind it. All was found where every page of a walk is `complete` or `limited`.',
    }),
    completion_reason: Type.Union(
      (
        ['exhausted', 'limit_reached', 'work_limit', 'timeout', 'field_data_unavailable', 'source_unavailable'] as const
      ).map(reason => Type.Literal(reason)),
      {
        description:
          'Of `complete`: `exhausted`. Of `limited`: `limit_reached`, the page is full; `work_limit`, a setting of the server. Of `partial`: `timeout`; `field_data_unavailable`, a calculation failed for some parcels; `source_unavailable`, a county cannot be read.',
      },
    ),
    request_id: Type.String(),
    next_cursor: maybe(
      Type.String({
        description:
          'Send it as `cursor` with the same filters, fields and `enrich` for the next page. Null: the end of the walk.',
      }),
    ),
  },
  { additionalProperties: false },
);
