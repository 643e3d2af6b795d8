import type { Catalog } from '../../../datasets/catalog.ts';
import type { Part, Plan } from '../backend.ts';
import { inCatalog, type RankedField, rankEnrichment, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { folded } from '../retrieval/words.ts';
import { clausesOf } from './clauses.ts';
import { presetOf } from './presets.ts';

/** Fields that one question may plan (a limit of the interface). */
export const MAX_PLANNED = 15;
/** What planning keeps of a ranking: fitted on the fitting half of bench/ask. */
const FIT = {
  /** Of the best field's score. */
  ratio: 0.55,
  /** Fields of a clause. */
  most: 4,
  /** Of what a clause says, in its best field: below, the catalog does not answer it. */
  coverage: 0.45,
  /** Of the best field's score: what a yes or no must reach that a clause asks for. */
  whether: 0.4,
  /** Of a field's own score: what the unwanted clauses must reach to take it out. */
  unwanted: 0.9,
  /** Of the most unwanted field's score: what takes a field out of a preset. */
  presetUnwanted: 0.5,
} as const;

/** Asks for a yes or no about where the place lies: in, on or behind something. */
const WHETHER =
  /^(?:(?:so|and|ok|hey|hi|please|but)\s+)*(?:is|are|am|was|does|do|did|will|can|could|would|might|esta|estan|estoy|queda|se)\b.*\b(?:in|within|inside|on|part of|en|dentro|flood|inunda\w*)\b/i;

/** A ranking as the form of a clause asks for it: a question about a yes or no is answered by one too. */
function inForm(catalog: Catalog, text: string, ranked: readonly RankedField[]): RankedField[] {
  const [best] = ranked;
  if (!best) return [];
  if (!WHETHER.test(folded(text))) return [...ranked];
  const least = FIT.ratio * best.score;
  const isMeant = ({ name, score }: RankedField) =>
    catalog.fields.get(name)?.type === 'boolean' && score >= FIT.whether * best.score;
  return ranked
    .map(one => (isMeant(one) ? { ...one, score: Math.max(one.score, least) } : one))
    .sort((a, b) => b.score - a.score);
}

/** What a clause asks for. */
function partOf(catalog: Catalog, text: string): { readonly part: Part; readonly ranked: readonly RankedField[] } {
  const ranked = inForm(catalog, text, rankFields(catalog, text, 2 * MAX_PLANNED));
  const [best] = ranked;
  const unknown = [
    ...new Set(
      wordsOf(catalog, text)
        .filter(word => !inCatalog(catalog, word))
        .map(word => word.written),
    ),
  ];
  if (!best || best.coverage < FIT.coverage) {
    const enrichment = rankEnrichment(catalog, text, 3).filter(
      field => field.coverage > Math.max(0.6, best?.coverage ?? 0),
    );
    const only = enrichment.filter(({ name }) => !catalog.fields.has(name)).map(({ name }) => name);
    return { part: { text, fields: [], unknown, enrichment: only.slice(0, 1) }, ranked: [] };
  }
  const kept = ranked.filter(
    field => field.score >= FIT.ratio * best.score && field.coverage >= FIT.coverage * best.coverage,
  );
  return { part: { text, fields: [], unknown, enrichment: [] }, ranked: kept.slice(0, FIT.most) };
}

/** Fields that the unwanted clauses are about, with their scores. */
function unwantedScores(catalog: Catalog, clauses: readonly string[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const clause of clauses)
    for (const { name, score } of rankFields(catalog, clause, 4 * MAX_PLANNED))
      scores.set(name, Math.max(score, scores.get(name) ?? 0));
  return scores;
}

/** The first fields of a preset, without those that the question refuses. */
function presetFields(catalog: Catalog, preset: string, refused: ReadonlyMap<string, number>): string[] {
  const limit = FIT.presetUnwanted * Math.max(...refused.values(), 0);
  const names = catalog.presets.get(preset)!.slice(0, MAX_PLANNED);
  return names.filter(name => !refused.has(name) || refused.get(name)! < limit);
}

/**
 * Plans a question from its words: the fields that each clause is about, without those that it refuses, then the fields of a
 * preset that it asks for as a whole, at most 15 together. Pure and place-independent.
 * @param question of any text.
 */
export function planQuestion(catalog: Catalog, question: string): Plan {
  const clausesRead = clausesOf(question);
  // Who refuses everything has not been understood: the whole question is read as it is.
  const { wanted, unwanted } = clausesRead.wanted.length > 0 ? clausesRead : { wanted: [question], unwanted: [] };
  const refused = unwantedScores(catalog, unwanted);
  const isRefused = ({ name, score }: RankedField) => (refused.get(name) ?? 0) >= FIT.unwanted * score;
  const asking = wanted.map(presetOf);
  const preset = asking.find(found => found !== null) ?? presetOf(question);
  // The clauses that ask for the preset are answered by it; where only all of them together do, none asks for more.
  const besides =
    preset === null || asking.includes(preset) ? wanted.filter((_, i) => asking[i] !== preset || preset === null) : [];
  const clauses = besides.map(text => partOf(catalog, text));
  const taken = new Set<string>();
  const chosen = clauses.map((): string[] => []);
  // Clauses take turns, so that the last question of many is planned too.
  for (let turn = 0; turn < FIT.most; turn++)
    clauses.forEach(({ ranked }, i) => {
      const field = ranked.filter(one => !isRefused(one))[turn];
      if (!field || taken.has(field.name) || taken.size >= MAX_PLANNED) return;
      taken.add(field.name);
      chosen[i]!.push(field.name);
    });
  const parts = clauses.flatMap(({ part, ranked }, i): Part[] => {
    if (chosen[i]!.length > 0) return [{ ...part, fields: chosen[i]! }];
    // Others have taken its fields, it refuses them, or it only leads in.
    const leadsIn = wanted.length > 1 && wordsOf(catalog, part.text).length === 0;
    return ranked.length > 0 || leadsIn ? [] : [part];
  });
  const expanded = preset === null ? [] : presetFields(catalog, preset, refused);
  return { fields: [...new Set([...taken, ...expanded])].slice(0, MAX_PLANNED), preset, parts };
}
