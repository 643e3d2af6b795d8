import Type, { type TSchema } from 'typebox';
import { expectShape } from './quality/shape.ts';

const optional = Type.Optional;
const closed = { additionalProperties: false } as const;
const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const sentinel = Type.Union([Type.String(), Type.Number()]);
/** Checked on their own, by the branch that the written value chooses: unions give no precise errors. */
const later = Type.Unknown();

const options = Type.Object(
  {
    crs: optional(Type.String()),
    overrideCrs: optional(Type.Boolean()),
    encoding: optional(Type.String()),
    delimiter: optional(Type.String()),
    skipLines: optional(Type.Integer({ minimum: 0 })),
    skipAfterHeader: optional(Type.Integer({ minimum: 0 })),
    x: optional(Type.String()),
    y: optional(Type.String()),
    arcSeconds: optional(Type.Object({ xDirection: Type.String(), yDirection: Type.String() }, closed)),
    header: optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    withoutAttributes: optional(Type.Boolean()),
    layer: optional(Type.String({ minLength: 1 })),
    member: optional(Type.String({ minLength: 1 })),
    sheet: optional(Type.String({ minLength: 1 })),
  },
  closed,
);

const file = Type.String({ minLength: 1 });

const join = Type.Object(
  {
    file,
    format: optional(Type.String()),
    options: optional(options),
    prefix: Type.String({ minLength: 1 }),
    key: later,
    to: later,
    required: optional(Type.Boolean()),
    greatest: optional(Type.Object({ of: Type.String(), ties: Type.String() }, closed)),
    mean: optional(
      Type.Object(
        {
          value: Type.String(),
          top: Type.String(),
          bottom: Type.String(),
          within: Type.Tuple([Type.Number(), Type.Number()]),
        },
        closed,
      ),
    ),
  },
  closed,
);

const repeat = Type.Object(
  {
    when: Type.String({ minLength: 1 }),
    by: Type.String({ minLength: 1 }),
    column: Type.String({ minLength: 1 }),
    codes: Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }))),
  },
  closed,
);

const provenance = Type.Object(
  {
    source: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1 }),
    publisher: Type.String({ minLength: 1 }),
    url: Type.Union([Type.String(), Type.Null()]),
    licence: Type.String({ minLength: 1 }),
    vintage: Type.String({ minLength: 1 }),
    note: Type.Union([Type.String(), Type.Null()]),
    generalised: optional(Type.Boolean()),
  },
  closed,
);

/** Shapes of a place file, one for each part that is checked on its own (datasets/place.ts gives their meaning). */
export const SHAPES = {
  place: Type.Object(
    {
      name: Type.String({ minLength: 1 }),
      title: Type.String({ minLength: 1 }),
      state: Type.String(),
      county: Type.String(),
      coverage: later,
      synthetic: optional(Type.Boolean()),
      layers: Type.Array(later, { minItems: 1 }),
    },
    closed,
  ),
  layer: Type.Object(
    {
      dataset: Type.String(),
      layer: Type.String(),
      file,
      format: optional(Type.String()),
      options: optional(options),
      expectRows: optional(Type.Integer({ minimum: 0 })),
      expect: optional(expectShape),
      where: optional(Type.String()),
      join: optional(later),
      columns: Type.Record(Type.String(), later),
      unpublished: optional(Type.Array(Type.String())),
      geometry: optional(Type.Union([Type.Literal('point'), Type.Literal('line'), Type.Literal('polygon')])),
      dissolve: optional(Type.String()),
      distinct: optional(Type.Boolean()),
      repeat: optional(repeat),
      latest: optional(Type.String()),
      group: optional(Type.Object({ sum: Type.String(), of: Type.String() }, closed)),
      state: optional(Type.String()),
      county: optional(Type.String()),
      national: optional(Type.Boolean()),
      coverage: optional(later),
      provenance,
    },
    closed,
  ),
  expression: Type.Object(
    {
      when: optional(Type.String()),
      from: optional(later),
      join: optional(Type.String()),
      template: optional(Type.String()),
      sum: optional(Type.Array(Type.String(), { minItems: 1 })),
      const: optional(value),
      null: optional(Type.Array(sentinel)),
      strip: optional(Type.String()),
      patterns: optional(Type.Array(Type.Object({ match: Type.String(), value }, closed))),
      lookup: optional(Type.Record(Type.String(), value)),
      otherwise: optional(value),
      slice: optional(Type.Tuple([Type.Integer(), Type.Integer()])),
      pad: optional(Type.Integer({ minimum: 1 })),
      case: optional(Type.Union([Type.Literal('upper'), Type.Literal('lower'), Type.Literal('title')])),
      type: optional(Type.Union(['string', 'number', 'integer', 'boolean', 'date'].map(name => Type.Literal(name)))),
      dateFormat: optional(Type.String()),
      scale: optional(Type.Number()),
    },
    closed,
  ),
  join,
  coverageFile: Type.Object({ file, options: optional(options), where: optional(Type.String()) }, closed),
  coverageExtent: Type.Object({ extent: Type.Literal(true) }, closed),
  coverageEverywhere: Type.Object({ everywhere: Type.Literal(true) }, closed),
} as const satisfies Record<string, TSchema>;
