import { type Static, type TSchema, Type } from 'typebox';
import { CALLBACK } from '../field-requests/schema.ts';
import { NextCursor } from '../listing/schema.ts';
import { STATUSES } from '../state/corrections/states.ts';

const closed = { additionalProperties: false };
const maybe = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });
const TIME = Type.String({ format: 'date-time' });
const STATUS = Type.Enum(STATUSES);

const VALUE = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 1_000,
  description: 'The value, of the type and in the unit of the field.',
});

const EVIDENCE = {
  url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      // Nor what nobody sees or what turns the letters after it around: an answer shows it beside the value.
      pattern:
        '^https?://[^\\s"<>\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]+$',
      description: 'Address at which a reviewer can read it. It is the source once the correction is accepted.',
    }),
  ),
  note: Type.String({
    minLength: 1,
    maxLength: 4_000,
    pattern: '\\S',
    description: 'Reason to believe it, in words for the reviewer. No answer repeats them.',
  }),
};

export const CorrectionBody = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: 128, description: 'A name of the fetch or enrich catalog.' }),
    lat: Type.Optional(Type.Number({ description: 'WGS84, with `lng`: the place, or a point of the parcel.' })),
    lng: Type.Optional(Type.Number({ description: 'WGS84, with `lat`.' })),
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'A street address.' })),
    parcel_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'A parcel, as enrichment and lookup answer it: all of it is meant.' }),
    ),
    value: VALUE,
    evidence: Type.Object(EVIDENCE, closed),
    callback: Type.Optional(Type.Object(CALLBACK, closed)),
  },
  {
    ...closed,
    examples: [
      {
        field: 'yearbuilt',
        lat: 44.8016,
        lng: -68.7712,
        value: 1931,
        evidence: { url: 'https://records.example.org/permits/1931/17', note: 'The building permit is of May 1931.' },
      },
    ],
  },
);
export type CorrectionBody = Static<typeof CorrectionBody>;

export const CorrectionAccepted = Type.Object(
  {
    correction_id: Type.String(),
    status: STATUS,
    poll: Type.String({ description: 'Path of the correction.' }),
  },
  closed,
);
export type CorrectionAccepted = Static<typeof CorrectionAccepted>;

export const CorrectionParams = Type.Object({ correction_id: Type.String() });
export type CorrectionParams = Static<typeof CorrectionParams>;

export const CorrectionRecord = Type.Object(
  {
    correction_id: Type.String(),
    status: STATUS,
    field: Type.String(),
    value: VALUE,
    unit: maybe(Type.String(), 'Of the field.'),
    place: Type.Object(
      {
        lat: Type.Number(),
        lng: Type.Number(),
        parcel_id: maybe(Type.String(), 'The parcel that is meant; null where it is the place alone.'),
      },
      closed,
    ),
    evidence: Type.Object(EVIDENCE, closed),
    source_says: Type.Object(
      {
        value: Type.Unknown(),
        status: Type.Enum(['ok', 'absent', 'failed']),
        source: maybe(Type.String(), 'As the record has it.'),
        source_url: maybe(Type.String(), 'As the record has it.'),
        dataset_vintage: maybe(Type.String(), 'As the record has it.'),
        release: maybe(Type.String(), 'The release that answered.'),
      },
      { ...closed, description: 'The answer when it was filed.' },
    ),
    reason: maybe(Type.String(), 'Why it was decided as it was; null before.'),
    created_at: TIME,
    updated_at: TIME,
  },
  closed,
);
export type CorrectionRecord = Static<typeof CorrectionRecord>;

export const CorrectionList = Type.Object(
  {
    corrections: Type.Array(CorrectionRecord, { description: 'As GET /v1/corrections/{correction_id} has them.' }),
    next_cursor: NextCursor,
  },
  {
    ...closed,
    examples: [
      {
        corrections: [
          {
            correction_id: 'cor_abcdefghijklmnopqrstuvwxyz',
            status: 'accepted',
            field: 'yearbuilt',
            value: 1931,
            unit: null,
            place: { lat: 44.8016, lng: -68.7712, parcel_id: 'pcl_aaaaaaaaaaaaaaaaaaaaaa' },
            evidence: {
              url: 'https://records.example.org/permits/1931/17',
              note: 'The building permit is of May 1931.',
            },
            source_says: {
              value: 1913,
              status: 'ok',
              source: 'parcel_store',
              source_url: null,
              dataset_vintage: '2026-01-01',
              release: '20261120-0a1b2c3d',
            },
            reason: 'The permit says so.',
            created_at: '2026-11-25T06:00:00.000Z',
            updated_at: '2026-11-26T06:00:00.000Z',
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
export type CorrectionList = Static<typeof CorrectionList>;
