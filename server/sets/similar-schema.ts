import { Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { Match } from '../search/schema.ts';
import { ENDING, EXAMPLE_FILTERS, SetFilters, UNKNOWN, WARNINGS } from './filter-schema.ts';
import { DEFAULT_ALIKE, MAX_ALIKE, MOST_FIELDS } from './limits.ts';

/** The body in the API description. SetReader does the checking, because its issues never echo the body. */
export const SimilarBodySchema = Type.Object(
  {
    parcel_id: Type.String({ description: 'As enrichment, lookup and ranks answer it.' }),
    fields: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MOST_FIELDS,
      description: 'Names of the search catalog that hold numbers or dates.',
    }),
    filters: SetFilters,
    release: ReleaseName,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ALIKE, description: `Default ${DEFAULT_ALIKE}.` })),
  },
  {
    additionalProperties: false,
    examples: [{ parcel_id: 'pcl_3q2-7wABCDEFGHIJKLMNOP', fields: ['acreage', 'parval'], filters: EXAMPLE_FILTERS }],
  },
);

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const value = Type.Union([Type.Number(), Type.String(), Type.Null()]);

export const SimilarResponseSchema = Type.Object(
  {
    matches: Type.Array(
      Type.Object(
        {
          ...Match.properties,
          parcel_id: Type.String(),
          rank: Type.Integer({ minimum: 1 }),
          distance: Type.Number({ description: 'Root of the sum of the squared distances of the fields.' }),
          fields: Type.Record(
            Type.String(),
            Type.Object(
              {
                value,
                distance: maybe(
                  Type.Number({ description: 'In standard deviations; null where the field is not compared.' }),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'The likest first; equal ones by `parcel_id`. The parcel itself is none of them.' },
    ),
    parcel: Type.Object(
      {
        parcel_id: Type.String(),
        fields: Type.Record(
          Type.String(),
          Type.Object(
            {
              value,
              status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
              deviation: maybe(
                Type.Number({
                  description:
                    'Standard deviation among the parcels that pass, what a distance of 1 is; days of dates.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false, description: 'Its own values: what it lacks is not compared.' },
    ),
    considered: Type.Integer({ description: 'Parcels that pass every filter beside the parcel itself.' }),
    absent: Type.Integer({ description: 'Those that lack a field that is compared: they have no rank.' }),
    failed: Type.Integer({ description: 'Those for which the calculation of such a field failed: they have no rank.' }),
    unknown: UNKNOWN,
    warnings: WARNINGS,
    ...ENDING,
  },
  { additionalProperties: false },
);
