import { Fault, Interrupted } from '../release/fault.ts';

/** Rows between two looks at the clock: some milliseconds. */
const STEP_ROWS = 32;

/** What comparing is done with. */
interface WorkTerms {
  /** Epoch milliseconds by which the page must be out; it ends before at the first place where it can. */
  readonly deadline: number;
  readonly softDeadline: number;
  /** Rows that are judged, after which it ends as well. */
  readonly rows: number;
  readonly stopped: () => boolean;
  /** Said between steps, which wait for what it returns. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/** The time was up. */
export class TimeUp extends Fault {
  constructor() {
    super('the time for this request was up', true);
  }
}

/** Bounds what one page does, and lets others between. */
export class Work {
  readonly #terms: WorkTerms;
  #steps = 0;
  #judged = 0;

  constructor(terms: WorkTerms) {
    this.#terms = terms;
  }

  /** Whether a page that got further than the one before should end. */
  get isDone(): boolean {
    return this.#judged > 0 && (this.#judged >= this.#terms.rows || Date.now() >= this.#terms.softDeadline);
  }

  /** Said of every row that is looked at. @returns whether `rest` must be waited for before it. */
  step(): boolean {
    return ++this.#steps % STEP_ROWS === 0;
  }

  /** Said of every row whose content is read. */
  judge(): void {
    this.#judged++;
  }

  /** @throws Interrupted when nobody waits for the answer, TimeUp. */
  check(): void {
    if (this.#terms.stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= this.#terms.deadline) throw new TimeUp();
  }

  /** Lets urgent work between. @throws as check does. */
  async rest(): Promise<void> {
    this.check();
    await this.#terms.pause?.();
  }
}
