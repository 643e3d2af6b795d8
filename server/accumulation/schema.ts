import { type Static, Type } from 'typebox';
import { MOST_NAME_LETTERS } from '../exports/limits.ts';
import { ReleaseName } from '../release/choice.ts';
import { ENDING, WARNINGS } from '../sets/filter-schema.ts';
import { MOST_METRES } from '../sets/limits.ts';

/** Circles of one answer: the serving thread writes them. */
export const [DEFAULT_CIRCLES, MOST_CIRCLES] = [1_000, 10_000];

const closed = { additionalProperties: false };

/** The body in the API description. The operation does the checking, because its issues never echo the body. */
export const AccumulationBodySchema = Type.Object(
  {
    upload_id: Type.String({
      maxLength: 64,
      description: 'A portfolio that POST /v1/uploads took, each row with `lat` and `lng`.',
    }),
    value: Type.String({
      maxLength: MOST_NAME_LETTERS,
      description: 'The column whose numbers are summed, such as insured values.',
    }),
    within_m: Type.Number({ minimum: 1, maximum: MOST_METRES, description: 'Geodesic meters about each point.' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_CIRCLES,
        default: DEFAULT_CIRCLES,
        description: 'Circles that are answered, those with the largest sums.',
      }),
    ),
    release: ReleaseName,
  },
  { ...closed, examples: [{ upload_id: `upl_${'0'.repeat(32)}`, value: 'tiv_usd', within_m: 250 }] },
);

const CIRCLE = {
  row: Type.Integer({ minimum: 1, description: 'Of the upload, from 1.' }),
  custom_id: Type.Union([Type.String(), Type.Null()]),
  sum: Type.Number({ description: 'Of all rows within the distance, this one among them.' }),
  points: Type.Integer({ description: 'How many they are: rows with a value.' }),
  lat: Type.Number(),
  lng: Type.Number(),
};

export const AccumulationResponseSchema = Type.Object(
  {
    rows: Type.Integer(),
    without_value: Type.Integer({ description: 'Rows without a number in the column: they add nothing.' }),
    total: Type.Number({ description: 'Of all rows.' }),
    worst: Type.Union([Type.Object(CIRCLE, closed), Type.Null()]),
    circles: Type.Array(Type.Object(CIRCLE, closed), {
      description:
        'Circles about rows, the one with the largest sum first, equal ones in the order of the upload; as many as `limit` says.',
    }),
    warnings: WARNINGS,
    ...ENDING,
  },
  closed,
);
export type AccumulationResponse = Static<typeof AccumulationResponseSchema>;
