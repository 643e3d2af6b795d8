import type { Point } from '../evaluate/answer.ts';
import { distance } from '../geometry/geodesic.ts';
import type { MaybePromise } from '../release/maybe-promise.ts';

/** What can be suggested. */
export const SUGGESTION_KINDS = ['address', 'parcel', 'owner', 'street', 'place'] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

/** Something that a text may mean; plain data, because it crosses threads. Coordinates WGS84 degrees. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  readonly text: string;
  readonly lng: number;
  readonly lat: number;
  /** As parcelId makes it; null where no one parcel is meant. */
  readonly parcelId: string | null;
  readonly source: string;
}

/** How well a name fits: it is the text, it begins with it, or it begins with it but for one typing error. */
export const GRADE = { whole: 0, beginning: 1, near: 2 } as const;
export type Grade = (typeof GRADE)[keyof typeof GRADE];

/** A name that fits, before what it names is read. */
export interface Candidate {
  readonly grade: Grade;
  readonly lng: number;
  readonly lat: number;
  /** Decides where grade and distance do not. */
  readonly name: string;
  /** Reads what it names; null where that may not be shown after all. */
  readonly read: () => MaybePromise<Suggestion | null>;
}

interface Ranked {
  readonly candidate: Candidate;
  readonly metres: number;
}

const METRES_A_DEGREE = 111_195;

const order = (a: Ranked, b: Ranked): number =>
  a.candidate.grade - b.candidate.grade ||
  a.metres - b.metres ||
  (a.candidate.name < b.candidate.name ? -1 : Number(a.candidate.name > b.candidate.name));

/**
 * The best candidates for a text: by grade, then by distance from a point, without a point by the alphabet. Names that are
 * shared by thousands pass through it, so that distances are those on a plane until few are left.
 */
export class Shortlist {
  readonly #point: Point | null;
  readonly #size: number;
  readonly #across: number;
  #best: Ranked[] = [];
  /** What the last of a full list has; a candidate behind it need not be made. */
  #last: { readonly grade: Grade; readonly metres: number } | null = null;

  /** @param size candidates that are kept. */
  constructor(point: Point | null, size: number) {
    this.#point = point;
    this.#size = size;
    this.#across = point ? Math.cos((point.lat * Math.PI) / 180) : 1;
  }

  /** How many names in the order of the alphabet can be among the best: all where their distance decides. */
  get most(): number {
    return this.#point ? Number.POSITIVE_INFINITY : this.#size;
  }

  /** Metres from the point, about; 0 without one. */
  metresTo(lng: number, lat: number): number {
    if (!this.#point) return 0;
    return METRES_A_DEGREE * Math.hypot(lat - this.#point.lat, (lng - this.#point.lng) * this.#across);
  }

  /** Whether a candidate of that grade and distance may be among the best. */
  admits(grade: Grade, metres: number): boolean {
    const last = this.#last;
    return !last || grade < last.grade || (grade === last.grade && metres <= last.metres);
  }

  add(candidate: Candidate): void {
    const metres = this.metresTo(candidate.lng, candidate.lat);
    if (!this.admits(candidate.grade, metres)) return;
    this.#best.push({ candidate, metres });
    if (this.#best.length < 4 * this.#size) return;
    this.#shorten();
    const { candidate: last, metres: far } = this.#best.at(-1)!;
    this.#last = { grade: last.grade, metres: far };
  }

  #shorten(): void {
    this.#best = this.#best.sort(order).slice(0, this.#size);
  }

  /**
   * Reads the best: each parcel once, and of what else is called alike the nearest.
   * @param most suggestions. @param besides those that are there already.
   * @returns those with new ones behind them; of one grade the nearest first, in geodesic metres.
   */
  async read(most: number, besides: readonly Suggestion[] = []): Promise<Suggestion[]> {
    this.#shorten();
    const point = this.#point;
    const metres = ({ lng, lat }: Candidate) => (point ? distance(point.lng, point.lat, lng, lat) : 0);
    const best = this.#best.map(({ candidate }) => ({ candidate, metres: metres(candidate) })).sort(order);
    const found = [...besides];
    const keyOf = ({ kind, text, parcelId }: Suggestion) => `${kind} ${kind === 'parcel' ? parcelId : text}`;
    const seen = new Set(found.map(keyOf));
    for (const { candidate } of best) {
      if (found.length >= most) break;
      const suggestion = await candidate.read();
      if (!suggestion || seen.has(keyOf(suggestion))) continue;
      seen.add(keyOf(suggestion));
      found.push(suggestion);
    }
    return found;
  }
}
