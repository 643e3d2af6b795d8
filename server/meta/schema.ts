import { Type } from 'typebox';

const maybeString = Type.Union([Type.String(), Type.Null()]);
const Credits = Type.Record(Type.String(), Type.Integer(), { description: 'Plan → credits.' });

export const FieldMeta = Type.Object(
  {
    name: Type.String(),
    layer: Type.String(),
    type: Type.String(),
    unit: maybeString,
    title: Type.String(),
    description: Type.String(),
    hint: Type.String({ description: 'What the value means to someone who must act on it.' }),
    dataset: Type.String(),
    datasets: Type.Array(Type.String(), { description: 'Every dataset it reads, directly or through other fields.' }),
    publisher: Type.String(),
    licence: Type.String(),
    source_url: maybeString,
    vintage: maybeString,
    installed: Type.Boolean({ description: 'Whether the open release holds every layer it reads.' }),
    operator: Type.String({ description: 'The expression that computes it.' }),
    ttl_seconds: Type.Integer(),
    presets: Type.Array(Type.String(), { description: 'Fetch presets that hold it.' }),
    enrich_presets: Type.Array(Type.String()),
    surfaces: Type.Array(Type.String(), { description: 'Where the name is accepted: fetch, enrich, filter, output.' }),
    filter_operators: Type.Array(Type.String(), { description: 'What its type allows in filters.' }),
    enum_values: Type.Union([Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), Type.Null()], {
      description: 'Every value it can have, where the publisher has a closed list; null elsewhere.',
    }),
    billing: Type.Object({ group: Type.String(), credits: Credits, charged: Type.String() }),
  },
  { $id: 'FieldMeta', additionalProperties: false },
);

const FurtherName = Type.Object(
  {
    name: Type.String(),
    kind: Type.String({ description: 'parcel_attribute, enrich_only or search_only.' }),
    type: Type.String(),
    unit: maybeString,
    description: Type.String(),
    hint: maybeString,
    dataset: Type.String(),
    enrich_presets: Type.Array(Type.String()),
    surfaces: Type.Array(Type.String()),
    filter_operators: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);

const Presets = Type.Array(Type.Object({ name: Type.String(), fields: Type.Array(Type.String()) }));

/** What GET /v1/meta/fields reads of the headers. */
export const FieldsHeaders = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: 'Entity tags of the copies at hand, or `*`.' })),
});

export const FieldsResponse = Type.Object(
  {
    release: maybeString,
    count: Type.Integer({ description: 'Fetch fields.' }),
    counts: Type.Object(
      { fetch: Type.Integer(), enrich: Type.Integer(), filter: Type.Integer(), output: Type.Integer() },
      { description: 'Names that each surface accepts.' },
    ),
    layers: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
    presets: Presets,
    enrich_presets: Presets,
    price_list: Type.Object({
      currency: Type.String(),
      default: Type.Object({ credits: Credits, charged: Type.String() }),
      groups: Type.Record(
        Type.String(),
        Type.Object({ credits: Credits, charged: Type.String(), fields: Type.Array(Type.String()) }),
      ),
    }),
    fields: Type.Array(Type.Ref('FieldMeta#')),
    further_names: Type.Array(FurtherName, {
      description: 'Names beside the fetch fields: stored parcel attributes and what only enrichment or search knows.',
    }),
  },
  { additionalProperties: false },
);

export const PlansResponse = Type.Object(
  {
    plans: Type.Array(
      Type.Object({
        plan: Type.String(),
        credits_included: Type.Integer(),
        requests_per_minute: Type.Integer(),
        parcel_record_credits: Type.Integer(),
      }),
    ),
    prices: Type.Array(
      Type.Object({
        endpoint: Type.String(),
        credits: Type.Union([Type.Integer(), Type.Null()]),
        unit: Type.String(),
      }),
    ),
    resets: Type.String(),
  },
  { additionalProperties: false },
);
