import { type Static, Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { ENDING, EXAMPLE_FILTERS, SetFilters, WARNINGS } from './filter-schema.ts';

/** The body in the API description. SetReader does the checking, because its issues never echo the body. */
export const ExplainBodySchema = Type.Object(
  {
    filters: SetFilters,
    release: ReleaseName,
    parcel_id: Type.Optional(Type.String({ description: 'Left out: why no parcel passes.' })),
  },
  { additionalProperties: false, examples: [{ filters: EXAMPLE_FILTERS }] },
);

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const index = Type.Integer({ description: 'Its place in `filters`, from 0.' });
const passes = maybe(Type.Boolean({ description: 'Null where the calculation failed that would tell.' }));

const OfParcel = Type.Object(
  {
    passes,
    filters: Type.Array(
      Type.Object(
        {
          index,
          value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
            description: 'Of the filter’s field; of an area the meters between it and the parcel, up to 1,000 km.',
          }),
          status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
          passes,
          margin: maybe(
            Type.Number({
              description:
                'By how much it passes; below 0 by how much it does not. In the unit of the field, days of dates, meters of areas. Null where that is no number.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    ...ENDING,
  },
  { additionalProperties: false },
);

const OfSearch = Type.Object(
  {
    count: Type.Integer({ description: 'Parcels that pass every filter.' }),
    relax: Type.Array(
      Type.Object(
        {
          index,
          value: Type.Union(
            [Type.Number(), Type.String(), Type.Array(Type.Union([Type.Number(), Type.String()])), Type.Null()],
            {
              description:
                'The bound that lets ten parcels pass, or all where there are fewer: itself included (`gt` becomes `gte`); both bounds of `between`; values for `in` of `eq`, `in` and `ne`. Null: this filter must be left out.',
            },
          ),
          matches: Type.Integer({ description: 'Parcels that pass then.' }),
        },
        { additionalProperties: false },
      ),
      {
        description:
          'Only where none passes: each filter that could give way alone, the one first whose bound moves by the least share of itself. Filters on the state never do.',
      },
    ),
    warnings: WARNINGS,
    ...ENDING,
  },
  { additionalProperties: false },
);

export const ExplainResponseSchema = Type.Union([OfParcel, OfSearch]);
export type ExplainResponse = Static<typeof OfParcel> | Static<typeof OfSearch>;
