import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Catalog, FETCH_PRESETS } from '../../../datasets/catalog.ts';
import type { Part, Plan } from '../backend.ts';
import { MAX_PLANNED } from '../plan/planner.ts';
import { folded, rawWords } from '../retrieval/words.ts';
import { malformed } from './failure.ts';

export const PLAN_TOOL = 'plan_answer';
export const PLAN_TOOL_DESCRIPTION =
  'Names the catalog fields whose values answer the question. Call it once, with nothing else said.';

/** What the tool is called with. */
export const PlanInput = Type.Object({
  fields: Type.Array(Type.String(), {
    description: `Names of catalog fields, best first, at most ${MAX_PLANNED}; empty where none answers.`,
  }),
  preset: Type.Optional(
    Type.Union([...FETCH_PRESETS.map(name => Type.Literal(name)), Type.Null()], {
      description: 'Only where the question asks for everything about a matter instead of for single values.',
    }),
  ),
  unanswered: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Parts of the question that no field answers, in its own words; empty where all are answered.',
    }),
  ),
});
type PlanInput = Static<typeof PlanInput>;

/** Words of a part that the question has too: what a model adds of its own is repeated to nobody. */
const wordsIn = (question: string, part: string): string[] => {
  const words = new Set(rawWords(question));
  return rawWords(part).filter(word => words.has(word) && folded(word).length > 3);
};

/**
 * The plan that a model called the tool with: names that the catalog lacks are left out, a preset gives its first 15 fields.
 * @throws ServiceError ask_upstream_error where it is no call of this tool.
 */
export function readPlan(catalog: Catalog, question: string, input: unknown): Plan {
  // An unknown preset is no reason to lose the fields.
  const given = typeof input === 'object' && input !== null ? { ...(input as Partial<PlanInput>) } : input;
  if (typeof given === 'object' && given !== null && !FETCH_PRESETS.includes((given as PlanInput).preset as never))
    (given as { preset: unknown }).preset = null;
  if (!Value.Check(PlanInput, given)) throw malformed();
  const preset = given.preset ?? null;
  const named = [...new Set(given.fields)].filter(name => catalog.fields.has(name));
  const expanded = preset === null ? [] : catalog.presets.get(preset)!.slice(0, MAX_PLANNED);
  const fields = [...new Set([...named, ...expanded])].slice(0, MAX_PLANNED);
  const unmet = (given.unanswered ?? []).map(
    (text): Part => ({ text, fields: [], unknown: wordsIn(question, text), enrichment: [] }),
  );
  const answered: Part[] = named.length > 0 ? [{ text: question, fields: named, unknown: [], enrichment: [] }] : [];
  const parts = fields.length === 0 && unmet.length === 0 ? [{ ...NOTHING, text: question }] : [...answered, ...unmet];
  return { fields, preset, parts };
}

const NOTHING = { fields: [], unknown: [], enrichment: [] } as const;
