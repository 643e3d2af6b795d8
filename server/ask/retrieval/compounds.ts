import { isEmpty, stemOf, weightOf } from './words.ts';

/**
 * Words that name a kind of thing, of which the word before them says which: a gas station is no station of the gas network,
 * a phone number no number of phones. By stem.
 */
const HEADS: ReadonlySet<string> = new Set(
  'station shop store office number hall court club center centre market room line rate'.split(' ').map(stemOf),
);

/** Compounds of a word that many fields share, which stands for no field beside its head. By stem. */
const FIXED: ReadonlySet<string> = new Set(
  ['service', 'filling'].map(first => `${stemOf(first)} ${stemOf('station')}`),
);

/** Two words that stand side by side and mean one thing. */
interface Compound {
  readonly written: string;
  readonly words: readonly [string, string];
}

/**
 * Compounds of a text that no field is about, though fields may have words of each of their two.
 * @param standing words of the text as they stand in it, folded.
 * @param stemsOf what a word is looked up as. @param together whether one field has both stems.
 */
export function strangeCompounds(
  standing: readonly string[],
  stemsOf: (word: string) => readonly string[],
  together: (first: string, head: string) => boolean,
): Compound[] {
  return standing.flatMap((head, i): Compound[] => {
    const first = standing[i - 1];
    if (first === undefined || !/^\p{L}{2,}$/u.test(first) || isEmpty(first) || isEmpty(head)) return [];
    const stem = stemsOf(head).find(one => HEADS.has(one));
    if (stem === undefined) return [];
    const stems = stemsOf(first);
    if (FIXED.has(`${stemOf(first)} ${stem}`)) return [{ written: `${first} ${head}`, words: [first, head] }];
    if (stems.length === 0 || stems.some(one => weightOf(one) < 1 || together(one, stem))) return [];
    return [{ written: `${first} ${head}`, words: [first, head] }];
  });
}
