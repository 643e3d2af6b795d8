import type { Random } from '../../pipelines/world/random.ts';
import { directionalOf } from '../../query/geocode/address/directional.ts';
import { ordinal } from '../../query/geocode/address/ordinal.ts';
import { streetOf } from '../../query/geocode/address/street.ts';
import { distance } from '../../query/geometry/geodesic.ts';
import type { TruePlace, Truth } from './truth.ts';

/** Facts of a place's files besides the address itself. */
export interface Known {
  /** Every street that a layer names, with numbers or without. */
  readonly streets: ReadonlySet<string>;
  /** All addresses by number and street, in whatever spelling. */
  readonly addresses: ReadonlyMap<string, readonly Truth[]>;
}

/** A number and a street, whatever its spelling: rolls write PINE ST EXT and PINE STREET EXT. */
export const keyOf = ({ number, street }: Pick<Truth, 'number' | 'street'>): string =>
  `${number} ${streetOf(street.split(' ')).whole}`;

/** A question and the addresses that answer it; none where only the street that was asked for may answer. */
export interface Question {
  readonly text: string;
  readonly right: readonly Truth[];
  /** Addresses that the text names as well as the right ones: `5-12 Elm St` where both 5 and 12 Elm St exist. */
  readonly others?: readonly Truth[];
}

/** A way in which people write addresses. */
export interface Form {
  readonly kind: string;
  /**
   * Clean ones say all that is needed in usual order; hard ones have to be puzzled out; of false ones nothing is right; hostile ones may be
   * refused or asked back, and are answered with no other place.
   */
  readonly group: 'clean' | 'hard' | 'false' | 'hostile';
  /** Null where the form says nothing about the address. */
  write(truth: Truth, place: TruePlace, known: Known, random: Random): Question | null;
}

export const pick = <T>(list: readonly T[], random: Random): T => list[random.integer(0, list.length - 1)]!;
export const title = (text: string) =>
  text.toLowerCase().replace(/(?<![a-z\d'])[a-z]/g, letter => letter.toUpperCase());

/** City, state and ZIP code as they end an address. */
export const endOf = (truth: Truth, { city, state: [code], zip }: TruePlace) =>
  `${city}, ${code}${(truth.zip ?? zip) ? ` ${truth.zip ?? zip}` : ''}`;

type Write = (line: string, end: string, truth: Truth, place: TruePlace, random: Random) => string | null;

const form = (group: 'clean' | 'hard', kind: string, write: Write): Form => ({
  kind,
  group,
  write(truth, place, { addresses }, random) {
    const text = write(title(`${truth.number} ${truth.street}`), endOf(truth, place), truth, place, random);
    return text === null ? null : { text, right: addresses.get(keyOf(truth))! };
  },
});

const clean = (kind: string, write: Write) => form('clean', kind, write);
const hard = (kind: string, write: Write) => form('hard', kind, write);
const small = (random: Random) => random.integer(1, 9);

/** A unit of one of the kinds that people write behind the street. */
const unitOf = (random: Random) =>
  pick(
    [
      '4th Floor',
      '4th Fl',
      'Ground Floor',
      'Suite100',
      'Ste 210-B',
      '# APT 2',
      '#2B',
      'Apt. #4',
      'Second Floor',
      'Fl 3',
      'Unit B2',
    ],
    random,
  );

/** No building spans more: metres. */
const BUILDING_M = 100;
/** Geodesic metres between the first points of two addresses. */
export const metresBetween = ({ at: [a] }: Truth, { at: [b] }: Truth) => distance(a![0]!, a![1]!, b![0]!, b![1]!);

/** Numbers of two neighbours written as one. */
function pair(kind: string, join: string): Form {
  return {
    kind,
    group: 'hard',
    write(truth, place, { addresses }) {
      const next = String(Number(truth.number) + 2);
      const others = addresses.get(keyOf({ number: next, street: truth.street })) ?? [];
      if (!others[0] || metresBetween(truth, others[0]) > BUILDING_M) return null;
      return {
        text: `${truth.number}${join}${next} ${title(truth.street)}, ${endOf(truth, place)}`,
        right: addresses.get(keyOf(truth))!,
        others,
      };
    },
  };
}

/** A house and a unit of at most `most`, written as one: two addresses where the street has a house of the unit's number too. */
function joined(kind: string, most: number, write: (number: string, unit: number) => string): Form {
  return {
    kind,
    group: 'hard',
    write(truth, place, { addresses }, random) {
      const { number, street } = truth;
      if (!/^\d+$/.test(number)) return null;
      const unit = random.integer(1, most);
      return {
        text: `${write(number, unit)} ${title(street)}, ${endOf(truth, place)}`,
        right: addresses.get(keyOf(truth))!,
        others: addresses.get(keyOf({ number: String(unit), street })) ?? [],
      };
    },
  };
}

const COUNTY: Readonly<Record<string, string>> = { ME: 'Penobscot', NC: 'Rutherford' };
const ONE_LETTER: Readonly<Record<string, readonly string[]>> = {
  Bangor: ['Bangr', 'Banger', 'Bangorr', 'Bnagor'],
  'Forest City': ['Forest Ciyt', 'Forest Cty', 'Forest Citty'],
  Washington: ['Washingtn', 'Washingtom', 'Wasington'],
};

export const FORMS: readonly Form[] = [
  clean('as published', (_, end, { number, street }) => `${number} ${street}, ${end.toUpperCase()}`),
  clean('title case', (line, end) => `${line}, ${end}`),
  clean('lower case without commas', (line, end) => `${line} ${end}`.toLowerCase().replaceAll(',', '')),
  clean('unit behind a comma', (line, end, _, __, random) => `${line}, ${unitOf(random)}, ${end}`),
  clean('unit behind the street', (line, end, _, __, random) => `${line} ${unitOf(random)}, ${end}`),
  clean(
    'unit of digits alone',
    (line, end, _, __, random) => `${line}, ${pick(['12C', '1600', '1506', 'B2', '3'], random)}, ${end}`,
  ),
  clean(
    'note in brackets',
    (line, end, _, __, random) =>
      `${line} ${pick(['(rear entrance)', '(side door)', '(attn: office)'], random)}, ${end}`,
  ),
  clean('kind of the city', (line, end, _, { city, state: [code] }) =>
    code === 'DC'
      ? `${line}, ${end.replace(city, `City of ${city}`)}`
      : `${line}, ${end.replace(city, `Town of ${city}`)}`,
  ),
  clean('kind behind the city', (line, end, _, { city }) => `${line}, ${end.replace(city, `${city} Township`)}`),
  clean('county behind the city', (line, end, _, { city, state: [code] }) =>
    COUNTY[code] ? `${line}, ${end.replace(city, `${city}, ${COUNTY[code]}`)}` : null,
  ),
  clean('ZIP code without its zero', (line, _, truth, { city, state: [code], zip }) => {
    const all = truth.zip ?? zip;
    return all?.startsWith('0') ? `${line}, ${city}, ${code} ${all.slice(1)}` : null;
  }),
  clean('state first', (line, _, __, { city, state: [code] }) => `${code}, ${city}, ${line}`),
  clean('quadrant behind a comma', (_, end, { number, street }) => {
    const words = street.split(' ');
    const last = words.length > 2 ? directionalOf(words.at(-1)!) : null;
    return last ? `${number} ${title(words.slice(0, -1).join(' '))}, ${last}, ${end}` : null;
  }),
  clean(
    'recipient and comma',
    (line, end, _, __, random) =>
      `${pick(['Jane Doe', 'City Hall', 'Bin 73 Wine Bar', 'Acme Supply Co', 'c/o John Smith', 'Studio 54'], random)}, ${line}, ${end}`,
  ),
  clean('number sign', (line, end) => `No. ${line}, ${end}`),
  joined('small number in front', 9, (number, unit) => `${unit}-${number}`),
  joined('house and unit joined', 12, (number, unit) => `${number}-${unit}`),
  hard('unit, hyphen, number', (line, end, _, __, random) =>
    `${pick(['Unit', 'Apt', 'Suite', '#', 'Ste.'], random)} ${small(random)} - ${line}, ${end}`.replace('# ', '#'),
  ),
  hard('unit in front', (line, end, _, __, random) =>
    `${pick(['Unit', 'Apt', 'Suite', '#'], random)} ${small(random)}${pick([', ', ' '], random)}${line}, ${end}`.replace(
      '# ',
      '#',
    ),
  ),
  hard('hash and number', (line, end) => `#${line}, ${end}`),
  hard('number behind the street', (_, end, { number, street }) => `${title(street)} ${number}, ${end}`),
  hard(
    'number announced behind the street',
    (_, end, { number, street }, __, random) =>
      `${title(street)} ${pick(['No. ', 'Nr. ', 'No ', 'Number ', 'No. #'], random)}${number}, ${end}`,
  ),
  hard('number cut off', (_, end, { number, street }) => `${number}, ${title(street)}, ${end}`),
  hard(
    'recipient without comma',
    (line, end, _, __, random) =>
      `${pick(['Jane Doe', 'City Hall', 'Acme Supply Co', 'First Baptist Church'], random)} ${line}, ${end}`,
  ),
  hard('city one letter off', (line, end, _, { city }, random) =>
    ONE_LETTER[city] ? `${line}, ${end.replace(city, pick(ONE_LETTER[city], random))}` : null,
  ),
  hard('wrong ordinal', (_, end, { number, street }) => {
    const [, n] = /\b(\d+)(?:ST|ND|RD|TH)\b/.exec(street) ?? [];
    if (!n) return null;
    const wrong = ordinal(Number(n)).endsWith('TH') ? `${n}RD` : `${n}TH`;
    return `${number} ${title(street.replace(/\b\d+(?:ST|ND|RD|TH)\b/, wrong))}, ${end}`;
  }),
  pair('range with a hyphen', '-'),
  pair('range in words', ' to '),
  pair('range with a slash', '/'),
  pair('two numbers', ' & '),
  {
    kind: 'a type that the files have without the number',
    group: 'false',
    write({ number, street }, place, { streets, addresses }, random) {
      const { pre, name, suffix, post, whole } = streetOf(street.split(' '));
      if (!suffix) return null;
      const others = [...ofName(streets, name)].filter(other => {
        const found = streetOf(other.split(' '));
        return (
          found.suffix &&
          found.pre === pre &&
          found.post === post &&
          found.whole !== whole &&
          !addresses.has(keyOf({ number, street: other }))
        );
      });
      if (!others.length) return null;
      return {
        text: `${number} ${title(pick(others, random))}, ${endOf({ number, street, zip: null, at: [] }, place)}`,
        right: [],
      };
    },
  },
  {
    kind: 'a unit and no number',
    group: 'false',
    write: ({ street }, place, _, random) => ({
      text: `${title(street)} ${pick(['Apt 5', '#9999', 'Unit 9876'], random)}, ${endOf({ number: '', street, zip: null, at: [] }, place)}`,
      right: [],
    }),
  },
  {
    kind: 'a number that no file has, behind a small one',
    group: 'false',
    write({ street }, place, { addresses }, random) {
      const unknown = random.integer(20_000, 29_999);
      const first = small(random);
      return addresses.has(keyOf({ number: String(first), street }))
        ? null
        : {
            text: `${first}-${unknown} ${title(street)}, ${endOf({ number: '', street, zip: null, at: [] }, place)}`,
            right: [],
          };
    },
  },
];

const names = new WeakMap<ReadonlySet<string>, Map<string, string[]>>();

/** The streets of a name, whatever their type. */
function ofName(streets: ReadonlySet<string>, name: string): readonly string[] {
  let all = names.get(streets);
  if (!all) {
    all = Map.groupBy(streets, street => streetOf(street.split(' ')).name);
    names.set(streets, all);
  }
  return all.get(name) ?? [];
}
