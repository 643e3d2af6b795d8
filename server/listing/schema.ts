import { type Static, Type } from 'typebox';

export const DEFAULT_LIMIT = 20;

/** What a list may be asked. Queries are text. */
export const ListQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[1-4][0-9]|50)$',
        description: `Entries of a page, 1 to 50; ${DEFAULT_LIMIT} by default.`,
        examples: ['10'],
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: '`next_cursor` of the page before; valid one hour.' }),
    ),
  },
  { additionalProperties: false },
);
export type ListQuery = Static<typeof ListQuery>;

export const NextCursor = Type.Union([Type.String(), Type.Null()], { description: 'Null: this is the last page.' });
