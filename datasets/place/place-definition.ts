import Type, { type Static, type TSchema } from 'typebox';
import { expectation } from './expectation-definition.ts';
import {
  closed,
  count,
  cut,
  file,
  ground,
  name,
  optional,
  options,
  provenance,
  said,
} from './place-source-definition.ts';
import { published } from './published-definition.ts';

/**
 * What a place file may say: the one definition behind the types of datasets/place/place.ts, the checks of a place, the JSON
 * Schema for editors (`plat place schema`) and the keys in docs/places.md. A part that a union or a list leads to stands
 * on its own under its name (`Type.Ref`), so that its errors name the one key that is wrong and not the whole union.
 */

const scalar = (description?: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], description ? { description } : {});

/** What becomes of a column where several joined rows share a key. */
const SEVERAL = ['reject', 'first', 'sum', 'count', 'list'] as const;
const severalWord = Type.Union([Type.Enum([...SEVERAL]), Type.Null()]);

const join = Type.Object(
  {
    file: file('Path below the sources folder.'),
    format: optional(Type.String(said('Reader name; by default told from the file name.'))),
    options: optional(options),
    prefix: name('Its columns are named `prefix.column` in expressions and conditions.'),
    key: Type.Ref('expression', said('Key of the joined file.')),
    to: Type.Ref(
      'expression',
      said('Key of the row that is joined to; may read columns of the joins before this one.'),
    ),
    required: optional(Type.Boolean(said('Rows to which nothing joins are rejected.'))),
    several: optional(
      Type.Ref(
        'several',
        said(
          'What several joined rows of one key become: one word for all columns, or column: word. `reject` (the default) ' +
            'rejects the row, `first` takes the first in the file, `sum` adds numbers up (nothing where one is missing), ' +
            '`count` counts values, `list` lists different values with `; ` between them, `null` gives nothing.',
        ),
      ),
    ),
    geometry: optional(
      Type.Boolean(
        said(
          'Rows without a geometry take that of the joined row. A layer of points takes a point inside a joined polygon, ' +
            'and an address so placed is never answered as a rooftop.',
        ),
      ),
    ),
    greatest: optional(
      Type.Object(
        {
          of: Type.String(said('Column of the number.')),
          ties: Type.String(said('Column whose lowest value decides between equals.')),
        },
        { ...closed, ...said('Of the rows that share a key, the one with the greatest number.') },
      ),
    ),
    mean: optional(
      Type.Object(
        {
          value: Type.String(said('Column that is averaged.')),
          top: Type.String(said('Column of the depth where a slice begins.')),
          bottom: Type.String(said('Column of the depth where it ends.')),
          within: Type.Tuple([Type.Number(), Type.Number()], said('Depths that count, from and to.')),
        },
        {
          ...closed,
          ...said(
            'Rows that share a key are slices of a depth: they become one with the mean of `value`, weighted by how much of ' +
              '`within` each slice takes. Slices without a value do not count.',
          ),
        },
      ),
    ),
  },
  { ...closed, ...said('A second file, or another layer of the same, whose columns are added by key.') },
);

const repeat = Type.Object(
  {
    when: name('Condition over source columns.'),
    by: name('Source column whose value is looked up in `codes`.'),
    column: name('Source column that takes the code.'),
    codes: Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 })), said('Value → codes.')),
  },
  {
    ...closed,
    ...said(
      'Rows that stand for all areas of a kind, such as a declaration for a whole state: each that meets `when` is read once ' +
        'for every code that the value of `by` lists; one whose value lists none is skipped.',
    ),
  },
);

const expression = Type.Object(
  {
    when: optional(Type.String(said('Condition over source columns; a row that does not meet it gives nothing.'))),
    from: optional(
      Type.Union(
        [Type.String(), Type.Array(Type.Ref('expression'))],
        said('Source column, or several columns or expressions joined by `join`; missing ones are skipped.'),
      ),
    ),
    join: optional(Type.String(said('The text between the parts of `from`; default one space.'))),
    spaces: optional(
      Type.Literal(
        true,
        said('White space around the column stays for the steps that follow, such as a pattern that asks for it.'),
      ),
    ),
    template: optional(
      Type.String(said('`{A} of {B}`, filled from source columns; nothing when one of them is missing.')),
    ),
    sum: optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Sum of source columns read as numbers; nothing when one of them is missing.',
      }),
    ),
    const: optional(scalar('The same value for every row.')),
    null: optional(
      Type.Array(
        Type.Union([Type.String(), Type.Number()]),
        said('Published values that mean missing; numbers compare as numbers, also with text that reads as one.'),
      ),
    ),
    strip: optional(Type.String(said('Regular expression; every match is removed from the text.'))),
    replace: optional(
      Type.Array(
        Type.Object(
          { match: Type.String(said('Regular expression.')), value: Type.String(said('`$1` to `$9` are its groups.')) },
          closed,
        ),
        said('Every match is replaced and the rest of the text stays; each entry takes what the one before it leaves.'),
      ),
    ),
    patterns: optional(
      Type.Array(
        Type.Object(
          { match: Type.String(said('Regular expression.')), value: scalar('`$1` to `$9` are its groups.') },
          closed,
        ),
        said('The first regular expression that matches gives the value; none gives `otherwise`, else nothing.'),
      ),
    ),
    lookup: optional(
      Type.Record(
        Type.String(),
        scalar(),
        said("Exact value → value; none gives `otherwise`, else nothing. The entry '' is for missing values."),
      ),
    ),
    otherwise: optional(scalar('Value where no pattern or no entry of `lookup` fits; missing values stay missing.')),
    slice: optional(
      Type.Tuple([Type.Integer(), Type.Integer()], said('Start and exclusive end in characters, from 0.')),
    ),
    pad: optional(Type.Integer({ minimum: 1, description: 'Left-pads with zeros to this length.' })),
    case: optional(Type.Enum(['upper', 'lower', 'title'], said('Changes the case of the text.'))),
    type: optional(
      Type.Enum(
        ['string', 'number', 'integer', 'boolean', 'date'],
        said(
          'How the value is read; by default the type of the column. Numbers may have `$` and thousands commas; booleans are ' +
            'T/F, Y/N, true/false or 1/0. Anything else rejects the row; it is never zero or false.',
        ),
      ),
    ),
    dateFormat: optional(
      Type.String(
        said(
          'Format of a published date: letters Y M D with separators, for example `MM/DD/YY`; `MMM` is the English name of a ' +
            'month or its first letters, as in `DD-MMM-YYYY`. `epoch ms`: milliseconds since 1970 (UTC), as ArcGIS writes them.',
        ),
      ),
    ),
    scale: optional(Type.Number(said('Factor of a number, for example from acres to square kilometers.'))),
  },
  {
    ...closed,
    ...said(
      'How one column is filled from a row. Exactly one of `from`, `template`, `sum` and `const`; then the steps in the order ' +
        'of the keys here. Blank text is missing, and missing passes every later step unchanged.',
    ),
  },
);

const layer = Type.Object(
  {
    id: optional(
      name('Name of this layer for places that extend this one; by default `dataset:layer`. Unique in the file.'),
    ),
    omit: optional(Type.Literal(true, said('Leaves an inherited layer of this id out.'))),
    dataset: Type.String(said('Dataset of the catalog whose layer is filled (place-columns.md).')),
    layer: Type.String(
      said('Layer of the dataset. Several entries may fill the same layer, each with rows of its own.'),
    ),
    file: file('Path below the sources folder.'),
    format: optional(Type.String(said('Reader name; by default told from the file name.'))),
    options: optional(options),
    expectRows: optional(count('Rows the file is known to hold; a different count stops the ingest.')),
    expect: optional(expectation),
    where: optional(
      Type.String(
        said(
          'Condition over source columns, joined ones as `prefix.column`; rows that do not meet it are skipped, not ' +
            'rejected. Compared with a number, text that reads as a number compares as that number.',
        ),
      ),
    ),
    ground: optional(
      Type.Array(Type.Ref('ground'), {
        minItems: 1,
        description: 'Parcels: rows that are roads, water or other ground and no parcels. The first that fits counts.',
      }),
    ),
    join: optional(
      Type.Union(
        [Type.Ref('join'), Type.Array(Type.Ref('join'))],
        said(
          'Adds columns of other files, or of other layers of this one, by key: one join, or several in their order.',
        ),
      ),
    ),
    columns: Type.Record(
      Type.String(),
      Type.Ref('expression'),
      said('Column of the dataset → source column or expression. A raster has none.'),
    ),
    unpublished: optional(
      Type.Union(
        [Type.Literal('rest'), Type.Array(Type.String())],
        said(
          'What this source does not publish: columns, and conditions over them whose rows it lacks; `rest` is every column ' +
            'that is not mapped. A request for one is told so.',
        ),
      ),
    ),
    geometry: optional(
      Type.Enum(
        ['point', 'line', 'polygon'],
        said("Geometry of this source where it differs from the layer's, such as stream polygons in a layer of lines."),
      ),
    ),
    dissolve: optional(
      Type.String(
        said("Column: polygons that share its value are united. Others' values must agree or become missing."),
      ),
    ),
    distinct: optional(Type.Boolean(said('Tables: rows that are equal in every mapped column are stored once.'))),
    repeat: optional(repeat),
    latest: optional(
      Type.String(
        said("Column: of the rows that share the layer's key, only the one with its greatest value is stored."),
      ),
    ),
    group: optional(
      Type.Object(
        {
          sum: Type.String(said('Column that is added up.')),
          of: Type.String(said('Column that takes the value with the largest part of the sum.')),
        },
        { ...closed, ...said("Rows that share the layer's key become one; the rest is the first row's.") },
      ),
    ),
    accuracyM: optional(
      Type.Number({
        exclusiveMinimum: 0,
        ...said(
          "Stated horizontal accuracy of this file in meters, where it is not the layer's own: generalized borders, another scale.",
        ),
      }),
    ),
    state: optional(Type.String(said('State that this file is of, where a place spans several.'))),
    county: optional(Type.String(said('County that this file is of, where a place spans several.'))),
    national: optional(Type.Boolean(said('National file: belongs to no county, covers everywhere.'))),
    cut: optional(cut),
    coverage: optional(Type.Ref('coverage', said("Overrides the place's coverage for this layer."))),
    provenance: optional(
      Type.Partial(provenance, {
        ...closed,
        ...said('The source of the values of this layer; keys left out are those of the place.'),
      }),
    ),
  },
  { ...closed, ...said('One file mapped onto one layer of a dataset.') },
);

const place = Type.Object(
  {
    name: name('Lower-case letters, digits and hyphens. A later ingest under the same name replaces this one.'),
    title: name('Title of the place, for people.'),
    state: Type.String(said('Two-letter code of the state.')),
    county: Type.String(said('Five-digit FIPS code of the county, in quotes: a leading zero counts.')),
    coverage: Type.Ref('coverage', said('Where the layers of the place are known to be mapped.')),
    synthetic: optional(Type.Boolean(said('The data is made up, and every answer says so.'))),
    extends: optional(
      name(
        'A place of this build by name, or another place file (.yaml, .yml, .json) relative to this one, to inherit from.',
      ),
    ),
    abstract: optional(
      Type.Boolean(said('A template: cannot be ingested, only extended, and may leave out what its heirs say.')),
    ),
    provenance: optional(
      Type.Partial(provenance, { ...closed, ...said('Defaults for the provenance of every layer, key by key.') }),
    ),
    files: optional(
      Type.Record(
        Type.String(),
        Type.Ref('published'),
        said('Path below the sources folder → where it is published. Files that are not here are put there by hand.'),
      ),
    ),
    unavailable: optional(
      Type.Record(
        Type.String(),
        Type.String(),
        said('What the place does not have → why, such as `dataset:layer` → what is published. Plans show it.'),
      ),
    ),
    layers: Type.Array(Type.Ref('layer'), { minItems: 1, description: 'The files and what they fill.' }),
  },
  { ...closed, ...said('Maps the published files of one place onto the datasets of the catalog.') },
);

/** The parts of a place file by name. */
export const PARTS = {
  place,
  published,
  layer,
  ground,
  join,
  expressionObject: expression,
  expression: Type.Union(
    [Type.String({ minLength: 1 }), Type.Ref('expressionObject')],
    said('A source column, or how to make the value.'),
  ),
  several: Type.Union([severalWord, Type.Record(Type.String(), severalWord)]),
  severalByColumn: Type.Record(Type.String(), severalWord),
  severalWord,
  options,
  provenance,
  coverageFile: Type.Object(
    {
      file: file('Polygons of what is mapped.'),
      options: optional(options),
      where: optional(Type.String(said('Condition over its columns: only polygons that meet it cover.'))),
      optional: optional(
        Type.Literal(
          true,
          said(
            'Of one layer: where no polygon covers, the layer is left out and the ingest says so. Otherwise the ingest fails.',
          ),
        ),
      ),
    },
    closed,
  ),
  coverageExtent: Type.Object(
    { extent: Type.Literal(true, said('The grid of a raster, or the box of the features.')) },
    closed,
  ),
  coverageEverywhere: Type.Object({ everywhere: Type.Literal(true, said('Everywhere.')) }, closed),
  coverage: Type.Union([Type.Ref('coverageFile'), Type.Ref('coverageExtent'), Type.Ref('coverageEverywhere')]),
} as const satisfies Record<string, TSchema>;

/** Read-only at every depth. */
type Deep<T> = T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T;

/** The type of a part as it stands in a file. */
export type Part<Name extends keyof typeof PARTS> = Deep<Static<(typeof PARTS)[Name], typeof PARTS>>;
