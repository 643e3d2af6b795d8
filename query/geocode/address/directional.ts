/** Publication 28, appendix B, with the spellings of Puerto Rico (section 29) and of rolls that write SOUTH as SO. */
const DIRECTIONALS: Readonly<Record<string, string>> = {
  N: 'N',
  NORTH: 'N',
  NO: 'N',
  NORTE: 'N',
  S: 'S',
  SOUTH: 'S',
  SO: 'S',
  SUR: 'S',
  E: 'E',
  EAST: 'E',
  ESTE: 'E',
  W: 'W',
  WEST: 'W',
  OESTE: 'W',
  NE: 'NE',
  NORTHEAST: 'NE',
  NORESTE: 'NE',
  NW: 'NW',
  NORTHWEST: 'NW',
  NOROESTE: 'NW',
  SE: 'SE',
  SOUTHEAST: 'SE',
  SURESTE: 'SE',
  SW: 'SW',
  SOUTHWEST: 'SW',
  SUROESTE: 'SW',
};

export const DIRECTION_NAMES: Readonly<Record<string, string>> = {
  N: 'NORTH',
  S: 'SOUTH',
  E: 'EAST',
  W: 'WEST',
  NE: 'NORTHEAST',
  NW: 'NORTHWEST',
  SE: 'SOUTHEAST',
  SW: 'SOUTHWEST',
};

/** `NORTHWEST` → `NW`; null when the word, in capitals, is no directional. */
export const directionalOf = (word: string): string | null =>
  Object.hasOwn(DIRECTIONALS, word) ? DIRECTIONALS[word]! : null;

/**
 * The directional that begins a list of words, of one word or two (`NORTH WEST`, `N E`).
 * @returns with the number of words it takes; null when there is none.
 */
export function leadingDirectional(words: readonly string[]): { readonly is: string; readonly words: number } | null {
  const first = words[0] === undefined ? null : directionalOf(words[0]);
  if (!first) return null;
  const second = words[1] === undefined ? null : directionalOf(words[1]);
  if (second && /^[NS]$/.test(first) && /^[EW]$/.test(second)) return { is: first + second, words: 2 };
  return { is: first, words: 1 };
}
