import type { Confidence } from '../datasets/dataset.ts';
import type { Answer } from './answer.ts';
import type { Asked } from './asked.ts';
import { type Citation, cite, type Finding, saidOnce } from './finding.ts';

/** What was found for fields, in their order, and when: epoch milliseconds. */
export interface FoundFields {
  readonly findings: readonly Finding[];
  readonly moments: readonly number[];
}

/** Answers on their way between threads: fifty objects of nine keys take longer to clone than to compute. */
export interface WrittenAnswers {
  readonly values: readonly Answer['value'][];
  /** What is said; what several say of one source, once. */
  readonly texts: readonly (string | null)[];
  /** Every moment at which something was found, once. */
  readonly moments: readonly number[];
  /** WIDTH numbers an answer: codes, and places in `texts` and `moments`. */
  readonly places: Uint16Array;
}

const STATUSES: readonly Answer['status'][] = ['ok', 'absent', 'failed'];
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];
/** Status, confidence, notes, source, source URL, vintage, moment, error and whether to try again. */
const WIDTH = 9;

/** Places of what a citation says: source, URL and vintage. */
type CitedPlaces = readonly [number, number, number];

/** Writes the answers that toAnswer makes of findings, without making them. */
export function writeAnswers(asked: readonly Asked[], { findings, moments: found }: FoundFields): WrittenAnswers {
  const texts: (string | null)[] = [null];
  const placeOf = (text: string | null): number => (text === null ? 0 : texts.push(text) - 1);
  // Fields of one source mostly share the lists of what they cite and note: known by these lists, texts need no hashing.
  const noted = new Map<readonly string[], number>();
  const cited = new Map<readonly Citation[], CitedPlaces>();
  const notePlace = (notes: readonly string[]): number => {
    let place = noted.get(notes);
    if (place === undefined) {
      place = placeOf(saidOnce(notes));
      noted.set(notes, place);
    }
    return place;
  };
  const citedPlaces = (citations: readonly Citation[], dataset: Asked['dataset']): CitedPlaces => {
    const before = cited.get(citations);
    if (before) return before;
    const { source, sourceUrl, vintage } = cite(citations, dataset);
    const places: CitedPlaces = [placeOf(source), placeOf(sourceUrl), placeOf(vintage)];
    // Where nothing is named the dataset is, and that is the field's own.
    if (citations[0]?.source) cited.set(citations, places);
    return places;
  };
  const moments: number[] = [];
  const places = new Uint16Array(asked.length * WIDTH);
  const values = asked.map(({ dataset }, i) => {
    const { status, value, confidence, citations, notes, error, retryable } = findings[i]!;
    const at = i * WIDTH;
    const [source, url, vintage] = citedPlaces(citations, dataset);
    if (moments[moments.length - 1] !== found[i]) moments.push(found[i]!);
    places[at] = STATUSES.indexOf(status);
    places[at + 1] = CONFIDENCES.indexOf(confidence);
    places[at + 2] = notes.length ? notePlace(notes) : 0;
    places[at + 3] = source;
    places[at + 4] = url;
    places[at + 5] = vintage;
    places[at + 6] = moments.length - 1;
    places[at + 7] = placeOf(error ?? null);
    places[at + 8] = retryable ? 1 : 0;
    return status === 'ok' ? value : null;
  });
  return { values, texts, moments, places };
}

/** What writeAnswers wrote. @param names of the fields that it was written of. */
export function readAnswers(
  names: readonly string[],
  { values, texts, moments, places }: WrittenAnswers,
): Record<string, Answer> {
  const times = moments.map(moment => new Date(moment).toISOString());
  const answers: Record<string, Answer> = {};
  for (const [i, name] of names.entries()) {
    const at = i * WIDTH;
    const status = STATUSES[places[at]!]!;
    const base: Answer = {
      status,
      value: values[i]!,
      notes: texts[places[at + 2]!]!,
      confidence: CONFIDENCES[places[at + 1]!]!,
      source: texts[places[at + 3]!]!,
      sourceUrl: texts[places[at + 4]!]!,
      vintage: texts[places[at + 5]!]!,
      fetchedAt: times[places[at + 6]!]!,
    };
    answers[name] =
      status === 'failed'
        ? { ...base, error: texts[places[at + 7]!] ?? 'failed', retryable: places[at + 8] === 1 }
        : base;
  }
  return answers;
}
