import type { Confidence } from '../datasets/dataset.ts';
import type { Answer } from './answer.ts';

/** Answers on their way between threads: fifty objects of nine keys take longer to clone than to compute. */
export interface WrittenAnswers {
  readonly values: readonly Answer['value'][];
  /** Every text that is said, once. */
  readonly texts: readonly (string | null)[];
  /** WIDTH numbers an answer: codes, and places in `texts`. */
  readonly places: Uint16Array;
}

const STATUSES: readonly Answer['status'][] = ['ok', 'absent', 'failed'];
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];
/** Status, confidence, notes, source, source URL, vintage, moment, error and whether to try again. */
const WIDTH = 9;

/** Writes answers. @param names in order; readAnswers is given the same. */
export function writeAnswers(names: readonly string[], answers: Readonly<Record<string, Answer>>): WrittenAnswers {
  const texts: (string | null)[] = [null];
  const known = new Map<string | null, number>([[null, 0]]);
  const placeOf = (text: string | null): number => {
    let place = known.get(text);
    if (place === undefined) {
      place = texts.push(text) - 1;
      known.set(text, place);
    }
    return place;
  };
  const places = new Uint16Array(names.length * WIDTH);
  const values = names.map((name, i) => {
    const answer = answers[name]!;
    const at = i * WIDTH;
    places[at] = STATUSES.indexOf(answer.status);
    places[at + 1] = CONFIDENCES.indexOf(answer.confidence);
    places[at + 2] = placeOf(answer.notes);
    places[at + 3] = placeOf(answer.source);
    places[at + 4] = placeOf(answer.sourceUrl);
    places[at + 5] = placeOf(answer.vintage);
    places[at + 6] = placeOf(answer.fetchedAt);
    places[at + 7] = placeOf(answer.error ?? null);
    places[at + 8] = answer.retryable ? 1 : 0;
    return answer.value;
  });
  return { values, texts, places };
}

/** What writeAnswers wrote. @param names that it was written with. */
export function readAnswers(
  names: readonly string[],
  { values, texts, places }: WrittenAnswers,
): Record<string, Answer> {
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
      fetchedAt: texts[places[at + 6]!]!,
    };
    answers[name] =
      status === 'failed'
        ? { ...base, error: texts[places[at + 7]!] ?? 'failed', retryable: places[at + 8] === 1 }
        : base;
  }
  return answers;
}
