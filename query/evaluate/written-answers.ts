import type { Confidence } from '../../datasets/dataset.ts';
import type { Release } from '../release/open-release.ts';
import type { Answer } from './answer.ts';
import { type Citation, cite, type Finding, ownerOf, saidOnce } from './finding.ts';
import { PartitionNumbers } from './partition-numbers.ts';
import type { RequestedField } from './requested-fields.ts';

/** What was found for fields, in their order, and when: epoch milliseconds. */
export interface FoundFields {
  readonly findings: readonly Finding[];
  readonly moments: readonly number[];
}

/** Answers on their way between threads: fifty objects of nine keys take longer to clone than to compute. */
export interface WrittenAnswers {
  readonly values: readonly Answer['value'][];
  /** What is said beside what partitions say; what several say of one source, once. */
  readonly texts: readonly (string | null)[];
  /** Every moment at which something was found, once. */
  readonly moments: readonly number[];
  /** WIDTH numbers an answer: codes, numbers of partitions, and places in `texts` and `moments`. */
  readonly places: Int32Array;
}

const STATUSES: readonly Answer['status'][] = ['ok', 'absent', 'failed'];
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];
/** Status, confidence, notes, citation, moment, error and whether to try again. */
const WIDTH = 7;
/** Notes and citations are numbers of partitions from 0 on; below that, places in `texts` from this down. */
const NONE = -1;

/**
 * Writes the answers that toAnswer makes of findings, without making them.
 * @param release that was asked; null where there was none.
 */
export function writeAnswers(
  requested: readonly RequestedField[],
  { findings, moments: found }: FoundFields,
  release: Release | null,
): WrittenAnswers {
  const numbers = release && PartitionNumbers.of(release);
  const texts: (string | null)[] = [null];
  // Fields of one source mostly share the lists of what they cite and note: known by these lists, texts need no hashing.
  const placeOf = new Map<readonly string[] | readonly Citation[], number>();
  const ownerNumber = (list: readonly string[] | readonly Citation[]): number | undefined => {
    const owner = numbers && ownerOf(list);
    return owner ? numbers.numberOf(owner) : undefined;
  };
  const noted = (notes: readonly string[]): number => ownerNumber(notes) ?? NONE - texts.push(saidOnce(notes)) + 1;
  const citing = (citations: readonly Citation[], dataset: RequestedField['dataset']): number => {
    // Where nothing is named the dataset is, and that is the field's own.
    const number = citations[0]?.source ? ownerNumber(citations) : undefined;
    if (number !== undefined) return number;
    const { source, sourceUrl, vintage } = cite(citations, dataset);
    return NONE - texts.push(source, sourceUrl, vintage) + 3;
  };
  const moments: number[] = [];
  const places = new Int32Array(requested.length * WIDTH);
  const values = requested.map(({ dataset }, i) => {
    const { status, value, confidence, citations, notes, error, retryable } = findings[i]!;
    let note: number | undefined = NONE;
    if (notes.length) {
      note = placeOf.get(notes);
      if (note === undefined) {
        note = noted(notes);
        placeOf.set(notes, note);
      }
    }
    let cited = placeOf.get(citations);
    if (cited === undefined) {
      cited = citing(citations, dataset);
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
 * @param release that it was written for, opened by this thread.
 */
export function readAnswers(
  names: readonly string[],
  { values, texts, moments, places }: WrittenAnswers,
  release: Release | null,
): Record<string, Answer> {
  const numbers = release && PartitionNumbers.of(release);
  const times = moments.map(moment => new Date(moment).toISOString());
  const answers: Record<string, Answer> = {};
  for (const [i, name] of names.entries()) {
    const at = i * WIDTH;
    const status = STATUSES[places[at]!]!;
    const [note, cited] = [places[at + 2]!, places[at + 3]!];
    const said = cited >= 0 ? numbers!.says(cited) : null;
    const base: Answer = {
      status,
      value: values[i]!,
      notes: note >= 0 ? numbers!.says(note).note : texts[NONE - note]!,
      confidence: CONFIDENCES[places[at + 1]!]!,
      source: said ? said.source : texts[NONE - cited]!,
      sourceUrl: said ? said.sourceUrl : texts[NONE - cited + 1]!,
      vintage: said ? said.vintage : texts[NONE - cited + 2]!,
      fetchedAt: times[places[at + 4]!]!,
    };
    answers[name] =
      status === 'failed'
        ? { ...base, error: texts[places[at + 5]!] ?? 'failed', retryable: places[at + 6] === 1 }
        : base;
  }
  return answers;
}
