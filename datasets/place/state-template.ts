import type { ColumnExpression, PlaceFile, PublishedAt, WrittenLayer } from './place.ts';

/** How one state publishes the parcels of all its counties: what a file of datasets/templates says. */
export interface StateParcels {
  /** Two letters. */
  readonly state: string;
  readonly title: string;
  readonly publisher: string;
  /** Identifier of the product. */
  readonly source: string;
  /** Pages that define the columns, the publisher's own first. */
  readonly documentation: readonly [string, ...string[]];
  /** As the publisher or a catalog states it, else that it is not stated. */
  readonly licence: string;
  /** Where the parcels of a county are published, by its five digits; the condition of its rows comes from `rows`. */
  readonly published: (county: string) => PublishedAt;
  /**
   * Condition of the rows of a county, by its five digits, in words that place files and feature services share; null where no
   * column says the county of a row.
   */
  readonly rows: ((county: string) => string) | null;
  /** Counties, by their five digits, that are not in it. */
  readonly without?: readonly string[];
  /** Parcel attribute → documented columns. */
  readonly columns: Readonly<Record<string, ColumnExpression>>;
  readonly ground?: WrittenLayer['ground'];
  /** What is to know of attributes of a basis of their own. */
  readonly notes?: readonly { readonly columns: readonly string[]; readonly text: string }[];
  /** Documented columns that no parcel attribute takes. */
  readonly unmapped: readonly string[];
}

/** A state's parcels as an abstract place, which places of its counties extend by the name. */
export interface StateTemplate extends StateParcels {
  /** What places say to extend it. */
  readonly name: string;
  /** Where it stands, as errors name it. */
  readonly file: string;
  readonly place: Pick<PlaceFile, 'abstract' | 'state' | 'coverage' | 'layers'>;
}

/** Whether an expression looks anything up. */
const looksUp = (expression: ColumnExpression): boolean => /"(?:lookup|patterns)":/.test(JSON.stringify(expression));

/**
 * Makes the abstract place of a state's parcels: its one layer has the id `parcels`.
 * @param file where they stand.
 */
export function stateTemplate(parcels: StateParcels, file: string): StateTemplate {
  const { state, title, publisher, source, documentation, licence, ground, notes } = parcels;
  const name = `${state.toLowerCase()}-parcels`;
  const columns: Record<string, ColumnExpression> = {
    state2: { const: state },
    source_agency: { const: publisher },
    source_dataset: { const: title },
    source_url: { const: documentation[0] },
    source_license: { const: licence },
    ...parcels.columns,
  };
  const searching = Object.keys(columns).filter(column => looksUp(columns[column]!));
  const layer: WrittenLayer = {
    id: 'parcels',
    dataset: 'parcel_store',
    layer: 'main',
    file: `${name}.geojson`,
    columns,
    unpublished: 'rest',
    ...(ground && { ground }),
    ...(searching.length > 0 && {
      expect: {
        hits: Object.fromEntries(searching.map(column => [column, 0])),
        because: 'the counties of a state do not fill every column',
      },
    }),
    provenance: {
      source,
      title,
      publisher,
      url: documentation[0],
      licence,
      vintage: 'as downloaded',
      note: null,
      ...(notes && { notes }),
    },
  };
  return {
    ...parcels,
    name,
    file,
    place: { abstract: true, state, coverage: { extent: true }, layers: [layer] },
  };
}

const CALENDAR: readonly { readonly match: string; readonly value: string }[] = [
  { match: '^(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(?:\\D|$)', value: '$1-$2-$3' },
  { match: '^([12]\\d{3})(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])$', value: '$1-$2-$3' },
  { match: '^0?(\\d)/0?(\\d)/([12]\\d{3})(?:\\D|$)', value: '$3-0$1-0$2' },
  { match: '^(1[0-2])/0?(\\d)/([12]\\d{3})(?:\\D|$)', value: '$3-$1-0$2' },
  { match: '^0?(\\d)/([12]\\d|3[01])/([12]\\d{3})(?:\\D|$)', value: '$3-0$1-$2' },
  { match: '^(1[0-2])/([12]\\d|3[01])/([12]\\d{3})(?:\\D|$)', value: '$3-$1-$2' },
];

/**
 * Reads a date in the forms in which one and the same column comes: milliseconds since 1970 from a feature service, ISO or
 * eight digits or month/day/year from a file. What has another form is missing.
 */
export const date = (from: string): ColumnExpression => ({
  from: [
    { from, patterns: [...CALENDAR] },
    { from, patterns: [{ match: '^(-?\\d{9,13})(?:\\.0+)?$', value: '$1' }], type: 'date', dateFormat: 'epoch ms' },
  ],
  join: '',
});

/** Reads a number where 0 says that there is none. */
export const measure = (from: string): ColumnExpression => ({ from, null: [0] });

/** Reads a number from a column of text; what is no number is missing. */
export const textNumber = (from: string): ColumnExpression => ({
  from,
  patterns: [{ match: '^\\$?((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d*)?|\\.\\d+)$', value: '$1' }],
});

/** Takes the first column that has a value. */
export const firstOf = (first: string, second: string): ColumnExpression => ({
  from: [first, { from: second, when: `${first} is null` }],
  join: '',
});

/** Parcel number, as written and without punctuation. */
export const number = (from: ColumnExpression): Readonly<Record<string, ColumnExpression>> => ({
  apn: from,
  apn_no_formatting: { from: [from], join: '', strip: '[^A-Za-z0-9]' },
});

/** Owner, as written. */
export const owner = (from: string, missing?: readonly string[]): Readonly<Record<string, ColumnExpression>> => {
  const name: ColumnExpression = missing ? { from, null: [...missing] } : from;
  return { owner: name, unmodified_owner: name };
};

/** Address of the parcel, as written. */
export const situs = (from: string): Readonly<Record<string, ColumnExpression>> => ({
  address: from,
  original_address: from,
});

/** ZIP code of the parcel, with a further column of its four digits. */
export const situsZip = (from: string, more?: string): Readonly<Record<string, ColumnExpression>> => ({
  szip: more ? { from: [from, more], join: '-' } : from,
  szip5: { from, patterns: [{ match: '^(\\d{5})(?:\\D|$)', value: '$1' }] },
});

/** Note on an acreage that the assessor states. */
export const ROLL_ACRES = [{ columns: ['deeded_acres'], text: 'The acreage of the assessment roll.' }] as const;

/** Square feet of an acre. */
export const SQ_FT = 43_560;
