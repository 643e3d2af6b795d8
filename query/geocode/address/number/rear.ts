import { directionalOf } from '../directional.ts';
import { suffixOf } from '../suffix.ts';

/** `REAR`, the suffix of the number of a house behind another one. */
export const REAR = 'REAR';

const isNumber = (word: string | undefined) => word !== undefined && /^\d[\dA-Z/-]*$/.test(word);

/**
 * Takes the word that says that a house stands behind another one out of a line of number and street: 12 REAR ELM ST,
 * REAR (OF) 12 ELM ST, 12 ELM ST REAR, and 4004 D ST R SE as the District's roll writes it. In AVENUE R and REAR ST the
 * word is the street's name.
 * @param words in capitals.
 * @returns the other words; null when there is no such word.
 */
export function withoutRear(words: readonly string[]): string[] | null {
  if (words[0] === REAR) {
    const number = words[1] === 'OF' ? 2 : 1;
    return isNumber(words[number]) && words.length > number + 1 ? words.slice(number) : null;
  }
  if (!isNumber(words[0])) return null;
  const begin = words[1] !== undefined && /^\d\/\d$/.test(words[1]) ? 2 : 1;
  const inFront = words[begin] === REAR && words[begin + 1] !== undefined;
  if (inFront && !(words.length === begin + 2 && suffixOf(words[begin + 1]!))) return words.toSpliced(begin, 1);
  const at = words.findIndex((word, i) => {
    if (i <= begin + 1 || (word !== REAR && word !== 'R')) return false;
    // It stands behind the suffix of a name: that of AVENUE R follows none.
    if (suffixOf(words[i - 1]!) === null && directionalOf(words[i - 1]!) === null) return false;
    if (words.slice(begin, i).filter(w => directionalOf(w) === null).length < 2) return false;
    return word === REAR || words.slice(i + 1).every(w => directionalOf(w) !== null);
  });
  return at < 0 ? null : words.toSpliced(at, 1);
}
