import type { Confidence } from '../../datasets/dataset.ts';
import type { Language } from '../language/language.ts';
import type { Backend, Evidence, Sentence, Stage, Task, Unsupported, Written } from './backend.ts';
import type { Answered, Citation, DataGap, Trace } from './schema.ts';
import { CHECK, WRITE } from './works.ts';
import { closingOf } from './write/closing.ts';
import { tongueOf } from './write/language.ts';
import { remarksOn } from './write/remarks.ts';

/** Share of planned fields without a value above which confidence falls by a bucket (part of the interface). */
const NULL_SHARE = 0.3;
/** Faults of a claim, rather than of something that no record has. */
const CLAIMS: ReadonlySet<string> = new Set<Unsupported['kind']>(['polarity', 'comparison', 'direction', 'class']);
const LEVELS = ['low', 'medium', 'high'] as const satisfies readonly Confidence[];

/** An answer with its checked and dropped sentences. */
interface Composed extends Answered, Pick<Trace, 'sentences' | 'dropped'> {}

const lowest = (levels: readonly Confidence[]): Confidence =>
  LEVELS[Math.min(...levels.map(level => LEVELS.indexOf(level)))] ?? 'low';

/** The records that decide: of each part those that the first sentence about it cites. Without parts, those of the first sentence. */
function decidingOf(used: readonly Evidence[], { parts }: Task['plan'], sentences: readonly Sentence[]): Evidence[] {
  const cites = ({ fields }: Sentence) => used.some(({ field }) => fields.includes(field));
  const firsts = parts.flatMap(({ fields }) => {
    const first = sentences.find(one => cites(one) && one.fields.some(field => fields.includes(field)));
    return first ? [first] : [];
  });
  const deciding = firsts.length > 0 ? firsts : sentences.filter(cites).slice(0, 1);
  return used.filter(({ field }) => deciding.some(({ fields }) => fields.includes(field)));
}

/**
 * The confidence of an answer. It is that of the weakest record that decides. It falls by a bucket for each of these: more than
 * 30 percent of the planned fields have no value; a sentence was dropped; a part of the question has no field. Without any value it
 * is low.
 */
function confidenceOf(deciding: readonly Evidence[], { evidence, plan }: Task, dropped: number): Confidence {
  if (deciding.length === 0) return 'low';
  const missing = evidence.filter(({ record }) => record.status !== 'ok').length;
  const falls = [
    missing > NULL_SHARE * evidence.length,
    dropped > 0,
    plan.parts.some(part => part.fields.length === 0),
  ].filter(Boolean).length;
  const weakest = LEVELS.indexOf(lowest(deciding.map(({ record }) => record.confidence)));
  return LEVELS[Math.max(0, weakest - falls)]!;
}

/** The quantiles that sentences set a value against. */
function quantilesOf(used: readonly Evidence[], sentences: readonly Sentence[]): Citation[] {
  const told = used.filter(({ standing }) => standing && sentences.some(({ text }) => text.includes(standing.text)));
  return told.map(({ field, record, standing }) => {
    const { source, source_url } = standing!.citation;
    return { source, source_url, fields: [field], fetched_at: record.fetched_at, confidence: record.confidence };
  });
}

function citationsOf(used: readonly Evidence[]): Citation[] {
  const sources = Map.groupBy(used, ({ record }) => record.source);
  return [...sources].map(([source, group]) => ({
    source,
    source_url: group.find(({ record }) => record.source_url !== null)?.record.source_url ?? null,
    fields: group.map(({ field }) => field),
    fetched_at: group.map(({ record }) => record.fetched_at).sort()[0]!,
    confidence: lowest(group.map(({ record }) => record.confidence)),
  }));
}

function gapsOf(evidence: readonly Evidence[]): DataGap[] {
  return evidence.flatMap(({ field, record: { status, notes, error } }) =>
    status === 'ok'
      ? []
      : [{ field, status, reason: (status === 'failed' ? error : notes) ?? 'The source gives no reason.' }],
  );
}

const reasonOf = ({ kind, what }: Unsupported): string =>
  CLAIMS.has(kind) ? `the records cited say otherwise (${kind}): ${what}` : `${kind} not in the records cited: ${what}`;

/** The task of writing what the record of one field says. */
const taskOf = (task: Task, field: string): Task => ({
  ...task,
  plan: {
    fields: [field],
    preset: null,
    parts: [{ text: task.question, fields: [field], unknown: [], enrichment: [] }],
  },
  evidence: task.evidence.filter(one => one.field === field),
});

/**
 * Has an answer written and keeps the sentences that the cited records support. In the place of another stands what the
 * records that it cites say. When none is kept, the whole answer is composed from the records, with low confidence.
 * @param language checks what the backend did not check itself.
 * @param told receives each piece of the answer as soon as it is final. Joined, the pieces are the answer.
 * @param caveats sentences at the end of the answer.
 * @throws whatever the backend throws; ServiceError ask_busy, worker_stopped.
 */
export async function composed(
  { backend, language }: { readonly backend: Backend; readonly language: Language },
  task: Task,
  stage: Stage,
  told: (text: string) => void,
  caveats: readonly string[],
): Promise<Composed> {
  const { evidence } = task;
  const sentences: Sentence[] = [];
  const dropped: { text: string; reason: string }[] = [];
  const composedOf = new Set<string>();
  let length = 0;
  const tell = (text: string) => {
    told(length === 0 ? text : ` ${text}`);
    length++;
    return text;
  };
  const take = async ({ text, fields, fault }: Written): Promise<boolean> => {
    const found =
      fault === undefined ? await language.have(CHECK, { sentence: { text, fields }, evidence }, stage) : fault;
    if (found) dropped.push({ text, reason: reasonOf(found) });
    // What stands in the place of a dropped sentence is not said again.
    else if (!sentences.some(other => other.text === text && String(other.fields) === String(fields))) {
      sentences.push({ text, fields });
      tell(text);
    }
    return found === null;
  };
  /** Says what the records say of some fields, each once. */
  const compose = async (fields: readonly string[]) => {
    for (const field of fields) {
      if (composedOf.has(field) || !evidence.some(one => one.field === field)) continue;
      composedOf.add(field);
      const [first] = await language.have(WRITE, taskOf(task, field), stage);
      if (first && !first.fault) await take(first);
    }
  };
  let written = 0;
  if (evidence.length > 0)
    for await (const sentence of backend.write(task, stage)) {
      if (await take(sentence)) written++;
      else await compose(sentence.fields);
    }
  const unwritten = evidence.length > 0 && written === 0;
  if (unwritten) for (const sentence of await language.have(WRITE, task, stage)) await take(sentence);
  const cited = new Set(sentences.flatMap(sentence => sentence.fields));
  const used = evidence.filter(({ field, record }) => record.status === 'ok' && cited.has(field));
  const deciding = decidingOf(used, task.plan, sentences);
  const remarks = [...remarksOn(task), ...closingOf(task, deciding), ...caveats].map(tell);
  // An answer is never empty: the records themselves are in what is cited.
  if (sentences.length === 0 && remarks.length === 0) remarks.push(tell(tongueOf(task.question).unsaid));
  return {
    answer: [...sentences.map(({ text }) => text), ...remarks].join(' '),
    confidence: unwritten ? 'low' : confidenceOf(deciding, task, dropped.length),
    citations: [...citationsOf(used), ...quantilesOf(used, sentences)],
    fields_used: used.map(({ field }) => field),
    data_gaps: gapsOf(evidence),
    sentences,
    dropped,
  };
}
