import { type Static, type TSchema, Type } from 'typebox';
import { LOCATOR, type ResolvedLocation } from '../fetch/schema.ts';
import type { GeocodeBlock } from '../geocoder/block.ts';
import type { Standing } from './backend.ts';

/** Characters of a question (a limit of the interface). */
const MAX_QUESTION = 2000;

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);

/** The question itself. Characters are counted as JSON Schema does: by code point. */
export const QUESTION = Type.String({
  minLength: 1,
  maxLength: MAX_QUESTION,
  pattern: '\\S',
  description: 'In plain language, English or Spanish; answered in that language.',
});

/** Asks for how the answer came about. */
export const INCLUDE_TRACE = Type.Optional(Type.Boolean({ description: 'Adds `trace`; default false.' }));

export const AskBody = Type.Object(
  {
    question: QUESTION,
    ...LOCATOR,
    include_trace: INCLUDE_TRACE,
  },
  {
    additionalProperties: false,
    description: 'A question about one place: exactly one locator (`lat` and `lng`, or `address`).',
    examples: [
      { question: 'Is it in a flood zone, and how far is the nearest hospital in miles?', lat: 44.8016, lng: -68.7712 },
      { question: 'Who owns this lot?', address: '73 Harlow St, Bangor, ME 04401' },
    ],
  },
);
export type AskBody = Static<typeof AskBody>;

const LEVEL = Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]);

/** A source and what of the answer rests on it. */
export const Citation = Type.Object(
  {
    source: Type.String({ description: 'Identifier of the product that answered; each once.' }),
    source_url: maybe(Type.String()),
    fields: Type.Array(Type.String()),
    fetched_at: Type.String({ description: 'When the oldest of its values was read or computed.' }),
    confidence: Type.String({ description: 'The lowest of its records.' }),
  },
  { $id: 'Citation', additionalProperties: false, description: 'A source and what of the answer rests on it.' },
);
export interface Citation {
  readonly source: string;
  readonly source_url: string | null;
  readonly fields: readonly string[];
  readonly fetched_at: string;
  readonly confidence: string;
}

/** A planned field that has no value. */
export const DataGap = Type.Object(
  {
    field: Type.String(),
    status: Type.Union([Type.Literal('absent'), Type.Literal('failed')]),
    reason: Type.String(),
  },
  { $id: 'DataGap', additionalProperties: false, description: 'A planned field that has no value.' },
);
export type DataGap = Static<typeof DataGap>;

/** What may become of a part of a question. */
const PART_STATUSES = ['answered', 'unknown', 'not_in_release', 'elsewhere'] as const;

/** Where a value stands among the parcels of an area. */
const COMPARED = Type.Object(
  {
    share: Type.Number({ description: 'Share of these parcels whose value is smaller, at least.' }),
    above: Type.Number({ description: 'Share whose value is greater, at least.' }),
    of: Type.Union([Type.Literal('county'), Type.Literal('state'), Type.Literal('release')]),
    place: maybe(Type.String({ description: 'FIPS code of the county.' })),
    count: Type.Integer({ description: 'Parcels with a value.' }),
    citation: Type.Object({ source: Type.String(), source_url: Type.String(), release: Type.String() }),
    text: Type.String({ description: 'The same in words: steeper than 84 percent of the parcels of the county.' }),
  },
  {
    description: 'Where a number stands among those of the parcels of its county, as GET /v1/meta/quantiles has them.',
  },
);

/** The way to an answer. */
export const Trace = Type.Object(
  {
    backend: Type.String({ description: 'embedded, anthropic or openai.' }),
    fields_requested: Type.Array(Type.String(), { description: 'What was planned, at most 15.' }),
    preset_expanded: maybe(Type.String()),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    cache_read_input_tokens: Type.Integer(),
    cache_creation_input_tokens: Type.Integer(),
    sentences: Type.Array(Type.Object({ text: Type.String(), fields: Type.Array(Type.String()) }), {
      description: 'Of the answer, each with the fields that it rests on.',
    }),
    dropped: Type.Array(Type.Object({ text: Type.String(), reason: Type.String() }), {
      description:
        'Sentences that no cited record supports, each with the reason; the answer says what the records say instead.',
    }),
    parts: Type.Array(
      Type.Object({
        text: Type.String(),
        status: Type.Union(
          PART_STATUSES.map(status => Type.Literal(status)),
          {
            description:
              '`elsewhere`: it asks about another place or time, a set of places or a map. `unknown`: no field, or no value.',
          },
        ),
        fields: Type.Array(Type.String(), { description: 'Fields that answer it, best first.' }),
        value: Type.Unknown({ description: 'Of the first of them that has one; null for none.' }),
        unit: maybe(Type.String()),
        compared_to: maybe(COMPARED),
        not_understood: Type.Array(Type.String(), { description: 'Words of it that no field is about.' }),
      }),
      { description: 'Parts of the question, each with what became of it.' },
    ),
    follow_ups: Type.Array(Type.String(), {
      description: 'Up to three questions of the same matter that are answered for the same place.',
    }),
    next: Type.Array(Type.Object({ method: Type.String(), path: Type.String(), body: Type.Unknown() }), {
      description: 'Requests that may answer what this answer does not; a body of null is left to the caller.',
    }),
  },
  { $id: 'AskTrace', additionalProperties: false, description: 'The way to an answer.' },
);
export interface Trace {
  readonly backend: string;
  readonly fields_requested: readonly string[];
  readonly preset_expanded: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly sentences: readonly { readonly text: string; readonly fields: readonly string[] }[];
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
  readonly parts: readonly {
    readonly text: string;
    readonly status: (typeof PART_STATUSES)[number];
    readonly fields: readonly string[];
    readonly value: unknown;
    readonly unit: string | null;
    readonly compared_to: Standing | null;
    readonly not_understood: readonly string[];
  }[];
  readonly follow_ups: readonly string[];
  readonly next: readonly { readonly method: string; readonly path: string; readonly body: unknown }[];
}

/** What every answer has. */
export const ANSWER = {
  answer: Type.String(),
  confidence: LEVEL,
  citations: Type.Array(Type.Ref('Citation#')),
  fields_used: Type.Array(Type.String(), { description: 'Fields with a value that the answer rests on.' }),
  data_gaps: Type.Array(Type.Ref('DataGap#'), { description: 'Planned fields without a value, each with the reason.' }),
};

export const AskResponse = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    question: Type.String(),
    answered_at: Type.String({ format: 'date-time' }),
    ...ANSWER,
    resolved_location: Type.Ref('ResolvedLocation#'),
    geocode: Type.Optional(Type.Ref('GeocodeBlock#')),
    trace: Type.Optional(Type.Ref('AskTrace#')),
  },
  { $id: 'AskAnswer', additionalProperties: false },
);

/** What an answer says and rests on. */
export interface Answered {
  readonly answer: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly citations: readonly Citation[];
  readonly fields_used: readonly string[];
  readonly data_gaps: readonly DataGap[];
}

/** The body of a 200 of ask, and of the stream's final frame. */
export interface AskResult extends Answered {
  readonly lat: number;
  readonly lng: number;
  readonly question: string;
  readonly answered_at: string;
  readonly resolved_location: Static<typeof ResolvedLocation>;
  /** Only for an address. */
  readonly geocode?: GeocodeBlock;
  readonly trace?: Trace;
}

/** Schemas that others refer to by name. */
export const ASK_SCHEMAS = [Citation, DataGap, Trace] as const;
