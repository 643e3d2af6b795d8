import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { memo } from '../../datasets/memo.ts';
import { planQuestion } from './plan/planner.ts';
import { readQuestion } from './reading/reading.ts';
import { rankFields } from './retrieval/retrieval.ts';
import { subjectOf, thingsOf } from './write/subject.ts';

/** Questions that may follow, of which those are kept that are answered at the place. */
const MOST = 12;
/** Fields of the matter that are looked at. */
const RANKED = 60;

/** A question that a field answers. */
export interface FollowUp {
  readonly field: string;
  readonly question: string;
}

/** What the catalog can be asked after a question. */
export interface FollowUpTask {
  readonly question: string;
  /** Fields that the question itself looked up. */
  readonly planned: readonly string[];
  /** Fields that the release can answer. */
  readonly installed: readonly string[];
}

/** The question that asks for a field; null for one that is not asked for alone. */
function questionFor(field: Field): string | null {
  const { name, title, type, unit, description } = field;
  if (/_id$|_code$|_geoid$|fips|^parcel_match|^huc/.test(name)) return null;
  const thing = /^Distance to (nearest .+)$/.exec(title)?.[1];
  if (thing !== undefined) return `How far is the ${thing}?`;
  if (type === 'boolean') {
    const inside = /^Whether the point falls (in|inside|on) (.+?)(?: \(|\.|$)/.exec(description);
    return inside ? `Is it ${inside[1] === 'on' ? 'on' : 'in'} ${inside[2]}?` : null;
  }
  const counted = thingsOf({ title, unit });
  if (counted) return `How many ${counted.things} are there${counted.where}?`;
  return `What is ${subjectOf({ title })}?`;
}

/** What a question leads to: fields of its matter, those of the same layers of the catalog, and what presets begin with. */
function candidates(catalog: Catalog, { question, planned, installed }: FollowUpTask): string[] {
  const has = new Set(installed);
  const ranked = rankFields(catalog, question, RANKED).map(({ name }) => name);
  const matter = planned.length > 0 ? planned : ranked.slice(0, 1);
  const datasets = new Set(matter.map(name => catalog.fields.get(name)?.dataset));
  const layers = new Set(matter.map(name => catalog.fields.get(name)?.layer));
  const all = [...catalog.fields.values()];
  const names = [
    ...ranked.filter(name => layers.has(catalog.fields.get(name)!.layer)),
    ...all.filter(({ dataset }) => datasets.has(dataset)).map(({ name }) => name),
    ...[...catalog.presets.values()].flatMap(fields => fields.slice(0, 2)),
  ];
  return [...new Set(names)].filter(name => has.has(name) && !planned.includes(name));
}

/** A question for one field, and the fields that it looks up. */
interface PlannedQuestion {
  readonly question: string;
  readonly fields: readonly string[];
}

/** By field, whether it can be asked for: planning each question again would take longer than the answer. */
const questionsOf = memo((_: Catalog) => new Map<string, PlannedQuestion | null>());

/** The question whose first field is a field; null where words do not lead to it. */
function plannedQuestion(catalog: Catalog, name: string): PlannedQuestion | null {
  const questions = questionsOf(catalog);
  const before = questions.get(name);
  if (before !== undefined) return before;
  const question = questionFor(catalog.fields.get(name)!);
  const isPlain = (text: string) =>
    readQuestion(catalog, text).segments.every(({ beyond, places }) => beyond === null && places.length === 0);
  const parts = question !== null && isPlain(question) ? planQuestion(catalog, question).parts : [];
  const [part] = parts;
  const isMet = parts.length === 1 && part!.fields[0] === name && part!.unknown.length === 0;
  const planned = isMet ? { question: question!, fields: part!.fields } : null;
  questions.set(name, planned);
  return planned;
}

/**
 * Questions that may follow another one, best first: each asks for a field that the release has, and the planner finds that field
 * for it. Pure.
 */
export function followUps(catalog: Catalog, task: FollowUpTask): FollowUp[] {
  const questions: FollowUp[] = [];
  const taken = new Set<string>();
  for (const name of candidates(catalog, task)) {
    if (questions.length >= MOST) break;
    const next = taken.has(name) ? null : plannedQuestion(catalog, name);
    if (next === null) continue;
    // What one question answers is not asked by the next.
    for (const field of next.fields) taken.add(field);
    questions.push({ field: name, question: next.question });
  }
  return questions;
}
