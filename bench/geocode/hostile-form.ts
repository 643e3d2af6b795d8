import type { Random } from '../../pipelines/world/random.ts';
import { directionalOf } from '../../query/geocode/address/directional.ts';
import { stateOf } from '../../query/geocode/address/state.ts';
import { suffixOf } from '../../query/geocode/address/suffix.ts';
import { endOf, type Form, keyOf, pick, title } from './form.ts';
import type { TruePlace, Truth } from './truth.ts';

/** An address as a hostile form is made of it: its number, its street in title case, and city, state and ZIP code. */
interface Parts {
  readonly number: string;
  readonly street: string;
  readonly end: string;
  readonly truth: Truth;
  readonly place: TruePlace;
  readonly random: Random;
}

function form(kind: string, write: (parts: Parts) => string | null): Form {
  return {
    kind,
    group: 'hostile',
    write(truth, place, { addresses }, random) {
      const { number } = truth;
      // 4 R ATLANTIC ST SW of the District's roll is the house behind number 4.
      if (!/^\d+$/.test(number) || /^(?:R|[A-Z] R) /.test(truth.street)) return null;
      const parts = { number, street: title(truth.street), end: endOf(truth, place), truth, place, random };
      const text = write(parts);
      return text === null ? null : { text, right: addresses.get(keyOf(truth))! };
    },
  };
}

/** A form that puts something for the house number, and null where it says nothing about it. */
const numbered = (kind: string, write: (number: string, random: Random) => string | null): Form =>
  form(kind, ({ number, street, end, random }) => {
    const written = write(number, random);
    return written === null || written === number ? null : `${written} ${street}, ${end}`;
  });
const behind = (kind: string, words: readonly string[]): Form =>
  form(kind, ({ number, street, end, random }) => `${number} ${street} ${pick(words, random)}, ${end}`);
const between = (kind: string, words: readonly string[]): Form =>
  form(kind, ({ number, street, end, random }) => `${number} ${street}, ${pick(words, random)}, ${end}`);
const inFront = (kind: string, words: readonly string[], join: string): Form =>
  form(kind, ({ number, street, end, random }) => `${pick(words, random)}${join}${number} ${street}, ${end}`);

/** A digit as a letter that looks like it, in one place or all; no number is left without a digit. */
const lookalike = (kind: string, digit: RegExp, letter: string): Form =>
  numbered(kind, number => {
    const written = number.replace(digit, letter);
    return /\d/.test(written) ? written : null;
  });

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const few = (random: Random) => random.integer(1, 40);
const unit = (random: Random) => `${pick([...'ABCD'], random)}${random.integer(1, 9)}`;

/** A street without its type, in the way of who never says it; null where it has none. */
function typeless({ truth }: Parts): string | null {
  const words = truth.street.split(' ');
  const at = words.findLastIndex((word, i) => i > 0 && suffixOf(word) !== null);
  return at < 1 ? null : title(words.toSpliced(at, 1).join(' '));
}

/** What is read as digits and letters of the house number. */
const NUMBERS: readonly Form[] = [
  lookalike('l for the last 1', /1$/, 'l'),
  lookalike('I for every 1', /1/g, 'I'),
  lookalike('l for the first 1', /^1/, 'l'),
  lookalike('| for a 1', /1/, '|'),
  lookalike('! for the last 1', /1$/, '!'),
  lookalike('O for every 0', /0/g, 'O'),
  lookalike('S for the last 5', /5$/, 'S'),
  lookalike('B for the last 8', /8$/, 'B'),
  lookalike('Z for every 2', /2/g, 'Z'),
  lookalike('G for a 6', /6/, 'G'),
  numbered('any letter behind the number', (number, random) => number + pick(letters, random)),
  numbered('any small letter behind the number', (number, random) => number + pick(letters, random).toLowerCase()),
  numbered('a letter behind a hyphen', (number, random) => `${number}-${pick(letters, random)}`),
  numbered('a letter and a hyphen in front', (number, random) => `${pick(letters, random)}-${number}`),
  numbered('a letter behind a blank', (number, random) => `${number} ${pick(letters, random)}`),
  numbered('a letter before a slash', (number, random) => `${pick(letters, random)}/${number}`),
  numbered('unit, hyphen, number', (number, random) => `${few(random)}-${number}`),
  numbered('unit, slash, number', (number, random) => `${few(random)}/${number}`),
  numbered('number, slash, unit', (number, random) => `${number}/${few(random)}`),
  numbered('unit with a letter, hyphen, number', (number, random) => `${unit(random)}-${number}`),
  numbered('number, hyphen, unit with a letter', (number, random) => `${number}-${unit(random)}`),
  numbered(
    'number and unit joined by any sign',
    (number, random) =>
      `${number}${pick([':', '_', '~', '*', '=', '+', '\\', '..', ' - ', '–', '#', ' # ', '; '], random)}${few(random)}`,
  ),
  numbered(
    'unit and number joined by any sign',
    (number, random) =>
      `${few(random)}${pick([':', '_', '~', '*', '=', '+', '\\', '..', ' - ', '–', '#', ' # ', ', '], random)}${number}`,
  ),
  numbered('number, blank, unit', (number, random) => `${number} ${few(random)}${pick(['', 'A', 'B'], random)}`),
  numbered('unit, blank, number', (number, random) => `${few(random)}${pick(['', 'A', 'B'], random)} ${number}`),
  numbered('unit in brackets', (number, random) => `${number}${pick(['(', ' (', '['], random)}${few(random)})`),
  numbered('blanks between the digits', number => [...number].join(' ')),
  numbered('a blank behind the first digit', number => `${number[0]} ${number.slice(1)}`.trim()),
  numbered('a point behind the first digit', number => (number.length > 3 ? `${number[0]}.${number.slice(1)}` : null)),
  numbered('zeros in front', number => number.padStart(6, '0')),
  numbered('a half', (number, random) => `${number}${pick([' 1/2', '½', '-1/2', '.5', ' ½'], random)}`),
  numbered('the house behind', (number, random) => `${pick(['Rear', 'Rear of', 'R', 'r/o'], random)} ${number}`),
  numbered(
    'a range of two more',
    (number, random) => `${number}${pick(['-', ' - ', '–', ' to ', '/', ' & ', ' or '], random)}${Number(number) + 2}`,
  ),
  numbered('a range shortened', number =>
    number.length > 2 ? `${number}-${String(Number(number) + 2).slice(-2)}` : null,
  ),
  numbered('a range turned around', number => `${Number(number) + 2}-${number}`),
  numbered('a range of many', (number, random) => `${number}-${Number(number) + 2 * random.integer(3, 45)}`),
];

const UNITS: readonly string[] = [
  'Apt 1st floor',
  'Bsmt Apt',
  'Apt upstairs',
  'Unit A/B',
  '#A',
  '#12-B',
  '# 3 A',
  'Apt-3',
  'Unit#3',
  'ste.200',
  'Suite 2-100',
  'Suite A100',
  'Flat 3',
  'apt two',
  'Unit One',
  'rear unit',
  'Lot #5',
  'Rm#5',
  '3rd Fl Front',
  '2F',
  '3R',
  'Floor One',
  'Lower Level',
  'PH3',
  'Bldg. 12',
  'Twr 2',
  '4th Floor',
  'Suite100',
  '# APT 2',
  'Ground Floor',
  'No 5',
  '#9999',
  'Unit 9876',
  '1600',
  '12C',
  'B2',
  '- 5',
  '5',
  '1/2',
  'Mail Stop 12',
  'Townhouse 3',
  'Parcel B',
  'Right side',
];

/** What is read around a street's name. */
const WORDS: readonly Form[] = [
  between('a unit of any kind between commas', UNITS),
  behind('a unit of any kind behind the street', UNITS),
  inFront('a unit of any kind and a comma in front', UNITS, ', '),
  inFront('a unit of any kind in front', UNITS, ' '),
  inFront(
    'a unit of any kind and a hyphen in front',
    ['Unit 5', 'Apt 12', '#5', 'Suite 200', 'Ste. 3', 'No. 5', 'Rm 12', 'Bldg 4'],
    ' - ',
  ),
  inFront('a part of the house in front', ['Floor 2 rear', 'Bsmt', 'Upper', 'Office -', 'Bsmt -'], ' '),
  inFront(
    'who lives there',
    [
      '7-Eleven',
      'Motel 6',
      'Studio 54',
      'Bin 73 Wine Bar',
      '1st National Bank',
      'Store #4512',
      'Forever 21',
      'Pier 1',
      'VFW Post 9',
    ],
    ', ',
  ),
  inFront(
    'who lives there, without a comma',
    ['7-Eleven', 'Motel 6', 'Studio 54', 'Bin 73 Wine Bar', 'Store 45', 'Five Guys', 'Pier 1', 'Post 9'],
    ' ',
  ),
  form(
    'a crossing behind the house',
    ({ number, street, end, random }) =>
      `${number} ${street} ${pick(['at', '&', 'and', 'near', '(corner of', 'off'], random)} ${pick(['5th St', 'Main St', 'Elm St', '14th St NW'], random)}, ${end}`,
  ),
  form('no type', parts => {
    const name = typeless(parts);
    return name === null ? null : `${parts.number} ${name}, ${parts.end}`;
  }),
  form('no type and a unit', parts => {
    const name = typeless(parts);
    return name === null ? null : `${parts.number} ${name}, ${parts.random.integer(1, 2000)}, ${parts.end}`;
  }),
  form('a street that is called as a state is, without its type', parts => {
    const name = typeless(parts);
    const words =
      name
        ?.toUpperCase()
        .split(' ')
        .filter(word => directionalOf(word) === null) ?? [];
    return stateOf(words.join(' ')) === null
      ? null
      : `${parts.number} ${name}, ${parts.random.integer(100, 2000)}, ${parts.end}`;
  }),
  form(
    'number behind the street and a unit',
    ({ number, street, end, random }) => `${street} ${number} #${few(random)}, ${end}`,
  ),
  form('a ZIP code in front', ({ number, street, truth, place }) => {
    const zip = truth.zip ?? place.zip;
    return zip === null ? null : `${zip} ${place.city}, ${number} ${street}`;
  }),
  form('one cell for each part', ({ number, truth, place, random }) =>
    [number, truth.street, place.city, place.state[0]].join(pick([',', '|', '\t', ';', ' / ', '\n'], random)),
  ),
  form('a house number twice', ({ number, street, end }) => `${number} ${number} ${street}, ${end}`),
  form(
    'fewer letters',
    ({ number, street, end }) => `${number} ${street.replace(/(?<=[a-z])[aeiou](?=[a-z])/, '')}, ${end}`,
  ),
];

/** Ways in which strangers write addresses that leave more than one reading, or none: no other place may be answered. */
export const HOSTILE: readonly Form[] = [...NUMBERS, ...WORDS];
