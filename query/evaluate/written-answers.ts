import type { Confidence } from '../../datasets/dataset.ts';
import type { Answer } from './answer.ts';
import { type Citation, cite, type Finding, saidOnce } from './finding.ts';
import type { RequestedField } from './requested-fields.ts';

/** What was found for fields, in their order, and when: epoch milliseconds. */
export interface FoundFields {
  readonly findings: readonly Finding[];
  readonly moments: readonly number[];
}

/** Answers on their way between threads: fifty objects of nine keys take longer to clone than to compute. */
export interface WrittenAnswers {
  readonly values: readonly Answer['value'][];
  /** What is said: what several say of one source, once. */
  readonly texts: readonly (string | null)[];
  /** Every moment at which something was found, once. */
  readonly moments: readonly number[];
  /** WIDTH numbers an answer: codes, and places in `texts` and `moments`. */
  readonly places: Int32Array;
}

const STATUSES: readonly Answer['status'][] = ['ok', 'absent', 'failed'];
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];
/** Status, confidence, notes, citation, moment, error and whether to try again. */
const WIDTH = 7;

/** Writes the answers that toAnswer makes of findings, without making them. */
export function writeAnswers(
  requested: readonly RequestedField[],
  { findings, moments: found }: FoundFields,
): WrittenAnswers {
  const texts: (string | null)[] = [null];
  // Fields of one source mostly share the lists of what they cite and note: known by these lists, texts need no hashing.
  const placeOf = new Map<readonly string[] | readonly Citation[], number>();
  const moments: number[] = [];
  const places = new Int32Array(requested.length * WIDTH);
  const values = requested.map(({ dataset }, i) => {
    const { status, value, confidence, citations, notes, error, retryable } = findings[i]!;
    let note = notes.length ? placeOf.get(notes) : 0;
    if (note === undefined) {
      note = texts.push(saidOnce(notes)) - 1;
      placeOf.set(notes, note);
    }
    let cited = placeOf.get(citations);
    if (cited === undefined) {
      const { source, sourceUrl, vintage } = cite(citations, dataset);
      cited = texts.push(source, sourceUrl, vintage) - 3;
      // Where nothing is named the dataset is, and that is the field's own.
      if (citations[0]?.source) placeOf.set(citations, cited);
    }
    if (moments[moments.length - 1] !== found[i]) moments.push(found[i]!);
    const at = i * WIDTH;
    places[at] = STATUSES.indexOf(status);
    places[at + 1] = CONFIDENCES.indexOf(confidence);
    places[at + 2] = note;
    places[at + 3] = cited;
    places[at + 4] = moments.length - 1;
    places[at + 5] = error === undefined ? 0 : texts.push(error) - 1;
    places[at + 6] = retryable ? 1 : 0;
    return status === 'ok' ? value : null;
  });
  return { values, texts, moments, places };
}

/**
 * What writeAnswers wrote.
 * @param names of the fields that it was written of.
 */
export function readAnswers(
  names: readonly string[],
  { values, texts, moments, places }: WrittenAnswers,
): Record<string, Answer> {
  const times = moments.map(moment => new Date(moment).toISOString());
  const answers: Record<string, Answer> = {};
  for (const [i, name] of names.entries()) {
    const at = i * WIDTH;
    const status = STATUSES[places[at]!]!;
    const cited = places[at + 3]!;
    const base: Answer = {
      status,
      value: values[i]!,
      notes: texts[places[at + 2]!]!,
      confidence: CONFIDENCES[places[at + 1]!]!,
      source: texts[cited]!,
      sourceUrl: texts[cited + 1]!,
      vintage: texts[cited + 2]!,
      fetchedAt: times[places[at + 4]!]!,
    };
    answers[name] =
      status === 'failed'
        ? { ...base, error: texts[places[at + 5]!] ?? 'failed', retryable: places[at + 6] === 1 }
        : base;
  }
  return answers;
}
