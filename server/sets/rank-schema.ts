import { Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { Match } from '../search/schema.ts';
import { EXAMPLE_FILTERS, SetFilters, UNKNOWN, WARNINGS } from './filter-schema.ts';
import { DEFAULT_RANKED, MAX_RANKED, MOST_CRITERIA, MOST_ORDERS } from './limits.ts';

const field = Type.String({ description: 'A name of the search catalog.' });

/** The body in the API description. SetReader does the checking, because its issues never echo the body. */
export const RankBodySchema = Type.Object(
  {
    filters: SetFilters,
    release: ReleaseName,
    order_by: Type.Optional(
      Type.Array(
        Type.Object(
          { field, direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]) },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MOST_ORDERS, description: 'One after another; absent values come last.' },
      ),
    ),
    score: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field,
            weight: Type.Number({ exclusiveMinimum: 0 }),
            prefer: Type.Union([
              Type.Literal('high'),
              Type.Literal('low'),
              Type.Object({ near: Type.Number() }, { additionalProperties: false }),
            ]),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: MOST_CRITERIA,
          description: 'Instead of `order_by`: the weighted mean of the percentiles, 0 to 100, highest first.',
        },
      ),
    ),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'Further outputs of each match.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RANKED, description: `Default ${DEFAULT_RANKED}.` })),
  },
  {
    additionalProperties: false,
    examples: [
      { filters: EXAMPLE_FILTERS, order_by: [{ field: 'acreage', direction: 'desc' }], limit: 5 },
      {
        filters: EXAMPLE_FILTERS,
        score: [
          { field: 'acreage', weight: 2, prefer: 'high' },
          { field: 'centroid_lat', weight: 1, prefer: { near: 44.8 } },
        ],
      },
    ],
  },
);

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const RankResponseSchema = Type.Object(
  {
    matches: Type.Array(
      Type.Object(
        {
          ...Match.properties,
          parcel_id: Type.String({
            description: 'As enrichment and lookup answer it; equal parcels are in its order.',
          }),
          rank: Type.Integer({ minimum: 1 }),
          score: Type.Optional(maybe(Type.Number({ description: '100 at best; null where a criterion is absent.' }))),
          criteria: Type.Record(
            Type.String(),
            Type.Object(
              {
                value: Type.Unknown(),
                status: Type.Union([Type.Literal('ok'), Type.Literal('absent')]),
                percentile: maybe(
                  Type.Number({
                    description:
                      'Of all parcels that pass and have a value, the share in hundredths that is less, and half of what is equal. Of `near`: of the distance.',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    considered: Type.Integer({ description: 'Parcels that pass every filter.' }),
    absent: Type.Integer({ description: 'Those that lack a criterion: they come last.' }),
    failed: Type.Integer({ description: 'Those for which the calculation of a criterion failed: they have no rank.' }),
    unknown: UNKNOWN,
    warnings: WARNINGS,
  },
  { additionalProperties: false },
);
