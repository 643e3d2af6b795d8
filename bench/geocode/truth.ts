import type { Position } from '../../pipelines/world/format/feature.ts';
import { suffixOf } from '../../query/geocode/address/suffix.ts';
import { addressPartitions } from '../../query/geocode/index/address-partition.ts';
import type { Layers } from '../../query/release/layers.ts';

/** A published address and every place where the release's layers show it. */
export interface Truth {
  /** House number and street as published: `73`, `HARLOW ST`. */
  readonly number: string;
  readonly street: string;
  readonly zip: string | null;
  /** lng,lat of each row that carries it. */
  readonly at: Position[];
}

/** A place whose addresses are known. */
export interface TruePlace {
  readonly name: string;
  readonly city: string;
  /** Two letters and name. */
  readonly state: readonly [code: string, name: string];
  /** ZIP code that is written where the rows have none; null where the city has many. */
  readonly zip: string | null;
  /** A city of the state that is not this one. */
  readonly otherCity: string;
  /** Places of the ingest whose rows count. */
  readonly place: string;
}

export const PLACES: readonly TruePlace[] = [
  { name: 'Bangor', city: 'Bangor', state: ['ME', 'Maine'], zip: '04401', otherCity: 'Portland', place: 'bangor-me' },
  {
    name: 'Forest City',
    city: 'Forest City',
    state: ['NC', 'North Carolina'],
    zip: '28043',
    otherCity: 'Greensboro',
    place: 'forest-city-nc',
  },
  {
    name: 'Washington',
    city: 'Washington',
    state: ['DC', 'District of Columbia'],
    zip: null,
    otherCity: 'Hyattsville',
    place: 'washington-dc',
  },
];

/** A row's line as number and street, in the plainest way: what the geocoder reads is judged by it, so it must not help. */
const LINE = /^(\d+[A-Z]?) +([A-Z0-9][A-Z0-9 '.-]*)$/;
/** A line of several numbers: 0701-0709 KENNEDY ST. */
const LINES = /^0*(\d+) ?- ?0*(\d+) +([A-Z0-9][A-Z0-9 '.]*)$/;
/** Two numbers further apart are no ends of a range. */
const SPAN = 100;

/** Every number and street that a line names. */
function namedBy(line: string): [number: string, street: string][] {
  const several = LINES.exec(line);
  if (several) {
    const [from, to] = [Number(several[1]), Number(several[2])];
    const numbers = Array.from({ length: (to - from) / 2 + 1 }, (_, i) => String(from + 2 * i));
    return to > from && to - from <= SPAN && (to - from) % 2 === 0 ? numbers.map(n => [n, several[3]!]) : [];
  }
  const [, number, street] = LINE.exec(line) ?? [];
  return number && street ? [[number, street]] : [];
}

/** The streets that a place's layers know, with house numbers or without, as published. */
export async function streetsOf(layers: Layers, { place, state }: TruePlace): Promise<Set<string>> {
  const streets = new Set<string>();
  for (const { source, partition, state: code } of addressPartitions(layers)) {
    if (partition.place !== place || code !== state[0]) continue;
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++) {
      const { points, segments } = source.rows(file.properties(i), file.geometry(i));
      for (const { street } of segments) streets.add(street.toUpperCase());
      for (const { line } of points) {
        const text = line.toUpperCase().trim().replace(/ +/g, ' ');
        for (const [, street] of namedBy(text)) streets.add(street);
        if (/^(?:\d+(?:ST|ND|RD|TH)|[A-Z][A-Z']*)(?: [A-Z]+)+$/.test(text)) streets.add(text);
      }
    }
  }
  return streets;
}

/** The addresses of a place: every row of its layers that has a house number and a street, by their text. */
export async function truthsOf(layers: Layers, { place, state }: TruePlace): Promise<Truth[]> {
  const truths = new Map<string, Truth>();
  for (const { source, partition, state: code } of addressPartitions(layers)) {
    if (partition.place !== place || code !== state[0]) continue;
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++)
      for (const { line, zip, lng, lat } of source.rows(file.properties(i), file.geometry(i)).points)
        for (const [number, street] of namedBy(line.toUpperCase().trim().replace(/ +/g, ' '))) {
          // A street is at least a word; R marks rear lots of the District, 0 a lot without number, units (FRANKLIN ST B2) are other rows' places.
          const none = number === '0' || !/[A-Z]{2}/.test(street);
          if (none || / (?:R (?:NE|NW|SE|SW)|UNIT \S+|APT \S+|[A-Z]-?\d+)$/.test(street)) continue;
          const key = `${number} ${street}`;
          const truth = truths.get(key) ?? { number, street, zip, at: [] };
          truth.at.push([lng, lat]);
          truths.set(key, truth);
        }
  }
  return [...truths.values()].sort((a, b) => (`${a.street} ${a.number}` < `${b.street} ${b.number}` ? -1 : 1));
}

/** A street's name without its suffix: rolls write S BROADWAY and S BROADWAY ST for one street. */
export const baseOf = (street: string): string => {
  const words = street.split(' ');
  return words.length > 1 && suffixOf(words.at(-1)!) ? words.slice(0, -1).join(' ') : street;
};
