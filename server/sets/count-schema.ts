import { type Static, Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { Match } from '../search/schema.ts';
import { SetFilters } from './filter-schema.ts';
import { DEFAULT_BOUND, MAX_BOUND } from './limits.ts';

/** The body in the API description. SetReader does the checking: its issues never echo the body. */
export const CountBodySchema = Type.Object(
  {
    filters: SetFilters,
    release: ReleaseName,
    bound: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BOUND,
        description: `Up to which is counted. Default ${DEFAULT_BOUND}.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        filters: [
          { field: 'state', op: 'eq', value: 'ME' },
          { field: 'acreage', op: 'gt', value: 5 },
        ],
      },
    ],
  },
);

const ofFilter = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const CountResponseSchema = Type.Object(
  {
    count: Type.Integer({ description: 'Parcels that pass every filter.' }),
    outlines: Type.Integer({
      description:
        'Different outlines among them: the apartments of a house may be a row each, with the outline of one lot.',
    }),
    at_least: Type.Boolean({
      description: 'Whether there may be more: the bound was reached, or `warnings` says what was not counted.',
    }),
    unknown: Type.Integer({ description: 'Parcels for which a calculation of a filter failed; they are not counted.' }),
    warnings: Type.Array(Type.String(), { description: 'What the filters could not tell, such as an empty column.' }),
    per_filter: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Its place in `filters`, from 0.' }),
          alone: ofFilter('Parcels of all states that pass this filter alone; null where there was no time to count.'),
          without: ofFilter('Parcels that pass all other filters; null where there was no time to count.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Each filter, counted to the same bound: what the count would be without it.' },
    ),
    preview: Type.Array(Match, { description: 'The first ten, as a search has them.' }),
  },
  { additionalProperties: false },
);
export type CountResponse = Static<typeof CountResponseSchema>;
