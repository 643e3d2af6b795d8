import { oneEditFrom } from './edit-distance.ts';

const UNITS = ['', 'FIRST', 'SECOND', 'THIRD', 'FOURTH', 'FIFTH', 'SIXTH', 'SEVENTH', 'EIGHTH', 'NINTH'];
const TEENS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH'.split(' ');
const TENS = ['', '', 'TWENTY', 'THIRTY', 'FORTY', 'FIFTY', 'SIXTY', 'SEVENTY', 'EIGHTY', 'NINETY'];
const CARDINALS = 'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE'.split(' ');

const ordinals = new Map<string, number>();
for (let n = 1; n < 100; n++) {
  const tens = Math.floor(n / 10);
  const unit = n % 10;
  if (n < 10) ordinals.set(UNITS[n]!, n);
  else if (n < 20) ordinals.set(TEENS[n - 10]!, n);
  else if (unit === 0) ordinals.set(TENS[tens]!.replace(/Y$/, 'IETH'), n);
  else {
    ordinals.set(`${TENS[tens]}${UNITS[unit]}`, n);
    ordinals.set(`${TENS[tens]} ${UNITS[unit]}`, n);
  }
}

/**
 * The ordinal that begins at a word: `1ST`, `FIRST`, `TWENTY FIRST`; also a wrong ending (`1TH`).
 * @returns its number and how many words it takes; null when there is none.
 */
export function ordinalAt(
  words: readonly string[],
  at: number,
): { readonly is: number; readonly words: number } | null {
  const word = words[at]!;
  const digits = /^(\d+)(?:ST|ND|RD|TH)$/.exec(word);
  if (digits) return { is: Number(digits[1]), words: 1 };
  const two = words[at + 1] === undefined ? undefined : ordinals.get(`${word} ${words[at + 1]}`);
  if (two !== undefined) return { is: two, words: 2 };
  const one = ordinals.get(word);
  return one === undefined ? null : { is: one, words: 1 };
}

/** `21` → `21ST`. */
export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'TH' : (['TH', 'ST', 'ND', 'RD'][n % 10] ?? 'TH');
  return `${n}${ending}`;
}

/** `ONE` to `TWELVE`, as house numbers are spelled on buildings; null for other words. */
export function cardinalOf(word: string): number | null {
  const index = CARDINALS.indexOf(word);
  return index < 0 ? null : index + 1;
}

const namesNear = oneEditFrom([...ordinals].filter(([name]) => name.length > 4));

/** Spelled ordinals of at least five letters within one edit of a word: what FOURT may stand for. */
export const ordinalsNear = (word: string): number[] => (word.length < 4 ? [] : namesNear(word));
