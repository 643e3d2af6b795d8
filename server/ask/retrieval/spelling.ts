import MiniSearch from 'minisearch';

/** Corrects words that a vocabulary lacks. */
export interface Speller {
  /** The nearest word that the vocabulary has, or null when none is near. @param word folded. */
  correct(word: string): string | null;
}

/** Letters of the longest word that is corrected. */
const LONGEST = 24;

/** Letters that a word of some length may have wrong (Levenshtein; two that change places are two). */
const lettersWrong = (length: number): number => (length < 4 || length > LONGEST ? 0 : length < 6 ? 1 : 2);

/** Whether two words have the same letters, so that only their order is wrong. */
const sameLetters = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('');

/**
 * A speller over words and how often each occurs. The nearest word wins, then the one that occurs more often; the first
 * letter is hardly ever wrong, so only words that begin alike are near.
 */
export function createSpeller(vocabulary: ReadonlyMap<string, number>): Speller {
  const index = new MiniSearch<{ id: string }>({ fields: ['id'], tokenize: text => [text], processTerm: term => term });
  index.addAll([...vocabulary.keys()].filter(word => word.length > 3).map(id => ({ id })));
  return {
    correct(word) {
      const wrong = lettersWrong(word.length);
      if (wrong === 0) return null;
      // Two letters that changed places count as two.
      const candidates = (fuzzy: number) => index.search(word, { fuzzy }).map(result => String(result.id));
      const near = candidates(1).filter(id => id[0] === word[0]);
      const swapped = near.length > 0 ? [] : candidates(2).filter(id => id[0] === word[0]);
      const found = near.length > 0 ? near : swapped.filter(id => wrong > 1 || sameLetters(id, word));
      const order = (id: string) => (vocabulary.get(id) ?? 0) + (sameLetters(id, word) ? 1000 : 0);
      return found.sort((a, b) => order(b) - order(a))[0] ?? null;
    },
  };
}
