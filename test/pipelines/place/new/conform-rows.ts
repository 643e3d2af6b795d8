import type { Conform, DirectoryLayer, DirectorySource } from '../../../../datasets/directory/definition.ts';
import type { SourceDirectory } from '../../../../datasets/directory/source-directory.ts';

export type ConformRow = Readonly<Record<string, string>>;

/** One source of the directory with rows made up for it. */
export interface SourceRows {
  readonly path: string;
  readonly layer: DirectoryLayer;
  readonly source: DirectorySource;
  readonly rows: readonly ConformRow[];
}

/** Attributes of the layers of the directory. */
const ATTRIBUTES: Readonly<Record<DirectoryLayer, readonly string[]>> = {
  addresses: 'number street unit city district region postcode id'.split(' '),
  parcels: ['pid'],
  buildings: ['height', 'levels'],
  centerlines:
    'id name oneway speed classification surface addr_from_left addr_to_left addr_from_right addr_to_right zip_left zip_right'.split(
      ' ',
    ),
};

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NUMBERS = [
  '1',
  '73',
  '123',
  '10457',
  '12-34',
  '123A',
  '7-B',
  '45 1/2',
  '45-1/2',
  '100.0',
  '0',
  '',
  '3rd',
  'N6W23001',
];
const STREETS = [
  ...['MAIN ST', 'N Elm Avenue', 'E 51ST ST', '3rd Ave', 'CTH K', 'STH 21', 'USH 41', 'Old Co Rd 12', "O'Neil Ln", ''],
  ...['Via de la Valle', 'STATE HWY 9', 'Ñandú Way', 'BROADWAY', 'Lot Road', 'Suite Ln', 'AVENUE D'],
];
const UNITS = [
  '',
  '',
  'APT 4',
  'Unit B',
  '# 3',
  '#12',
  'STE. 200',
  'Lot 7',
  'BLDG A',
  'Suite 3-B',
  'REAR',
  'LT#4',
  'TRLR 9',
];
const CITIES = ['', 'Bangor', 'ROSEVILLE', 'St. Cloud', 'NEKOOSA', 'Fond du Lac', 'GALVESTON', 'New York'];
const ZIPS = ['', '04401', '95678', '04401-1234', '544571234', '77550'];

/** Words that a pattern has, by which it tells its rows. */
const wordsOf = (pattern: string): string[] =>
  pattern.replace(/\\[a-z]/g, ' ').match(/[A-Za-z]{2,}(?: [A-Z]{2,})*/g) ?? [];

/** Columns, words and keys that a `conform` names. */
function namesIn(value: unknown, columns: Set<string>, words: Set<string>): void {
  if (Array.isArray(value))
    for (const one of value) typeof one === 'string' ? columns.add(one) : namesIn(one, columns, words);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'pattern') for (const word of wordsOf(String(inner))) words.add(word);
      else if (key === 'mapping') for (const word of Object.keys(inner as object)) words.add(word);
      else if (key === 'field' || key === 'field_to_remove') columns.add(String(inner));
      else if (key === 'fields' || key === 'functions') namesIn(inner, columns, words);
    }
}

function columnsOf(conform: Conform, layer: DirectoryLayer) {
  const columns = new Set<string>();
  const words = new Set<string>();
  const variables = new Set<string>();
  for (const attribute of ATTRIBUTES[layer]) {
    const value = conform[attribute];
    if (typeof value === 'string') columns.add(value);
    else namesIn(value, columns, words);
    const { variable } = (value ?? {}) as { variable?: string };
    if (variable) variables.add(variable);
  }
  // What a chain names is no column of the source.
  const own = [...columns].filter(name => !name.startsWith('oa:') && !variables.has(name) && !/^(n\/a)?$/.test(name));
  return { columns: own, words: [...words] };
}

/** Rows for one source: house numbers, streets and whole address lines, and what its own patterns and keys name. */
function rowsOf(
  conform: Conform,
  layer: DirectoryLayer,
  state: string,
  count: number,
  random: () => number,
): ConformRow[] {
  const { columns, words } = columnsOf(conform, layer);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const line = (...parts: string[]) => parts.filter(part => part !== '').join(' ');
  const value = (
    name: string,
    parts: Readonly<Record<'number' | 'street' | 'unit' | 'city' | 'zip', string>>,
  ): string => {
    const { number, street, unit, city, zip } = parts;
    const chance = random();
    if (chance < 0.08) return '';
    if (/zip|post/i.test(name) && chance < 0.7) return zip;
    if (/city|muni|town|juris/i.test(name) && chance < 0.6)
      return words.length > 0 && chance < 0.3 ? pick(words) : city;
    if (/num|house|no$|unit2?$/i.test(name) && chance < 0.6) return /unit/i.test(name) ? unit : number;
    if (chance < 0.3) return line(number, street);
    if (chance < 0.45) return line(number, street, unit);
    if (chance < 0.55) return line(number, street, pick(words));
    if (chance < 0.62) return pick(words);
    if (chance < 0.72) return `${line(number, street, unit)}, ${city}, ${state} ${zip}`.trim();
    if (chance < 0.78) return `${line(city, state, zip)}`;
    if (chance < 0.84) return `${line(number, street)}, ${line(city, state, zip)}`.trim();
    if (chance < 0.88) return `${line(number, street)};${line(number, unit)}`;
    if (chance < 0.92) return pick([number, unit, zip, street]);
    return String(Math.floor(random() * 100_000));
  };
  return Array.from({ length: count }, () => {
    const parts = {
      number: pick(NUMBERS),
      street: pick(STREETS),
      unit: pick(UNITS),
      city: pick(CITIES),
      zip: pick(ZIPS),
    };
    return Object.fromEntries(columns.map(name => [name, value(name, parts)]));
  });
}

/** Rows made up for every source of a directory that says how it is read; few where it only names columns. */
export function directoryRows(
  { definitions }: SourceDirectory,
  count: number,
  random: () => number,
  few = 2,
): SourceRows[] {
  return definitions.flatMap(({ path, state, layers }) =>
    (Object.keys(layers) as DirectoryLayer[]).flatMap(layer =>
      layers[layer]!.flatMap(source => {
        const { conform } = source;
        if (!conform) return [];
        const rows = JSON.stringify(conform).includes('"function"') ? count : few;
        return [{ path, layer, source, rows: rowsOf(conform, layer, state ?? 'CA', rows, random) }];
      }),
    ),
  );
}
