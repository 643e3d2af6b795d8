import { AsyncLocalStorage } from 'node:async_hooks';
import { outageOf } from './cause.ts';
import { StateUnavailable } from './unavailable.ts';

/** Milliseconds after which the database counts as gone, when statements wait and none has finished. */
const STALL_MS = 1_400;
const LOOK_MS = 100;
/** When the check itself is this late, the thread was busy, and answers may have arrived that were not read yet. */
const LATE_MS = 400;
/** Milliseconds that one piece of work may take while others make progress. */
export const LONGEST_MS = 8_000;
/** Milliseconds between tries during an outage, and for which a readiness check stays valid. */
const TRY_MS = 1_000;
const SAY_MS = 60_000;

/** Is told what an operator must know. */
export interface OutageLog {
  error(detail: object, message: string): void;
  warn(detail: object, message: string): void;
}

/** A piece of work on the store: one call of it, seen from outside. */
interface Work {
  readonly since: number;
  readonly refuse: (error: StateUnavailable) => void;
  abandoned: boolean;
}

const current = new AsyncLocalStorage<Work>();

/**
 * Must be called before each statement.
 * @throws StateUnavailable when its work was refused meanwhile and must not take effect any more.
 */
export function requireWanted(): void {
  if (current.getStore()?.abandoned)
    throw new StateUnavailable(new Error('The work was given up: the state store had not answered in time'));
}

/** The health of the state store. */
export interface StateHealth {
  /** Whether work is refused at once. */
  readonly failing: boolean;
  /** Number of outages since the start. */
  readonly outages: number;
  /** Whether a write takes effect now. The store is asked at most once a second. */
  check(): Promise<boolean>;
}

/**
 * Watches the work on a store. It refuses work that takes too long, tells outages from faults of the program, refuses
 * everything at once during an outage, and tries a write each second until the outage ends. Times are those of
 * `performance.now()`, which a change of the clock does not affect.
 */
export class Watch implements StateHealth {
  readonly #log: OutageLog;
  readonly #running = new Set<Work>();
  readonly #look: NodeJS.Timeout;
  #progress = 0;
  #looked = performance.now();
  #cause: unknown = null;
  #failingSince: number | null = null;
  #said = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #try: NodeJS.Timeout | undefined;
  #checked: { readonly at: number; readonly good: Promise<boolean> } | null = null;
  #closed = false;
  outages = 0;
  /** One small write that is not watched. Whoever opens the store sets it. */
  probe: () => Promise<void> = async () => {};
  /** Ends all waiting statements, so that the database is free after the outage. */
  cut: () => void = () => {};

  constructor(log: OutageLog) {
    this.#log = log;
    this.#look = setInterval(() => this.#lookAround(), LOOK_MS).unref();
  }

  get failing(): boolean {
    return this.#failingSince !== null;
  }

  /** Reports that a statement has finished. */
  progress(): void {
    this.#progress = performance.now();
  }

  /** Runs work. @throws StateUnavailable during an outage or when one begins; whatever else the work throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.failing) {
      this.#refused++;
      throw new StateUnavailable(this.#cause);
    }
    try {
      return await this.#limited(work);
    } catch (error) {
      const outage = error instanceof StateUnavailable ? null : outageOf(error);
      if (outage === null) throw error;
      if (outage === 'store') this.#fail(error);
      throw new StateUnavailable(error);
    }
  }

  async check(): Promise<boolean> {
    if (this.failing) return false;
    const now = performance.now();
    if (!this.#checked || now - this.#checked.at >= TRY_MS)
      this.#checked = {
        at: now,
        good: this.run(this.probe).then(
          () => true,
          () => false,
        ),
      };
    return this.#checked.good;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#look);
    clearTimeout(this.#try);
  }

  #limited<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const entry: Work = { since: performance.now(), refuse: reject, abandoned: false };
    this.#running.add(entry);
    const end = () => this.#running.delete(entry);
    current.run(entry, work).then(
      value => {
        end();
        resolve(value);
      },
      error => {
        end();
        reject(error);
      },
    );
    return promise;
  }

  #lookAround(): void {
    const now = performance.now();
    const late = now - this.#looked > LATE_MS;
    this.#looked = now;
    if (late) this.#progress = now;
    for (const work of this.#running) {
      if (now - Math.max(work.since, this.#progress) >= STALL_MS) {
        this.#fail(new Error(`The database has not answered for ${STALL_MS} ms`));
        return;
      }
      if (now - work.since < LONGEST_MS) continue;
      this.#abandon(work, new Error(`The work on the state store has taken ${LONGEST_MS} ms`));
    }
  }

  #abandon(work: Work, cause: unknown): void {
    work.abandoned = true;
    this.#running.delete(work);
    work.refuse(new StateUnavailable(cause));
  }

  #fail(cause: unknown): void {
    this.#cause = cause;
    this.#refused += Math.max(1, this.#running.size);
    for (const work of this.#running) this.#abandon(work, cause);
    this.cut();
    const now = performance.now();
    if (this.#failingSince === null) {
      this.#failingSince = now;
      this.outages++;
      // At once for the first time: often only one connection broke.
      this.#tryAgain(0);
    }
    if (now - this.#said < SAY_MS) return;
    this.#said = now;
    this.#log.error({ err: cause, refused: this.#refused }, 'the state store does not answer');
    this.#refused = 0;
  }

  #tryAgain(ms: number): void {
    if (this.#closed) return;
    this.#try = setTimeout(() => {
      this.#limited(this.probe).then(
        () => this.#recover(),
        error => {
          this.#fail(error instanceof StateUnavailable ? error.cause : error);
          this.#tryAgain(TRY_MS);
        },
      );
    }, ms).unref();
  }

  #recover(): void {
    const ms = Math.round(performance.now() - this.#failingSince!);
    this.#failingSince = null;
    this.#checked = null;
    this.#log.warn({ ms }, 'the state store answers again');
  }
}
