import type { Position } from '../../pipelines/world/feature.ts';
import { addressPartitions } from '../../query/geocode/address-partition.ts';
import { suffixOf } from '../../query/geocode/suffix.ts';
import type { Layers } from '../../query/layer.ts';

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

/** The addresses of a place: every row of its layers that has a house number and a street, by their text. */
export async function truthsOf(layers: Layers, { place, state }: TruePlace): Promise<Truth[]> {
  const truths = new Map<string, Truth>();
  for (const { source, partition, state: code } of addressPartitions(layers)) {
    if (partition.place !== place || code !== state[0]) continue;
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++)
      for (const { line, zip, lng, lat } of source.rows(file.properties(i), file.geometry(i)).points) {
        const [, number, street] = LINE.exec(line.toUpperCase().trim().replace(/ +/g, ' ')) ?? [];
        // A street is at least a word; R marks rear lots of the District, 0 a lot without number, units are other rows' places.
        if (
          !number ||
          !street ||
          number === '0' ||
          !/[A-Z]{2}/.test(street) ||
          / (?:R (?:NE|NW|SE|SW)|UNIT \S+|APT \S+)$/.test(street)
        )
          continue;
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
