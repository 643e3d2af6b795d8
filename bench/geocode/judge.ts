import type { AddressMatch } from '../../query/geocode/match.ts';
import { distance } from '../../query/geometry/geodesic.ts';
import { percentile } from '../report.ts';
import type { Truth } from './truth.ts';
import type { Variant } from './variant.ts';

/** Least similarity that is answered with (part of the interface of POST /v1/geocode). */
const ANSWERED = 0.8;
/** Metres from the nearest true position beyond which an answer is of another place: the depth of a large lot, or a block or two. */
const FAR_M = { rooftop: 200, estimate: 600 } as const;
const PARCEL_GRADE: readonly string[] = ['rooftop', 'nearest_rooftop_match', 'point'];
const COARSE: readonly string[] = ['place', 'county', 'state'];

export interface Judged {
  readonly place: string;
  readonly variant: Variant;
  readonly truth: Truth;
  /** `several`: more than one place was returned, the true one among them, so that nobody is sent to the wrong one. */
  readonly verdict: 'right' | 'several' | 'refused' | 'wrong';
  readonly best: AddressMatch | null;
  readonly metres: number | null;
}

/** Geodesic metres from an answer to the nearest true position. */
export const metresTo = (match: AddressMatch, truths: readonly Truth[]): number =>
  Math.min(...truths.flatMap(t => t.at.map(([lng, lat]) => distance(lng!, lat!, match.lng, match.lat))));

/**
 * Compares an answer with the truth.
 * @param ofStreet the other known addresses of the street: where a number that is not known must lie among.
 */
export function judge(
  place: string,
  variant: Variant,
  truth: Truth,
  ofStreet: readonly Truth[],
  matches: readonly AddressMatch[],
): Judged {
  const answered = matches.filter(m => m.similarity >= ANSWERED && !COARSE.includes(m.accuracyType));
  const [best = null] = answered;
  const made = (verdict: Judged['verdict'], metres: number | null = null): Judged => ({
    place,
    variant,
    truth,
    verdict,
    best,
    metres,
  });
  if (!best) return made(variant.expected === 'the address' ? 'refused' : 'right');
  if (variant.expected === 'nothing') return made('wrong');
  const far = (m: AddressMatch) => (PARCEL_GRADE.includes(m.accuracyType) ? FAR_M.rooftop : FAR_M.estimate);
  if (variant.expected === 'no rooftop') {
    if (best.accuracyType === 'rooftop') return made('wrong');
    return made(metresTo(best, ofStreet) <= FAR_M.estimate ? 'right' : 'wrong');
  }
  const metres = metresTo(best, [truth]);
  const holds = answered.some(m => metresTo(m, [truth]) <= far(m));
  if (!holds) return made('wrong', metres);
  return made(answered.length > 1 ? 'several' : 'right', metres);
}

const share = (part: number, whole: number) => (whole ? (100 * part) / whole : 0);
const BUCKETS = [0.8, 0.85, 0.9, 0.95, 1] as const;

/** Counts over judged variants. */
export class Tally {
  readonly #judged: readonly Judged[];
  constructor(judged: readonly Judged[]) {
    this.#judged = judged;
  }

  rows(): { name: string; unit: string; value: number }[] {
    const rows: { name: string; unit: string; value: number }[] = [];
    const put = (name: string, unit: string, value: number) => rows.push({ name, unit, value });
    const places = Map.groupBy(this.#judged, j => j.place);
    for (const [place, ofPlace] of [...places, ['all', this.#judged] as const]) {
      for (const [group, list] of Map.groupBy(ofPlace, j => j.variant.group)) {
        const of = (verdict: Judged['verdict']) => share(list.filter(j => j.verdict === verdict).length, list.length);
        put(`${place}, ${group}: right of ${list.length}`, '%', of('right'));
        if (of('several') > 0) put(`${place}, ${group}: several places, the right one among them`, '%', of('several'));
        put(`${place}, ${group}: wrong place`, '%', of('wrong'));
      }
      put(
        `${place}: wrong place of ${ofPlace.length}`,
        '%',
        share(ofPlace.filter(j => j.verdict === 'wrong').length, ofPlace.length),
      );
      for (const [grade, list] of Map.groupBy(
        ofPlace.filter(j => j.metres !== null),
        j => j.best!.accuracyType,
      )) {
        const metres = list.map(j => j.metres!);
        put(`${place}, ${grade}: error p50 of ${list.length}`, 'm', percentile(metres, 50));
        put(`${place}, ${grade}: error p95`, 'm', percentile(metres, 95));
      }
      // What a similarity is worth: of the answers in each bucket, how many are the right place.
      for (const [i, from] of BUCKETS.entries()) {
        const to = BUCKETS[i + 1] ?? 1.001;
        const list = ofPlace.filter(
          j => j.best && j.best.similarity >= from && j.best.similarity < to && j.variant.expected !== 'no rooftop',
        );
        const right = list.filter(j => j.verdict === 'right' || j.verdict === 'several').length;
        if (list.length)
          put(
            `${place}, similarity ${to > 1 ? 'of 1' : `${from.toFixed(2)} to below ${to.toFixed(2)}`}: correct of ${list.length}`,
            '%',
            share(right, list.length),
          );
      }
    }
    return rows;
  }
}
