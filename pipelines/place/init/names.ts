import { WEAK, WORDS } from './abbreviations.ts';

/** Length of the longest column name of a shapefile; longer names are cut. */
const SHAPEFILE_NAME = 10;
/** Length of the shortest run of letters that is split into words. */
const PARTED = 5;

/** Returns a name's letters and digits in lower case, so that SITE_ADDR and SiteAddr are equal. */
export const compact = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Splits a run of letters without separators (LANDVAL) into words; longest known words first. */
function parted(run: string): string[] {
  if (WORDS.has(run) || run.length < PARTED) return [run];
  // best[i]: fewest words and unknown letters of the first i letters.
  const best: { cost: number; from: number; isWord: boolean }[] = [{ cost: 0, from: -1, isWord: true }];
  for (let end = 1; end <= run.length; end++) {
    let found = { cost: Infinity, from: -1, isWord: false };
    for (let from = 0; from < end; from++) {
      const word = run.slice(from, end);
      const isWord = WORDS.has(word) && word.length >= 2;
      const cost = best[from]!.cost + (isWord ? 1 : 2 + 1.5 * word.length);
      if (cost < found.cost) found = { cost, from, isWord };
    }
    best.push(found);
  }
  const words: string[] = [];
  for (let end = run.length; end > 0; end = best[end]!.from) words.unshift(run.slice(best[end]!.from, end));
  // If a piece is unknown, do not split the run.
  return words.some(word => !WORDS.has(word) && word.length < 3) ? [run] : words;
}

/** Returns the words of a name without abbreviations: `SITUS_ADDR`, `SitusAddr` and `situsaddr` are site, address. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap(part => part.match(/[a-z]+|\d+/g) ?? [])
    .flatMap(part => (/\d/.test(part) ? [part] : parted(part)))
    .flatMap(word => WORDS.get(word)?.split(' ') ?? word);
}

/** Counts changes of one letter (missing, added, other, swapped) between two names, up to 2. */
function changes(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 1) return 2;
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  if (i === a.length && i === b.length) return 0;
  const same = (x: string, y: string) => x === y;
  if (same(a.slice(i + 1), b.slice(i + 1)) || same(a.slice(i + 1), b.slice(i)) || same(a.slice(i), b.slice(i + 1)))
    return 1;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && same(a.slice(i + 2), b.slice(i + 2)) ? 1 : 2;
}

const weightOf = (word: string) => (WEAK.has(word) ? 0.5 : /^\d+$/.test(word) ? 0.4 : 1);
const weight = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + weightOf(word), 0);

/** Returns the share of common words of two names (Dice; weak words count half), 0 to 1. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const [x, y] = [new Set(a), new Set(b)];
  const common = [...x].filter(word => y.has(word));
  if (!common.some(word => weightOf(word) === 1)) return 0;
  return (2 * weight(common)) / (weight(x) + weight(y));
}

/** A name of a dataset's column, prepared for comparison. */
export interface ColumnName {
  readonly name: string;
  readonly compact: string;
  readonly words: readonly string[];
}

/** Returns a name in the forms that are compared. */
export const columnName = (name: string): ColumnName => ({ name, compact: compact(name), words: wordsOf(name) });

/** Returns the last part of `table.column`, a form of joined exports. */
const bare = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/**
 * Scores how well a published column's name matches the known names of a column. 1: the dataset's own name (the first). 0.97 and
 * less: another publisher's name. 0.88: the same words, or a name cut by a shapefile. 0.8: one letter differs. Less: common words.
 */
export function nameScore(published: string, names: readonly ColumnName[]): number {
  const name = bare(published);
  const own = compact(name);
  const stem = compact(name.replace(/_\d$/, ''));
  let best = 0;
  let words: string[] | null = null;
  for (const [i, other] of names.entries()) {
    if (own === other.compact) return i === 0 ? 1 : Math.max(best, 0.97 - 0.06 * (i / names.length));
    if (stem === other.compact) best = Math.max(best, 0.85);
    const cut = name.length >= SHAPEFILE_NAME - 1 && name.length <= SHAPEFILE_NAME && own.length >= 7;
    if (cut && other.compact.length > own.length && other.compact.startsWith(own)) best = Math.max(best, 0.88);
    else if (own.length >= 7 && other.compact.length >= 7 && changes(own, other.compact) === 1)
      best = Math.max(best, 0.8);
    else if (best < 0.8) {
      words ??= wordsOf(name);
      const like = likeness(words, other.words);
      if (like === 1) best = Math.max(best, 0.88);
      else if (like > 0.7) best = Math.max(best, 0.25 + 0.45 * like);
    }
  }
  return best;
}
