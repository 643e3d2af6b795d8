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
    source_url: Type.String(),
    vintage: maybeString,
    installed: Type.Boolean({ description: 'Whether the open release holds every layer it reads.' }),
    operator: Type.String({ description: 'The expression that computes it.' }),
    ttl_seconds: Type.Integer(),
    presets: Type.Array(Type.String()),
    surfaces: Type.Array(Type.String(), { description: 'Endpoints that accept the name.' }),
    filter_operators: Type.Array(Type.String(), { description: 'What its type allows in filters.' }),
    billing: Type.Object({ group: Type.String(), credits: Credits, charged: Type.String() }),
  },
  { $id: 'FieldMeta', additionalProperties: false },
);

export const FieldsResponse = Type.Object(
  {
    release: maybeString,
    count: Type.Integer(),
    layers: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
    presets: Type.Array(Type.Object({ name: Type.String(), fields: Type.Array(Type.String()) })),
    price_list: Type.Object({
      currency: Type.String(),
      default: Type.Object({ credits: Credits, charged: Type.String() }),
      groups: Type.Record(
        Type.String(),
        Type.Object({ credits: Credits, charged: Type.String(), fields: Type.Array(Type.String()) }),
      ),
    }),
    fields: Type.Array(Type.Ref('FieldMeta#')),
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
