import { correctionsPath } from '../../release/corrections/correction-list.ts';
import { fileMark } from '../../release/home/home-list.ts';
import { withheldPath } from '../../release/withheld/withheld-list.ts';

/** Milliseconds after which every thread answers by the lists of now: more than a look at one of them holds. */
const HEEDED_MS = 500;

/**
 * Tells whether all threads answer by the same lists of what is withheld and corrected. Each thread looks at them at times of its own:
 * for a moment after a change, the thread that names a version and the one that answers may know different ones.
 */
export class ListMarks {
  readonly #paths: readonly string[];
  #last: string;
  #since = Number.NEGATIVE_INFINITY;

  constructor(home: string) {
    this.#paths = [withheldPath(home), correctionsPath(home)];
    this.#last = this.#read();
  }

  #read(): string {
    return this.#paths.map(fileMark).join(' ');
  }

  /** The mark of the lists, never the same after a change; null where a thread may still answer by those before. @throws as statSync. */
  now(): string | null {
    const mark = this.#read();
    if (mark !== this.#last) [this.#last, this.#since] = [mark, performance.now()];
    return performance.now() - this.#since < HEEDED_MS ? null : mark;
  }
}
