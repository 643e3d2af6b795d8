import { type Hyphen, isOneNumber, isRange, type Whereabouts } from './number/hyphen.ts';
import { REAR } from './number/rear.ts';
import { cardinalOf } from './ordinal.ts';

/** A house number as it is written and as ranges count it. */
export interface HouseNumber {
  /** `12`, `12A`, `12 1/2`, `12 REAR`, `37-16`, `12-14`, `N6W23001`. */
  readonly text: string;
  /** What address ranges count: 3716 for `37-16`, 23001 for `N6W23001`, the lower end of a range. */
  readonly value: number;
  /** `A` of `12A`, `1/2` of `12 1/2`, `REAR`; empty where there is none. */
  readonly suffix: string;
  /** What stands before the number and belongs to it: letters of a grid (`N6W`), or the first part of `37-16` (`37-`). */
  readonly grid: string;
  /** The other end where the number reads as a range (`413-419`); otherwise the value itself. */
  readonly high: number;
  /** The parts of a number with a hyphen: where it lies says whether they are a range or one number. */
  readonly hyphen: Hyphen | null;
  /**
   * Its value where the letter behind it is a digit that looks like it: 71 for `7L`, 78 for `7B`; null where it has none. `isLikely` where
   * it is as likely that as a letter, which O, I and L seldom are.
   */
  readonly misread: { readonly value: number; readonly isLikely: boolean } | null;
}

/** Longest number that is a house number; the largest of the country have six digits. */
const DIGITS = 7;
/** Digits of both parts of a number with a hyphen that are kept as one of 32 bits; of more only the parts are known. */
const HYPHENED_DIGITS = 9;
const DIRECTION_OR_END = /^(?:[NSEW]|NE|NW|SE|SW)$/;

/** A number with its suffix behind it: `12A`, `12 1/2`, `12A REAR`. */
const spelled = (number: string, suffix: string): string =>
  suffix === '' || /^[A-Z](?: |$)/.test(suffix) ? number + suffix : `${number} ${suffix}`;

/** A number of digits, with what stands behind it. */
export const plainNumber = (value: number, suffix = ''): HouseNumber => ({
  text: spelled(String(value), suffix),
  value,
  suffix,
  grid: '',
  high: value,
  hyphen: null,
  misread: null,
});

function rangeOf(hyphen: Hyphen, suffix: string): HouseNumber {
  const [low, high] = [Number(hyphen.first), Number(hyphen.second)];
  return { text: spelled(`${low}-${high}`, suffix), value: low, suffix, grid: '', high, hyphen, misread: null };
}

function oneNumber(hyphen: Hyphen, suffix: string): HouseNumber {
  const { first, second } = hyphen;
  const value = first.length + second.length > HYPHENED_DIGITS ? 0 : Number(first + second);
  const grid = `${Number(first)}-`;
  return { text: spelled(grid + second, suffix), value, suffix, grid, high: value, hyphen, misread: null };
}

/** Letters that are typed, or seen by a scanner, for the digits that they look like. */
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
/** Letters that look less like digits: behind a number they are rather its own. */
const LETTERS: Readonly<Record<string, string>> = { S: '5', B: '8', Z: '2', G: '6' };
const withDigits = (word: string): string => word.replace(/[OIL]/g, letter => LOOKALIKES[letter]!);

/** A word that is a house number once its letters are the digits that they look like: 1O3, L2, L, 1OO, 1O-12; null when it is none. */
export function misreadNumber(word: string): HouseNumber | null {
  if (word === 'I' || word === 'L') return plainNumber(1);
  const isOne = /^(?=.*\d)(?=.*[OIL])[\dOIL]+(?:-[\dOIL]+)?[A-HJ-KM-NP-Z]?$/.test(word) && !/^\d+[OIL]$/.test(word);
  return isOne ? ofWord(withDigits(word)) : null;
}

/** What a number is where the letter behind it is a digit that looks like it. */
function misreadOf(digits: string, letter: string): HouseNumber['misread'] {
  const digit = LOOKALIKES[letter] ?? LETTERS[letter];
  if (digit === undefined || digits.length >= DIGITS) return null;
  return { value: Number(digits + digit), isLikely: letter in LOOKALIKES };
}

/** One word as a house number; null when it is none (`5TH`, words, more digits than any). */
function ofWord(word: string): HouseNumber | null {
  if (word.length > 16) return null;
  const simple = /^(\d+)([A-Z]?)$/.exec(word);
  if (simple && simple[1]!.length <= DIGITS) {
    const number = plainNumber(Number(simple[1]), simple[2]);
    return { ...number, misread: misreadOf(simple[1]!, simple[2]!) };
  }
  const hyphened = /^(\d+)-(\d+)([A-Z]?)$/.exec(word);
  if (hyphened && Math.max(hyphened[1]!.length, hyphened[2]!.length) <= DIGITS) {
    const hyphen: Hyphen = { first: hyphened[1]!, second: hyphened[2]! };
    return isRange(hyphen) ? rangeOf(hyphen, hyphened[3]!) : oneNumber(hyphen, hyphened[3]!);
  }
  const grid = /^([NSEW]?\d+[NSEW])(\d+)([A-Z]?)$/.exec(word) ?? /^([NSEW])(\d{3,})([A-Z]?)$/.exec(word);
  if (grid && grid[2]!.length <= DIGITS) {
    const value = Number(grid[2]);
    return { text: word, value, suffix: grid[3]!, grid: grid[1]!, high: value, hyphen: null, misread: null };
  }
  return null;
}

/**
 * The number as the place where it lies reads it: 12-14 is a range, but one number in Queens, as 91-1001 is in Hawaii.
 * What cannot be a range is one number everywhere, and no other place's: 8-3 is not 83.
 */
export const numberAt = (number: HouseNumber, where: Whereabouts): HouseNumber =>
  number.hyphen && number.grid === '' && isOneNumber(number.hyphen, where)
    ? oneNumber(number.hyphen, number.suffix)
    : number;

/** The number of the house behind that one. */
export const rearOf = (number: HouseNumber): HouseNumber => ({
  ...number,
  text: `${number.text} ${REAR}`,
  suffix: number.suffix === '' ? REAR : `${number.suffix} ${REAR}`,
});

/** Whether a number stands for another: it is that number, or a range with it at an end or among those of its parity. */
export function holds({ value, high }: { readonly value: number; readonly high: number }, number: number): boolean {
  if (number === value || number === high) return true;
  return value < number && number < high && (high - value) % 2 === 0 && (number - value) % 2 === 0;
}

/**
 * The house number that begins a list of words in capitals, in each way it may be read, likeliest first: `18 D MAIN ST`
 * is 18D on Main or 18 on D Main.
 * @returns with the number of words it takes; empty when the words do not begin with one.
 */
export function houseNumbers(words: readonly string[]): { readonly number: HouseNumber; readonly words: number }[] {
  const [first, second] = words;
  if (first === undefined) return [];
  const cardinal = cardinalOf(first);
  if (cardinal !== null && words.length > 1) return [{ number: plainNumber(cardinal), words: 1 }];
  if (second !== undefined && /^[NSEW]\d+$/.test(first) && /^[NSEW]\d+[A-Z]?$/.test(second)) {
    const grid = ofWord(first + second);
    if (grid) return [{ number: grid, words: 2 }];
  }
  const number = ofWord(first);
  // 1O3 is 103; L2 may be a lot or an apartment.
  const misread = number || !/^\d/.test(first) ? null : misreadNumber(first);
  if (misread) return [{ number: misread, words: 1 }];
  if (!number) return [];
  if (second !== undefined && /^\d\/\d$/.test(second) && number.suffix === '')
    return [{ number: { ...number, text: `${number.text} ${second}`, suffix: second }, words: 2 }];
  const found = [{ number, words: 1 }];
  const simple = /^\d+$/.test(first);
  if (simple && second !== undefined && /^[A-Z]$/.test(second) && !DIRECTION_OR_END.test(second) && words.length > 3)
    found.push({ number: plainNumber(number.value, second), words: 2 });
  return found;
}

/** Brings a fraction that stands behind the street to its number: 4452 MACARTHUR BLVD 1/2 NW. */
export function withFraction(words: readonly string[]): readonly string[] {
  if (!/^\d+$/.test(words[0] ?? '')) return words;
  const at = words.findIndex((word, i) => i > 1 && /^\d\/\d$/.test(word));
  return at < 0 || /^\d\/\d$/.test(words[1]!)
    ? words
    : [words[0]!, words[at]!, ...words.slice(1, at), ...words.slice(at + 1)];
}

/** What stands before and behind a stored number: `N6W/A` of N6W23001A, `37-/` of 37-16, `1/2`. */
export function lettersOf(letters: string): { readonly grid: string; readonly suffix: string } {
  const [, grid, suffix] = /^([NSEW]?\d*[NSEW]|\d+-)\/(.*)$/.exec(letters) ?? ['', '', letters];
  return { grid: grid!, suffix: suffix! };
}

/** The letters under which a number is stored. */
export const lettersIn = ({ grid, suffix }: HouseNumber): string => (grid ? `${grid}/${suffix}` : suffix);

/** A stored number as it is written. */
export function writtenNumber(value: number, high: number, letters: string): string {
  const { grid, suffix } = lettersOf(letters);
  if (grid.endsWith('-')) return spelled(grid + String(value).slice(grid.length - 1), suffix);
  return spelled(high > value ? `${value}-${high}` : `${grid}${value}`, suffix);
}
