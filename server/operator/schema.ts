import { type Static, Type } from 'typebox';

const MAYBE_TIME = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const STATE = {
  asked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it was last asked for.',
  }),
  new_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When something new last came of it.',
  }),
  failed_since: MAYBE_TIME,
  why: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed last.' }),
};

export const PlacesResponse = Type.Object(
  {
    places: Type.Array(
      Type.Object(
        {
          place: Type.String(),
          ...STATE,
          files: Type.Array(Type.Object({ file: Type.String(), ...STATE }, { additionalProperties: false })),
        },
        { additionalProperties: false },
      ),
      { description: 'Places that fail first, the longest failing before all others; then by name.' },
    ),
  },
  { additionalProperties: false },
);
export type PlacesResponse = Static<typeof PlacesResponse>;
