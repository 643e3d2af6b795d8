import type { Catalog } from '../../../datasets/catalog.ts';
import { type RankedField, wordsOf } from '../retrieval/retrieval.ts';
import { folded, rawWords, stemOf } from '../retrieval/words.ts';

/** A field of the National Risk Index that tells of one peril: its risk, or its loss. */
const OF_PERIL = /^nri_(?!risk|expected|social|community)\w+_(risk_score|eal_usd)$/;
/** Asks for money. */
const OF_LOSS =
  /\b(?:loss(?:es)?|los(?:e|es|t|ing)|costs?|damages?|dollars|money|usd|eal|aal|perdidas?|danos|cuestan?|dolares)\b|\$/;

/** Fields that no question means which does not name their thing: any lake is not a Great one. */
const NAMED: ReadonlyMap<string, RegExp> = new Map([
  [
    'great_lakes_shore_distance_m',
    /\b(?:great|grandes|michigan|erie|superior|ontario|huron|lake ?front|lake ?shore)\b/,
  ],
]);

const sharedStems = new WeakMap<Catalog, ReadonlyMap<string, ReadonlySet<string>>>();

/** Stems that most fields of a kind have, such as the risk scores: they tell no peril from another. By the end of the name. */
function sharedOf(catalog: Catalog): ReadonlyMap<string, ReadonlySet<string>> {
  const before = sharedStems.get(catalog);
  if (before) return before;
  const ofKind = Map.groupBy(
    [...catalog.fields.values()].filter(({ name }) => OF_PERIL.test(name)),
    ({ name }) => OF_PERIL.exec(name)![1]!,
  );
  const shared = new Map(
    [...ofKind].map(([kind, fields]) => {
      const counts = new Map<string, number>();
      for (const { name, title, description, terms } of fields)
        for (const stem of new Set(
          [name.replaceAll('_', ' '), title, description, ...terms].flatMap(rawWords).map(stemOf),
        ))
          counts.set(stem, (counts.get(stem) ?? 0) + 1);
      return [kind, new Set([...counts].filter(([, many]) => many > fields.length / 2).map(([stem]) => stem))];
    }),
  );
  sharedStems.set(catalog, shared);
  return shared;
}

/**
 * Whether a clause can mean a field: that of one peril needs a word for the peril, that of a loss also one for money. Every other field
 * can be meant.
 */
export function canMean(catalog: Catalog, clause: string, { name, matched }: RankedField): boolean {
  const kind = OF_PERIL.exec(name)?.[1];
  if (kind === undefined) return NAMED.get(name)?.test(folded(clause)) ?? true;
  const shared = sharedOf(catalog).get(kind)!;
  const ofPeril = wordsOf(catalog, clause).some(({ written, stem }) => matched.includes(written) && !shared.has(stem));
  return ofPeril && (kind === 'risk_score' || OF_LOSS.test(folded(clause)));
}
