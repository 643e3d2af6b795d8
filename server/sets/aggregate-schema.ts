import { Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { EXAMPLE_FILTERS, SetFilters, UNKNOWN, WARNINGS } from './filter-schema.ts';
import {
  DEFAULT_MIN_COUNT,
  LEAST_RESOLUTION,
  MOST_DIMENSIONS,
  MOST_EDGES,
  MOST_MEASURES,
  MOST_MIN_COUNT,
  MOST_RESOLUTION,
} from './limits.ts';

const literals = <W extends string>(...words: readonly W[]) => Type.Unsafe<W>({ type: 'string', enum: [...words] });

/** The body in the API description. SetReader does the checking, because its issues never echo the body. */
export const AggregateBodySchema = Type.Object(
  {
    filters: SetFilters,
    release: ReleaseName,
    group_by: Type.Optional(
      Type.Array(
        Type.Union([
          Type.String({ description: 'A name of the search catalog, or "county" (FIPS code), "city", "zip".' }),
          Type.Object(
            {
              h3: Type.Integer({
                minimum: LEAST_RESOLUTION,
                maximum: MOST_RESOLUTION,
                description: 'Cells of this resolution that hold the analysis point.',
              }),
            },
            { additionalProperties: false },
          ),
          Type.Object(
            {
              bins: Type.String({ description: 'A name whose values are numbers.' }),
              edges: Type.Array(Type.Number(), { minItems: 1, maxItems: MOST_EDGES, description: 'Ascending.' }),
            },
            { additionalProperties: false },
          ),
        ]),
        { maxItems: MOST_DIMENSIONS, description: 'Without any, all parcels are one group.' },
      ),
    ),
    measures: Type.Array(
      Type.Object(
        {
          op: literals('count', 'sum', 'mean', 'min', 'max', 'quantile'),
          field: Type.Optional(Type.String({ description: 'Needed but for a count of the parcels.' })),
          q: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Of a quantile.' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_MEASURES },
    ),
    min_count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_MIN_COUNT,
        description: `Groups of fewer parcels are called small. Default ${DEFAULT_MIN_COUNT}.`,
      }),
    ),
    geometry: Type.Optional(Type.Boolean({ description: 'Whether cells come with their outline. Default false.' })),
    stacked: Type.Optional(
      Type.Boolean({
        description:
          'Whether sums of acres count ground for every row that lies on it. Default false: apartments of one lot count its ground once in a group.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        filters: EXAMPLE_FILTERS,
        group_by: ['city'],
        measures: [
          { op: 'sum', field: 'acreage' },
          { op: 'quantile', field: 'acreage', q: 0.5 },
        ],
      },
      { filters: EXAMPLE_FILTERS, group_by: [{ h3: 7 }], measures: [{ op: 'count' }], geometry: true },
    ],
  },
);

const edge = Type.Union([Type.Number(), Type.Null()]);

export const AggregateResponseSchema = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          key: Type.Array(
            Type.Union([
              Type.String(),
              Type.Number(),
              Type.Boolean(),
              Type.Null(),
              Type.Object({ from: edge, to: edge }, { additionalProperties: false }),
            ]),
            {
              description: 'A part for each of `group_by`; null where there is no value. A bin holds `from`, not `to`.',
            },
          ),
          count: Type.Integer(),
          small: Type.Boolean({ description: 'Fewer parcels than `min_count`: its measures say little.' }),
          measures: Type.Array(
            Type.Object(
              {
                value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
                  description: 'Null where no parcel of the group has a value.',
                }),
                ok: Type.Integer({ description: 'Parcels with a value.' }),
                absent: Type.Integer({ description: 'Parcels without one.' }),
                failed: Type.Integer({ description: 'Parcels for which the calculation failed.' }),
              },
              { additionalProperties: false },
            ),
            { description: 'In the order of the request.' },
          ),
          geometry: Type.Optional(Type.Unknown({ description: 'GeoJSON Polygon.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'Largest first.' },
    ),
    considered: Type.Integer({ description: 'Parcels that pass every filter.' }),
    failed: Type.Integer({ description: 'Those whose group is not known, because a calculation failed.' }),
    unknown: UNKNOWN,
    warnings: WARNINGS,
  },
  { additionalProperties: false },
);
