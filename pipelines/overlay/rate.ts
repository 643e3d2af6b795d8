import { durationOf } from '../../query/release/overlay-progress.ts';

/** Counts finished work, and estimates the speed and the remaining time. */
export class Rate {
  readonly #total: number;
  readonly #started = performance.now();
  #skipped = 0;
  #added = 0;

  /** @param total parcels to be done. */
  constructor(total: number) {
    this.#total = total;
  }

  /** Counts parcels that an earlier run finished. */
  skip(count: number): void {
    this.#skipped += count;
  }

  add(count: number): void {
    this.#added += count;
  }

  get done(): number {
    return this.#skipped + this.#added;
  }

  /** Parcels a second since the beginning. */
  get perSecond(): number {
    return this.#added / Math.max(1e-3, (performance.now() - this.#started) / 1000);
  }

  /** Rate and remaining time, for people. */
  text(): string {
    const left = (this.#total - this.done) / Math.max(1e-9, this.perSecond);
    return `${Math.round(this.perSecond)} parcels/s, ${durationOf(left)} left`;
  }

  summary(): string {
    const taken = this.#skipped ? `, ${this.#skipped} taken over from a run that was stopped` : '';
    return `${Math.round(this.perSecond)} parcels/s${taken}`;
  }
}
