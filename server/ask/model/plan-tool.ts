import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Catalog, FETCH_PRESETS } from '../../../datasets/catalog.ts';
import { MAX_PLANNED, type Part, type Plan } from '../backend.ts';
import { folded, rawWords } from '../retrieval/words.ts';
import { malformed } from './failure.ts';

export const PLAN_TOOL = 'plan_answer';
export const PLAN_TOOL_DESCRIPTION =
  'Names the catalog fields whose values answer the question. Call it once, with nothing else said.';

/** The arguments of the tool. */
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

/** Words of a part that are also in the question. Words that a model adds are never repeated to the caller. */
const wordsIn = (question: string, part: string): string[] => {
  const words = new Set(rawWords(question));
  return rawWords(part).filter(word => words.has(word) && folded(word).length > 3);
};

/**
 * Reads the plan from the model's tool call. Unknown names are left out; a preset gives its first 15 fields.
 * @throws ServiceError ask_upstream_error when it is not a call of this tool.
 */
export function readPlan(catalog: Catalog, question: string, input: unknown): Plan {
  // With an unknown preset, the fields still count.
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
