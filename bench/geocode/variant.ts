import type { Random } from '../../pipelines/world/random.ts';
import { DIRECTION_NAMES, directionalOf } from '../../query/geocode/address/directional.ts';
import { ordinal, ordinalAt } from '../../query/geocode/address/ordinal.ts';
import { spellingsOf, suffixNameOf, suffixOf } from '../../query/geocode/address/suffix.ts';
import type { TruePlace, Truth } from './truth.ts';

/** What a variant is expected to be answered with. */
export type Expected = 'the address' | 'no rooftop' | 'nothing';

/** One way in which somebody may write an address. */
export interface Variant {
  readonly kind: string;
  /**
   * Clean ones say the same in another form; typos have one letter wrong, hard ones two, or another suffix where the place
   * has the name under one suffix alone. Where it has several, another suffix is another street.
   */
  readonly group:
    | 'clean'
    | 'typo'
    | 'incomplete'
    | 'hard'
    | 'wrong city'
    | 'wrong number'
    | 'unknown street'
    | 'other suffix';
  readonly text: string;
  readonly expected: Expected;
}

const title = (text: string) => text.toLowerCase().replace(/\b[a-z]/g, letter => letter.toUpperCase());
const pick = <T>(list: readonly T[], random: Random): T => list[random.integer(0, list.length - 1)]!;

/** Suffix and directionals spelled out: E MAIN ST is EAST MAIN STREET, but E ST is E STREET. */
function spelled(street: string): string {
  const words = street.split(' ');
  const letter = words.filter(word => directionalOf(word) === null && suffixOf(word) === null).length === 0;
  return words
    .map((word, i) => {
      const direction = words.length > 1 && !letter && (i === 0 || i === words.length - 1) ? directionalOf(word) : null;
      return direction ? DIRECTION_NAMES[direction]! : i > 0 && suffixOf(word) ? suffixNameOf(word)! : word;
    })
    .join(' ');
}

/** The suffix in another spelling of appendix C1. */
function respelled(street: string, random: Random): string {
  const words = street.split(' ');
  const at = words.findLastIndex((word, i) => i > 0 && suffixOf(word) !== null);
  if (at < 0) return street;
  words[at] = pick(spellingsOf(suffixOf(words[at]!)!), random);
  return words.join(' ');
}

/** FIRST as 1ST and 1ST as FIRST... as far as the words have ordinals. */
function reordinal(street: string): string {
  const words = street.split(' ');
  const at = words.findIndex((_, i) => ordinalAt(words, i) !== null);
  const found = at < 0 ? null : ordinalAt(words, at);
  if (!found || /^\d/.test(words[at]!)) return street;
  words.splice(at, found.words, ordinal(found.is));
  return words.join(' ');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** One letter left out, put in, changed or swapped with its neighbour in a word of at least four letters. */
export function mistyped(text: string, random: Random): string | null {
  const words = text.split(' ');
  const long = words.flatMap((word, i) => (/^[A-Z]{4,}$/.test(word) ? [i] : []));
  if (!long.length) return null;
  const at = pick(long, random);
  const word = words[at]!;
  const i = random.integer(0, word.length - 1);
  const letter = LETTERS[random.integer(0, 25)]!;
  const other = [
    () => word.slice(0, i) + word.slice(i + 1),
    () => word.slice(0, i) + letter + word.slice(i),
    () => word.slice(0, i) + letter + word.slice(i + 1),
    () => word.slice(0, i) + (word[i + 1] ?? '') + word[i]! + word.slice(i + 2),
  ][random.integer(0, 3)]!();
  if (other === word) return null;
  words[at] = other;
  return words.join(' ');
}

/** A street's name without suffix and directionals: what streets of other suffixes share with it. */
function nameOf(street: string): string {
  const inner = street.split(' ');
  if (inner.length > 1 && directionalOf(inner.at(-1)!)) inner.pop();
  if (inner.length > 1 && directionalOf(inner[0]!)) inner.shift();
  if (inner.length > 1 && suffixOf(inner.at(-1)!)) inner.pop();
  return inner.join(' ');
}
const suffixIn = (street: string) => street.split(' ').findLast((word, i) => i > 0 && suffixOf(word) !== null) ?? '';

/**
 * Variants of one address.
 * @param streets names of the place: a slip that makes another street's name is no slip that anybody could see.
 * @param numbers known on this street.
 * @param foreign names of streets of other places.
 */
export function variantsOf(
  truth: Truth,
  place: TruePlace,
  streets: ReadonlySet<string>,
  numbers: ReadonlySet<string>,
  foreign: readonly string[],
  random: Random,
): Variant[] {
  const { number, street } = truth;
  const city = place.city.toUpperCase();
  const [code, state] = place.state;
  const zip = truth.zip ?? place.zip;
  const end = `${city}, ${code}${zip ? ` ${zip}` : ''}`;
  const line = `${number} ${street}`;
  const variant = (
    group: Variant['group'],
    kind: string,
    text: string,
    expected: Expected = 'the address',
  ): Variant => ({ kind, group, text, expected });
  const list = [
    variant('clean', 'as published', `${line}, ${end}`),
    variant('clean', 'title case', `${title(line)}, ${title(city)}, ${code}${zip ? ` ${zip}` : ''}`),
    variant('clean', 'lower case without commas', `${line} ${city} ${code} ${zip ?? ''}`.toLowerCase()),
    variant('clean', 'spelled out', title(`${number} ${spelled(street)}, ${city}, ${state} ${zip ?? ''}`)),
    variant('clean', 'other suffix spelling', `${number} ${respelled(street, random)}, ${end}`),
    variant('clean', 'ordinals as digits', `${number} ${reordinal(street)}, ${end}`),
    variant('clean', 'full stops and blanks', `  ${number}  ${street}.,${city} ,  ${code}. `),
    variant('clean', 'without ZIP code', `${line}, ${city}, ${code}`),
    variant('clean', 'with unit', `${line} ${pick(['APT 3', '#2B', 'UNIT 12', 'STE 400'], random)}, ${end}`),
    variant('clean', 'reordered', `${city}, ${code}${zip ? ` ${zip}` : ''}, ${line}`),
    variant('clean', 'with country', `${line}, ${end}, USA`),
    ...(zip
      ? [
          variant('clean', 'ZIP+4', `${line}, ${city}, ${code} ${zip}-1234`),
          variant('incomplete', 'ZIP code without city', `${line}, ${zip}`),
        ]
      : []),
    variant('incomplete', 'without city and ZIP code', `${line}, ${code}`),
    variant('wrong city', 'another city', `${line}, ${place.otherCity}, ${code}`, 'nothing'),
  ];
  const words = street.split(' ');
  if (words.length > 1 && suffixOf(words.at(-1)!))
    list.push(variant('incomplete', 'without suffix', `${number} ${words.slice(0, -1).join(' ')}, ${end}`));
  for (let i = 0; i < 3; i++) {
    const inCity = i === 2;
    const slip = mistyped(inCity ? city : street, random);
    if (slip === null || (!inCity && streets.has(slip))) continue;
    const text = inCity ? `${line}, ${slip}, ${code}${zip ? ` ${zip}` : ''}` : `${number} ${slip}, ${end}`;
    list.push(variant('typo', inCity ? 'in the city' : 'in the street', text));
  }
  const once = mistyped(street, random);
  const twice = once && mistyped(once, random);
  if (twice && !streets.has(twice)) list.push(variant('hard', 'two slips', `${number} ${twice}, ${end}`));
  const suffixAt = words.findLastIndex((word, i) => i > 0 && suffixOf(word) !== null);
  const swapped = suffixAt < 0 ? street : words.with(suffixAt, pick(['AVE', 'RD', 'LN', 'CT', 'DR'], random)).join(' ');
  if (!streets.has(swapped)) {
    const suffixes = new Set<string | null>();
    for (const other of streets) if (nameOf(other) === nameOf(street)) suffixes.add(suffixOf(suffixIn(other)));
    suffixes.delete(null);
    const text = `${number} ${swapped}, ${end}`;
    if (suffixes.size > 1) list.push(variant('other suffix', 'a suffix of no street of the name', text, 'nothing'));
    else list.push(variant('hard', 'another suffix', text));
  }
  const elsewhere = foreign.length ? pick(foreign, random) : street;
  if (!streets.has(elsewhere))
    list.push(variant('unknown street', 'a street of another place', `${number} ${elsewhere}, ${end}`, 'nothing'));
  const wrong = String(Number.parseInt(number, 10) + 2 * random.integer(1, 400));
  if (!numbers.has(wrong))
    list.push(variant('wrong number', 'a number that is not known', `${wrong} ${street}, ${end}`, 'no rooftop'));
  return list;
}
