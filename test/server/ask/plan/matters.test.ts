import { expect, it } from 'vitest';
import { MATTERS } from '../../../../server/ask/plan/matters.ts';
import { isEmpty, rawWords, stemOf, weightOf } from '../../../../server/ask/retrieval/words.ts';

it('matters that no field tells have each term once, with a word that says of what it is', () => {
  const terms = Object.values(MATTERS).flat();
  expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
  const says = (term: string) => rawWords(term).some(word => !isEmpty(word) && weightOf(stemOf(word)) === 1);
  expect(terms.filter(term => !says(term))).toEqual([]);
});
