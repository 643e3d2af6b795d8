import { type Static, type TSchema, Type } from 'typebox';
import { NextCursor } from '../listing/schema.ts';
import { DISPOSITIONS } from '../state/field-requests/disposition.ts';
import { STATUSES } from '../state/field-requests/states.ts';

/** One `@`, a dot after it, and nothing that is not seen or that mail software reads as several addresses. */
const PART =
  '[^\\s@<>(),;:"\\\\[\\]\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]';
const EMAIL = `^${PART}{1,64}@${PART}+\\.${PART}+$`;

/** Bytes of UTF-8 (a limit of the interface). */
export const MAX_BLOB_BYTES = 8 * 1024;

const words = (most: number, description: string) => Type.String({ minLength: 1, maxLength: most, description });
const strict = <T extends Record<string, TSchema>>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
const list = <T extends TSchema>(of: T, most: number, description: string) =>
  Type.Array(of, { maxItems: most, description });
const optional = Type.Optional;

const ExampleLocation = strict({
  address: optional(words(256, 'A street address.')),
  lat: optional(Type.Number({ description: 'WGS84, with `lng`.' })),
  lng: optional(Type.Number({ description: 'WGS84, with `lat`.' })),
  polygon: optional(
    Type.Object({}, { additionalProperties: true, description: 'A GeoJSON Polygon or MultiPolygon, as of a site.' }),
  ),
  claimed_value: optional(Type.String({ maxLength: 1_000, description: 'What the value is there, if you know it.' })),
  note: optional(Type.String({ maxLength: 4_000 })),
});

const KnownSource = strict({
  name: optional(Type.String({ maxLength: 1_000 })),
  url: optional(Type.String({ maxLength: 2_048 })),
  note: optional(Type.String({ maxLength: 4_000 })),
  why: optional(Type.String({ maxLength: 4_000 })),
});

const text = (description: string) => optional(Type.String({ maxLength: 4_000, description }));
const names = (description: string) => optional(list(Type.String({ maxLength: 1_000 }), 100, description));

/** Where somebody is told, one way or both. */
export const CALLBACK = {
  webhook_url: optional(Type.String({ minLength: 1, maxLength: 2_048, description: 'https, at a public address.' })),
  email: optional(
    Type.String({
      maxLength: 254,
      pattern: EMAIL,
      description: 'Gets mail once its owner has confirmed it, unless it is the verified one of the account.',
    }),
  ),
};

export const FieldRequestBody = Type.Object(
  {
    description: Type.String({
      minLength: 1,
      maxLength: 4_000,
      pattern: '\\S',
      description: 'What the value says, in plain language.',
    }),
    example_locations: Type.Array(ExampleLocation, {
      minItems: 1,
      maxItems: 20,
      description: 'Where you need it; each exactly one of `address`, `lat` with `lng`, `polygon`.',
    }),
    use_case: text('What it is for.'),
    decision_threshold: text('The value at which you decide otherwise.'),
    deadline: text('When you need it.'),
    area_of_interest: optional(strict({ names: names('States, counties, cities.') })),
    expected_volume: optional(
      strict({
        locations: optional(Type.Integer({ minimum: 0, description: 'Locations you will ask about.' })),
        geography: text('Where they lie.'),
      }),
    ),
    freshness: optional(
      strict({
        max_staleness: text('How old a value may be, such as `30 days` or `1 year`.'),
        changes_how_often: text('How often it changes in the world.'),
      }),
    ),
    constraints: optional(
      strict({
        must_not_be: names('Catalog fields, or descriptions, that are not what is asked for.'),
        already_have: names('What you have.'),
        acceptable_substitutes: names('Catalog fields, or descriptions, that would do.'),
      }),
    ),
    known_sources: optional(
      strict({
        suggested: optional(list(KnownSource, 50, 'Where it may be found.')),
        excluded: optional(list(KnownSource, 50, 'What may not be used.')),
      }),
    ),
    output_preference: optional(
      strict({ units: text('Such as `miles` or `USD`.'), buckets_ok: optional(Type.Boolean()) }),
    ),
    requested_fields: optional(
      list(strict({ ask: words(1_000, 'One value, in plain language.') }), 20, 'The values, where there are several.'),
    ),
    idempotency_key: optional(
      words(256, 'The same request again under the same key is that request. Keys do not expire.'),
    ),
    callback: optional(strict(CALLBACK)),
    context_blob: optional(Type.String({ description: 'Comes back as it is; at most 8 KB of UTF-8.' })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        description: 'Distance to the nearest public EV charging station with at least 150 kW',
        example_locations: [{ lat: 44.8016, lng: -68.7712, claimed_value: '1200 m' }],
        callback: { webhook_url: 'https://hooks.example.org/plat' },
      },
    ],
  },
);
export type FieldRequestBody = Static<typeof FieldRequestBody>;

/** The part of a request that is stored as sent. */
export type KeptBody = Omit<FieldRequestBody, 'idempotency_key' | 'callback' | 'context_blob'>;

const STATUS = Type.Enum(STATUSES, { description: 'Its step. `waiting_on` says whose turn it is.' });

export const FieldRequestAccepted = strict({
  request_id: Type.String(),
  status: STATUS,
  poll: Type.String({ description: 'Path of the request.' }),
});
export interface FieldRequestAccepted extends Static<typeof FieldRequestAccepted> {}

export const FieldRequestParams = Type.Object({ request_id: Type.String() });
export type FieldRequestParams = Static<typeof FieldRequestParams>;

const maybe = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });
const Resume = strict({
  method: Type.Literal('POST'),
  url: Type.String(),
  body: Type.Object({}, { additionalProperties: true, description: 'A fetch request, as it stands.' }),
});

const DispositionSchema = Type.Object(
  {
    ask: Type.String(),
    disposition: Type.Enum(DISPOSITIONS),
    field_id: maybe(Type.String(), 'The catalog field, where there is one.'),
    estimated_ready_at: maybe(Type.String(), 'While it is to be built.'),
    resume: maybe(Resume, 'The call that gives the value.'),
    explanation: Type.String(),
    values: optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
    candidates: optional(Type.Array(strict({ field_id: Type.String(), title: Type.String() }))),
    code: optional(Type.String()),
    suggestion: optional(Type.String()),
    confidence: optional(Type.String()),
    caveat: optional(maybe(Type.String(), 'Must travel with a citation of the value.')),
  },
  { additionalProperties: false },
);

const ResolvedLocation = strict({
  lat: Type.Number(),
  lng: Type.Number(),
  source: Type.Union([Type.Literal('coordinate'), Type.Literal('address')]),
});

/** What of a request lists have too. */
const STANDING = {
  request_id: Type.String(),
  status: STATUS,
  waiting_on: maybe(Type.Union([Type.Literal('requester'), Type.Literal('operator')]), 'Whom it waits for.'),
  phase: Type.Null({ description: 'Reserved.' }),
  queue_position: maybe(Type.Integer(), '1 is next, 0 is worked on; null without a build ticket.'),
  estimated_ready_at: maybe(Type.String(), 'Promised when it was accepted, never changed.'),
  resolved_locations: Type.Array(
    strict({ index: Type.Integer(), resolved_location: ResolvedLocation, resolved_address: optional(Type.String()) }),
  ),
  disposition: Type.Array(DispositionSchema),
  resume: maybe(Resume, 'The first one of `disposition`.'),
  created_at: Type.String(),
  updated_at: Type.String(),
};

/** The poll body. */
export const FieldRequestRecord = strict({
  ...STANDING,
  context_blob: maybe(Type.String(), 'As it was sent first.'),
});
export type FieldRequestRecord = Static<typeof FieldRequestRecord>;

export const FieldRequestList = Type.Object(
  {
    field_requests: Type.Array(strict(STANDING), {
      description: 'As GET /v1/field-requests/{request_id} has them, without `context_blob`.',
    }),
    next_cursor: NextCursor,
  },
  {
    additionalProperties: false,
    examples: [
      {
        field_requests: [
          {
            request_id: 'fr_abcdefghijklmnopqrstuvwxyz',
            status: 'queued',
            waiting_on: null,
            phase: null,
            queue_position: 1,
            estimated_ready_at: '2026-12-09T06:00:00.000Z',
            resolved_locations: [
              { index: 0, resolved_location: { lat: 44.8016, lng: -68.7712, source: 'coordinate' } },
            ],
            disposition: [
              {
                ask: 'The age of the sewer main in the street',
                disposition: 'accepted_new',
                field_id: null,
                estimated_ready_at: '2026-12-09T06:00:00.000Z',
                resume: null,
                explanation: 'No field of the catalog says this.',
              },
            ],
            resume: null,
            created_at: '2026-11-25T06:00:00.000Z',
            updated_at: '2026-11-25T06:00:01.000Z',
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
export type FieldRequestList = Static<typeof FieldRequestList>;
