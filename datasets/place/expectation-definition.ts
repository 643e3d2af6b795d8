import Type from 'typebox';

const said = (description: string) => ({ description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const shares = (description: string) =>
  Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), said(description));
const optional = Type.Optional;

/** `expect` of a place's layer; datasets/place/expectation.ts holds the defaults and how two of them are put together. */
export const expectation = Type.Object(
  {
    rejected: optional(share('Largest share of the rows that may be rejected.')),
    fewer: optional(
      share('Share of rows by which the layer may shrink against the last release; one row less always may be.'),
    ),
    more: optional(
      Type.Number({ minimum: 0, description: 'Share of rows by which it may grow against the last release.' }),
    ),
    nulls: optional(shares('Column → largest share of rows that may hold no value.')),
    nullsRise: optional(
      share('By how much the share of rows without a value may rise in any column against the last release.'),
    ),
    hits: optional(
      shares(
        'Column with a lookup or patterns, or prefix of a join → smallest share of values that must be found, of joins before `where` leaves rows out. `otherwise` finds nothing. Of every one something must be found, unless 0 is said.',
      ),
    ),
    hitsFall: optional(share('By how much that share may fall against the last release.')),
    unlisted: optional(
      shares("Column → largest share of rows whose value may be outside the column's closed list; by default none."),
    ),
    outside: optional(
      share(
        'Largest share of features that may lie farther than `outsideMetres` beyond the box of the coverage, or of the county.',
      ),
    ),
    outsideMetres: optional(Type.Number({ minimum: 0, description: 'Meters beyond that box.' })),
    because: optional(Type.String({ minLength: 1, description: "Why it is looser than the dataset's." })),
  },
  {
    additionalProperties: false,
    ...said('What the rows must be like to be published: tighter than the dataset has it, or looser with `because`.'),
  },
);
