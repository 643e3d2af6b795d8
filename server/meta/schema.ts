import { Type } from 'typebox';
import { VerdictMeta } from './verdict.ts';

const maybeString = Type.Union([Type.String(), Type.Null()]);
const Kind = Type.Enum(['polygon', 'extent', 'everywhere'], {
  description: 'Whether ground beyond polygons, beyond the extent of the data, or no ground is unmapped.',
});
const Terms = Type.Array(Type.String(), { description: 'Everyday words for it; questions are matched with them.' });
const Precision = Type.Union([Type.Number(), Type.Null()], {
  description: 'Step that its numbers are rounded to, in its unit; null where it is no number, or a whole one.',
});
const HELD = {
  source: Type.Union([Type.String(), Type.Null()], {
    description: 'The products that this release answers it from, as `source` of records names them; null for none.',
  }),
  vintage: Type.Union([Type.String(), Type.Null()], { description: 'Of those products.' }),
  installed: Type.Boolean({
    description:
      'Whether this release can answer it: every layer that it needs is there, and publishes what is read of it.',
  }),
  why_not: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it cannot be answered, or why no parcel has a value; null elsewhere.',
  }),
  parcel_share: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Share of the parcels that have a value, 0 to 1, 4 decimals; null where nothing is stored for parcels, or where they are not counted yet.',
  }),
};
const Credits = Type.Record(Type.String(), Type.Integer(), { description: 'Plan → credits.' });

export const FieldMeta = Type.Object(
  {
    name: Type.String(),
    layer: Type.String(),
    type: Type.String(),
    unit: maybeString,
    precision: Precision,
    title: Type.String(),
    description: Type.String(),
    hint: Type.String({ description: 'What the value means to someone who must act on it.' }),
    terms: Terms,
    dataset: Type.String(),
    datasets: Type.Array(Type.String(), { description: 'Every dataset it reads, directly or through other fields.' }),
    publisher: Type.String(),
    licence: Type.String(),
    source_url: maybeString,
    ...HELD,
    in_release: Type.Array(
      Type.Object({
        layer: Type.String({ description: '`dataset:layer`.' }),
        source: Type.String({ description: 'The product itself, where it stands in for the layer.' }),
        publisher: Type.String(),
        vintage: Type.String(),
        coverage: Kind,
        note: Type.Union([Type.String(), Type.Null()], {
          description: 'Why it stands in for the layer, or that it is synthetic.',
        }),
        places: Type.Array(Type.String(), { description: 'Places whose files it came with, 20 at most.' }),
        place_count: Type.Integer(),
      }),
      {
        description:
          'What the open release has of the layers it reads, 20 products at most; /v1/meta/coverage has all.',
      },
    ),
    operator: Type.String({ description: 'The expression that computes it.' }),
    ttl_seconds: Type.Integer(),
    presets: Type.Array(Type.String(), { description: 'Fetch presets that hold it.' }),
    enrich_presets: Type.Array(Type.String()),
    surfaces: Type.Array(Type.String(), { description: 'Where the name is accepted: fetch, enrich, filter, output.' }),
    filter_operators: Type.Array(Type.String(), { description: 'What its type allows in filters.' }),
    enum_values: Type.Union([Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), Type.Null()], {
      description: 'Every value it can have, where the publisher has a closed list; null elsewhere.',
    }),
    verdict: VerdictMeta,
    billing: Type.Object({ group: Type.String(), credits: Credits, charged: Type.String() }),
  },
  {
    $id: 'FieldMeta',
    additionalProperties: false,
    description: 'A field of the catalog: what it means, where it comes from and what it costs.',
  },
);

const FurtherName = Type.Object(
  {
    name: Type.String(),
    kind: Type.String({
      description:
        'parcel_attribute, enrich_only, search_only, or set_only: a column that counts, ranks and aggregates take.',
    }),
    type: Type.String(),
    unit: maybeString,
    precision: Precision,
    description: Type.String(),
    hint: maybeString,
    terms: Terms,
    dataset: Type.String(),
    enrich_presets: Type.Array(Type.String()),
    surfaces: Type.Array(Type.String()),
    filter_operators: Type.Array(Type.String()),
    ...HELD,
  },
  { additionalProperties: false },
);

const Presets = Type.Array(Type.Object({ name: Type.String(), fields: Type.Array(Type.String()) }));

/** The query parameters of GET /v1/meta/fields. */
export const FieldsQuerySchema = Type.Object(
  {
    county_fips: Type.Optional(
      Type.String({ pattern: '^[0-9]{5}$', description: 'FIPS code: what this release holds of this county.' }),
    ),
    available: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: '`true`: only names that can be answered there and that some parcel has a value of.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The request headers of answers that a caller may have a copy of. */
export const CopyHeaders = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: 'Entity tags of the copies at hand, or `*`.' })),
});

export const FieldsResponse = Type.Object(
  {
    release: maybeString,
    county_fips: Type.Union([Type.String(), Type.Null()], { description: 'The county asked about; null: all.' }),
    parcels: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Parcels that the shares are of; null where they are not counted yet.',
    }),
    calculations: Type.Union(
      [
        Type.Object({
          fields: Type.Array(Type.String()),
          done: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Parcels that are done; null where nothing is known to calculate.',
          }),
          total: Type.Union([Type.Integer(), Type.Null()], { description: 'Parcels to be done.' }),
          seconds_left: Type.Union([Type.Integer(), Type.Null()], {
            description:
              'Seconds until the last parcel is done, at the pace so far; null before the first are. Writing and publishing the values comes on top.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Names that are answered at a point and that a search cannot filter by yet, because their values for the parcels are not calculated; null where there are none.',
      },
    ),
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

const sourceProperties = {
  dataset: Type.String(),
  layer: Type.String(),
  place: Type.String({ description: 'Place whose file it is.' }),
  source: Type.String({ description: 'The product, as `source` of records names it.' }),
  title: Type.String(),
  publisher: Type.String(),
  url: maybeString,
  licence: Type.String(),
  vintage: Type.String(),
  retrieved_at: Type.String(),
  age_days: Type.Integer({ description: 'Days since it was retrieved.' }),
  rows: Type.Integer(),
  ground: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Rows of a parcel file that are roads, water or other ground and no parcels; not among the rows.',
    }),
  ),
  coverage: Kind,
  box: Type.Union([Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), Type.Null()], {
    description: 'West, south, east, north of what it holds; null for a table.',
  }),
  reach: Type.Optional(
    Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description:
        'Where the file was cut to the county: west, south, east, north of the box about it in which everything is held. Beyond it the nearest of a place is not known.',
    }),
  ),
  note: Type.Union([Type.String(), Type.Null()], {
    description: 'Why another product answers, or that the data is synthetic.',
  }),
  synthetic: Type.Boolean(),
};

const closed = { additionalProperties: false } as const;
const Source = Type.Object(sourceProperties, closed);

/** The query parameters of GET /v1/meta/coverage. */
export const CoverageQuerySchema = Type.Object(
  {
    state: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'Two-letter code: this state alone.' })),
    county: Type.Optional(Type.String({ pattern: '^[0-9]{5}$', description: 'FIPS code: this county alone.' })),
    dataset: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'This dataset alone.' })),
    after: Type.Optional(Type.String({ pattern: '^[0-9]{5}$', description: '`next_after` of the page before.' })),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|100)$', description: 'Counties of a page, 1 to 100; 100 by default.' }),
    ),
  },
  closed,
);

export const CoverageResponse = Type.Object(
  {
    release: maybeString,
    national: Type.Array(Source, { description: 'Files of the whole country.' }),
    statewide: Type.Array(Type.Object({ state: Type.String(), ...sourceProperties }, closed)),
    counties: Type.Array(
      Type.Object(
        {
          county_fips: Type.String(),
          state: Type.String(),
          places: Type.Array(Type.String()),
          layers: Type.Array(Source),
          parcels_rejected: Type.Union(
            [Type.Array(Type.Object({ reason: Type.String(), parcels: Type.Integer() }, closed)), Type.Null()],
            {
              description:
                'Parcels that were left out when the county was ingested, by reason: no search finds them. Null where they could not be counted.',
            },
          ),
        },
        closed,
      ),
      { description: 'By FIPS code.' },
    ),
    next_after: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
  },
  closed,
);
