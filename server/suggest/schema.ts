import { type Static, Type } from 'typebox';
import { SUGGESTION_KINDS } from '../../query/suggest/shortlist.ts';

const KIND = `(?:${SUGGESTION_KINDS.join('|')})`;
const DEGREES = '-?[0-9]{1,3}(?:\\.[0-9]{1,15})?';

/** The query parameters of GET /v1/suggest. */
export const SuggestQuery = Type.Object(
  {
    q: Type.String({
      minLength: 2,
      maxLength: 256,
      description: 'What was typed so far. It is written to no log.',
      examples: ['73 harl'],
    }),
    lat: Type.Optional(
      Type.String({ pattern: `^${DEGREES}$`, description: 'With `lng`: what is near comes first, WGS84 degrees.' }),
    ),
    lng: Type.Optional(Type.String({ pattern: `^${DEGREES}$` })),
    kinds: Type.Optional(
      Type.String({
        pattern: `^${KIND}(?:,${KIND}){0,9}$`,
        description: `What is looked for, with commas between: ${SUGGESTION_KINDS.join(', ')}. All by default.`,
      }),
    ),
    limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]|10)$', description: '1 to 10; 5 by default.' })),
  },
  { additionalProperties: false },
);
export type SuggestQuery = Static<typeof SuggestQuery>;

export const SuggestResponse = Type.Object(
  {
    suggestions: Type.Array(
      Type.Object(
        {
          kind: Type.Union([
            Type.Literal('address'),
            Type.Literal('parcel'),
            Type.Literal('owner'),
            Type.Literal('street'),
            Type.Literal('place'),
          ]),
          text: Type.String(),
          lat: Type.Number(),
          lng: Type.Number(),
          parcel_id: Type.Optional(
            Type.String({ description: 'As enrichment answers it there; absent where no one parcel is meant.' }),
          ),
          source: Type.String({ description: 'Identifier of the product that names it.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The best first.' },
    ),
  },
  { additionalProperties: false },
);
export type SuggestResponse = Static<typeof SuggestResponse>;
