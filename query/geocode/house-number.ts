import { cardinalOf } from './ordinal.ts';

/** A house number as it is written and as ranges count it. */
export interface HouseNumber {
  /** `12`, `12A`, `12 1/2`, `37-16`, `N6W23001`. */
  readonly text: string;
  /** What address ranges count: 3716 for `37-16`, 23001 for `N6W23001`. */
  readonly value: number;
  /** `A` of `12A`, `1/2` of `12 1/2`; empty where there is none. */
  readonly suffix: string;
  /** Letters of a grid (`N6W`); empty where there are none. */
  readonly grid: string;
  /** The other end where the number reads as a range (`413-419`); otherwise the value itself. */
  readonly high: number;
}

/** Longest number that is a house number; the largest of the country have six digits. */
const DIGITS = 7;
/** A hyphenated number is a range only when its ends are this near. */
const RANGE_SPAN = 100;
const DIRECTION_OR_END = /^(?:[NSEW]|NE|NW|SE|SW)$/;

const plain = (value: number, suffix = ''): HouseNumber => ({
  text: suffix === '' ? String(value) : suffix.includes('/') ? `${value} ${suffix}` : `${value}${suffix}`,
  value,
  suffix,
  grid: '',
  high: value,
});

/** One word as a house number; null when it is none (`5TH`, words, more digits than any). */
function ofWord(word: string): HouseNumber | null {
  if (word.length > 16) return null;
  const simple = /^(\d+)([A-Z]?)$/.exec(word);
  if (simple && simple[1]!.length <= DIGITS) return plain(Number(simple[1]), simple[2]);
  const hyphened = /^(\d+)-(\d+)([A-Z]?)$/.exec(word);
  if (hyphened && hyphened[1]!.length + hyphened[2]!.length <= DIGITS + 3) {
    const [, first, second, suffix = ''] = hyphened as unknown as [string, string, string, string];
    const low = Number(first);
    const high = Number(second);
    // In Queens 10-20 is one house; a range is written with whole numbers.
    const range = first.length > 2 && high > low && high - low <= RANGE_SPAN && first.length <= second.length;
    return {
      text: `${low}-${second}${suffix}`,
      value: range ? low : Number(`${low}${second}`),
      suffix,
      grid: '',
      high: range ? high : Number(`${low}${second}`),
    };
  }
  const grid = /^([NSEW]\d+[NSEW])(\d+)([A-Z]?)$/.exec(word) ?? /^([NSEW])(\d{3,})([A-Z]?)$/.exec(word);
  if (grid && grid[2]!.length <= DIGITS) {
    const value = Number(grid[2]);
    return { text: word, value, suffix: grid[3]!, grid: grid[1]!, high: value };
  }
  return null;
}

/**
 * The house number that begins a list of words in capitals, in each way it may be read, likeliest first: `18 D MAIN ST`
 * is 18D on Main or 18 on D Main.
 * @returns with the number of words it takes; empty when the words do not begin with one.
 */
export function houseNumbers(words: readonly string[]): { readonly number: HouseNumber; readonly words: number }[] {
  const [first, second] = words;
  if (first === undefined) return [];
  const spelled = cardinalOf(first);
  if (spelled !== null && words.length > 1) return [{ number: plain(spelled), words: 1 }];
  if (second !== undefined && /^[NSEW]\d+$/.test(first) && /^[NSEW]\d+[A-Z]?$/.test(second)) {
    const grid = ofWord(first + second);
    if (grid) return [{ number: grid, words: 2 }];
  }
  const number = ofWord(first);
  if (!number) return [];
  if (second !== undefined && /^\d\/\d$/.test(second) && number.suffix === '')
    return [{ number: { ...number, text: `${number.text} ${second}`, suffix: second }, words: 2 }];
  const found = [{ number, words: 1 }];
  const simple = /^\d+$/.test(first);
  if (simple && second !== undefined && /^[A-Z]$/.test(second) && !DIRECTION_OR_END.test(second) && words.length > 3)
    found.push({ number: plain(number.value, second), words: 2 });
  return found;
}

/** A number that stands alone, as rolls keep it; null when it is none. */
export function houseNumberOf(text: string): HouseNumber | null {
  const [only] = houseNumbers(text.split(' '));
  return only && only.words === text.split(' ').length ? only.number : null;
}
