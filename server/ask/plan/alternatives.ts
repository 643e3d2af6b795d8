import type { Catalog } from '../../../datasets/catalog.ts';
import { type RankedField, rankFields, rankMatters } from '../retrieval/retrieval.ts';
import { folded } from '../retrieval/words.ts';
import { CARRIED } from './clauses.ts';
import { FIT } from './fit.ts';

/** What may stand between two things that are asked for at once. */
const BETWEEN =
  /\s+(?:or|nor|and|o|u|ni|y|e)\s+(?:in |on |of |en )?(?:the |an? |some |any |el |la |los |las |un |una |de )?/giu;

/** Words that lead to a list of things and are asked of each. */
const LED = /^(?:is|are|was|does|do|would|will|could|can|any|esta|hay|tiene)\b/i;

const best = (catalog: Catalog, text: string): RankedField | null => rankMatters(catalog, text)[0] ?? null;

/** Whether a term of one field has words of a text as a whole that neither of its two sides has. */
function isOneTerm(catalog: Catalog, text: string, sides: readonly RankedField[]): boolean {
  const [whole] = rankMatters(catalog, text);
  return (
    whole !== undefined && whole.term >= FIT.named && !sides.some(({ name, term }) => name === whole.name && term === 1)
  );
}

/**
 * A clause that asks for two things of different fields at once, such as "sinkholes or landslides", as two clauses; what leads
 * to the first is said of the second too. "Own or rent" is one thing: a field is called so.
 */
export function inAlternatives(catalog: Catalog, clause: string): string[] {
  for (const match of clause.matchAll(BETWEEN)) {
    const [left, right] = [clause.slice(0, match.index), clause.slice(match.index + match[0].length)];
    const [first, second] = [best(catalog, left), best(catalog, right)];
    if (first === null || second === null || first.name === second.name) continue;
    if (first.term < FIT.term || second.term < FIT.term || isOneTerm(catalog, clause, [first, second])) continue;
    // What both sides are about is one matter, told of twice.
    if (rankFields(catalog, right, 2 * FIT.most).some(({ name, term }) => name === first.name && term > 0)) continue;
    const led = CARRIED.exec(left)?.[0] ?? LED.exec(folded(left))?.[0];
    const rest = led === undefined || CARRIED.test(right) ? right : `${led} ${right}`;
    return [left, ...inAlternatives(catalog, rest)];
  }
  return [clause];
}
