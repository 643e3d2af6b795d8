import { type Static, Type } from 'typebox';
import { RELEASE_KEY } from '../release/choice.ts';
import { type FetchResult, LOCATOR, SELECTION } from './schema.ts';

/** Locations of one batch. */
export const MAX_LOCATIONS = 25;

export const BatchBody = Type.Object(
  {
    locations: Type.Array(Type.Object(LOCATOR, { additionalProperties: false }), {
      minItems: 1,
      maxItems: MAX_LOCATIONS,
      description: 'Places, each as `lat` and `lng` or as `address`.',
    }),
    ...SELECTION,
    ...RELEASE_KEY,
  },
  {
    additionalProperties: false,
    description: '`fields` and `preset` apply to every location; at least one of them is needed.',
    examples: [
      {
        locations: [{ lat: 44.8016, lng: -68.7712 }, { address: '73 Harlow St, Bangor, ME 04401' }],
        fields: ['county_name', 'fema_flood_zone'],
      },
    ],
  },
);
export type BatchBody = Static<typeof BatchBody>;

export const BatchHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 128,
      pattern: '^[A-Za-z0-9_-]*$',
      description:
        'Executes and charges once: the same key and body within 24 hours get the stored result with `replayed: true`. A refused request leaves the key free.',
    }),
  ),
});

export const BatchResponse = Type.Object(
  {
    fetched_at: Type.String(),
    results: Type.Array(
      Type.Union([
        Type.Object(
          {
            index: Type.Integer(),
            ok: Type.Literal(true),
            lat: Type.Number(),
            lng: Type.Number(),
            fetched_at: Type.String(),
            fields: Type.Record(Type.String(), Type.Ref('FieldRecord#')),
            partial_failures: Type.Array(Type.Ref('PartialFailure#')),
            resolved_location: Type.Ref('ResolvedLocation#'),
            geocode: Type.Optional(Type.Ref('GeocodeBlock#')),
          },
          { additionalProperties: false },
        ),
        Type.Object(
          {
            index: Type.Integer(),
            ok: Type.Literal(false),
            error: Type.Object(
              { error: Type.String(), message: Type.String(), retryable: Type.Boolean() },
              { additionalProperties: false },
            ),
          },
          { additionalProperties: false },
        ),
      ]),
      { description: '`results[i]` answers `locations[i]`.' },
    ),
    replayed: Type.Optional(Type.Literal(true, { description: 'Only on a stored result; it costs nothing.' })),
  },
  { additionalProperties: false },
);

/** The entry of one location in a batch: its answer, or why it has none. */
export type BatchEntry =
  | ({ readonly index: number; readonly ok: true } & FetchResult)
  | {
      readonly index: number;
      readonly ok: false;
      readonly error: { readonly error: string; readonly message: string; readonly retryable: boolean };
    };

/** The body of a 200. */
export interface BatchResult {
  readonly fetched_at: string;
  readonly results: readonly BatchEntry[];
  readonly replayed?: true;
}
