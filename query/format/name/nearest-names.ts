/** Letters of a name that are compared; no name of the service is longer. */
const LONGEST = 64;
/** Words of a name that are compared. */
const MOST_WORDS = 12;
/** Least likeness of a name worth showing: two words that have nothing to do with one another are about half as like. */
const LEAST = 0.2;
/** Names shown for a wrong one. */
export const MOST_NEAREST = 3;
/** Wrong names of one request that get their nearest ones: two milliseconds each, so that a hostile body ends there. */
export const MOST_ADVISED = 10;

/** Words of a name in lower case, whatever parts them: `parcelZoning`, `parcel_zoning`, `Parcel-Zoning`. */
const wordsOf = (name: string): string[] =>
  name
    .slice(0, LONGEST)
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MOST_WORDS);

/** A name as its words alone: the same for every way of writing them. */
export const wordsText = (name: string): string => wordsOf(name).join(' ');

/** Letters that two words share in their order (longest common subsequence; Wagner and Fischer 1974). */
function lettersShared(a: string, b: string): number {
  const row = new Uint8Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const letter = a.charCodeAt(i);
    let diagonal = 0;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      row[j] = letter === b.charCodeAt(j - 1) ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return row[b.length]!;
}

/**
 * Likeness of two words from 0 to 1: the square of the share of letters in common. It knows abbreviations, lon and
 * longitude of lng, which have too many edits between them.
 */
const likeness = (a: string, b: string): number =>
  a === b ? 1 : ((2 * lettersShared(a, b)) / (a.length + b.length)) ** 2;

/**
 * The names most like a wrong one, the likest first: those whose words are like its own, in any order (Dice's coefficient
 * over words), or whose letters are. Its work grows with the number of names alone, because the wrong name is cut.
 * @param wrong as somebody wrote it; nothing of it is in the answer.
 * @param names to choose from, in the order in which equals are answered.
 * @returns at most three; none where nothing is like it.
 */
export function nearestNames(wrong: string, names: Iterable<string>): string[] {
  const own = wordsOf(wrong);
  const letters = own.join('');
  if (letters === '') return [];
  const memo = new Map<string, number[]>();
  const likenesses = (word: string): number[] => {
    let list = memo.get(word);
    if (!list) {
      list = own.map(one => likeness(one, word));
      memo.set(word, list);
    }
    return list;
  };
  const ranked: { readonly name: string; readonly score: number }[] = [];
  for (const name of names) {
    const words = wordsOf(name);
    const table = words.map(likenesses);
    const theirs = table.reduce((sum, row) => sum + Math.max(...row), 0);
    const mine = own.reduce((sum, _, i) => sum + Math.max(...table.map(row => row[i]!)), 0);
    const byWords = (mine + theirs) / (own.length + words.length);
    // Words that are written as one have only their letters: parcelzoning.
    const score = own.length > 1 ? byWords : Math.max(byWords, likeness(letters, words.join('')) * 0.8);
    if (score >= LEAST) ranked.push({ name, score });
  }
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, MOST_NEAREST).map(({ name }) => name);
}

/** Nearest names for people: `a`, `b` or `c`; empty where there are none. */
export const namesText = (names: readonly string[]): string => {
  const quoted = names.map(name => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
};

/** Wrong names as a list for people, each with its nearest ones; only the first ten have them. */
export function withNearest(wrong: readonly string[], names: Iterable<string>): string {
  const all = [...names];
  return wrong
    .map((name, i) => {
      const nearest = i < MOST_ADVISED ? nearestNames(name, all) : [];
      return JSON.stringify(name) + (nearest.length > 0 ? ` (nearest: ${namesText(nearest)})` : '');
    })
    .join(', ');
}
