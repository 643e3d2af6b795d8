import nlp from 'compromise';
import { folded, rawWords, type Word } from '../retrieval/words.ts';
import { isUnitName } from '../units.ts';

/** Words for the place and what is around it. */
const AROUND: ReadonlySet<string> = new Set(
  'lot ground yard neighborhood street town block vicinity city days lugar terreno lote calle zona vecindario'.split(
    ' ',
  ),
);

/** Things that a text names. */
export interface ThingsOfText {
  /** By full words, as written, without the place itself. */
  readonly things: readonly string[];
  /** Words before a thing that say which one it is, each with that thing: the school of a school bond. */
  readonly heads: ReadonlyMap<string, string>;
}

/** Finds the things of a text among its words. */
export function thingsIn(text: string, words: readonly Word[]): ThingsOfText {
  const tagged = nlp(folded(text));
  const nouns = tagged.match('#Noun').not('(#Pronoun|#Gerund)').terms().out('array') as string[];
  const pairs = tagged.match('#Noun #Noun').ifNo('#Gerund').out('array') as string[];
  const named = new Set(nouns.flatMap(rawWords));
  return {
    things: words.flatMap(({ written, weight }) =>
      weight === 1 && named.has(written) && !AROUND.has(written) && !isUnitName(written) ? [written] : [],
    ),
    heads: new Map(pairs.map(pair => rawWords(pair).slice(0, 2) as [string, string])),
  };
}

/** Whether all that a field has of a text says of another thing which one is meant, or where it is. */
export function onlyQualifies(
  { things, heads }: ThingsOfText,
  words: readonly Word[],
  matched: readonly string[],
): boolean {
  const full = words.flatMap(({ written, weight }) => (weight === 1 && matched.includes(written) ? [written] : []));
  const isOfOther = (word: string) => {
    const head = heads.get(word);
    return head !== undefined && things.includes(head) && !matched.includes(head);
  };
  const isOfMore = things.some(thing => !matched.includes(thing));
  return full.length > 0 && full.every(word => isOfOther(word) || (isOfMore && AROUND.has(word)));
}
