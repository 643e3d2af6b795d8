import type { Catalog } from '../../../datasets/catalog.ts';
import { type RankedField, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { FIT } from './fit.ts';
import { canMean } from './perils.ts';

/**
 * The field that a question as a whole names and that none of its clauses does, because its words stand in several of them: "there is
 * a bank along the river; are we dry because of it". Null for none. It is named by a term of its own, and is about as much as the best
 * field is, or it alone says what a word means.
 * @param chosen fields of the clauses, at least one.
 */
export function namedByAll(catalog: Catalog, question: string, chosen: ReadonlySet<string>): RankedField | null {
  const ranking = rankFields(catalog, question, FIT.wholeLooked);
  const next = ranking.find(one => !chosen.has(one.name) && canMean(catalog, question, one));
  if (next === undefined || next.term < FIT.term) return null;
  if (next.score >= FIT.wholeRatio * ranking[0]!.score) return next;
  const told = new Set(ranking.filter(({ name }) => chosen.has(name)).flatMap(({ matched }) => matched));
  const isNew = wordsOf(catalog, question).some(
    ({ written, weight }) => weight === 1 && next.matched.includes(written) && !told.has(written),
  );
  return isNew && next.term >= FIT.wholeTerm ? next : null;
}
