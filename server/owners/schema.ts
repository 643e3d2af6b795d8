import { type Static, Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { Match } from '../search/schema.ts';
import { ENDING } from '../sets/filter-schema.ts';

/** Owners or parcels of a page, by default and at most; letters of a name. */
export const [DEFAULT_OWNERS, MAX_OWNERS] = [20, 100];
export const [LEAST_LETTERS, MOST_LETTERS] = [3, 128];

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_OWNERS, description: `Default ${DEFAULT_OWNERS}.` }),
);
const cursor = Type.Optional(Type.String({ description: '`next_cursor` of the page before.' }));
const next = Type.Union([Type.String(), Type.Null()], { description: 'Null: this is the last page.' });
const maybe = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

/** The body in the API description. The operation does the checking, because its issues never echo the body. */
export const OwnersBody = Type.Object(
  {
    state: Type.String({ description: 'Two letters.' }),
    county: Type.Optional(Type.String({ description: 'FIPS code, five digits.' })),
    name: Type.String({ minLength: LEAST_LETTERS, maxLength: MOST_LETTERS }),
    match: Type.Optional(
      Type.Union([Type.Literal('prefix'), Type.Literal('exact')], {
        description:
          'Default prefix: all words occur, of which the last may be a beginning. exact: the whole name, however it is written.',
      }),
    ),
    limit,
    cursor,
    release: ReleaseName,
  },
  { additionalProperties: false, examples: [{ state: 'ME', name: 'smith j' }] },
);

export const OwnersResponse = Type.Object(
  {
    owners: Type.Array(
      Type.Object(
        {
          owner_id: Type.String({ description: 'For POST /v1/owners/parcels.' }),
          owner: Type.String({ description: 'The spelling of most parcels.' }),
          spellings: Type.Array(Type.String(), { description: 'At most 20.' }),
          parcels: Type.Integer(),
          acres: maybe('Ground counted once; null where no parcel has a value.'),
          value_usd: maybe('Sum of the parcel values that the county has.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Those with most parcels first.' },
    ),
    next_cursor: next,
    ...ENDING,
  },
  { additionalProperties: false },
);
export type OwnersResponse = Static<typeof OwnersResponse>;

export const OwnerParcelsBody = Type.Object(
  { owner_id: Type.String(), limit, cursor, release: ReleaseName },
  { additionalProperties: false, examples: [{ owner_id: 'own_TUUKCkpPSE4gU01JVEg' }] },
);

export const OwnerParcelsResponse = Type.Object(
  {
    matches: Type.Array(
      Type.Object({ ...Match.properties, parcel_id: Type.String() }, { additionalProperties: false }),
    ),
    next_cursor: next,
    ...ENDING,
  },
  { additionalProperties: false },
);
