import Type from 'typebox';

const share = Type.Number({ minimum: 0, maximum: 1 });
const shares = Type.Record(Type.String(), share);
const optional = Type.Optional;

/** `expect` of a place's layer (datasets/expectation.ts gives its meaning). */
export const expectShape = Type.Object(
  {
    rejected: optional(share),
    fewer: optional(share),
    more: optional(Type.Number({ minimum: 0 })),
    nulls: optional(shares),
    nullsRise: optional(share),
    hits: optional(shares),
    hitsFall: optional(share),
    unlisted: optional(shares),
    outside: optional(share),
    outsideMetres: optional(Type.Number({ minimum: 0 })),
    because: optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);
