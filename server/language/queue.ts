import { FairQueue } from '../../query/engine/queue/fair-queue.ts';
import { ServiceError } from '../errors/registry.ts';
import { Lease } from '../lease/lease.ts';
import type { Language, LanguageTerms, LanguageWork } from './language.ts';

/** Milliseconds that a work goes on when nobody waits for it any more, before its thread is ended. Hardly any takes as long, and a thread takes longer to start. */
const GRACE_MS = 500;
/** The owner of what no account asked for. */
const NOBODY = '';

/** A work on its way to a thread. */
export interface Delivery {
  readonly name: string;
  readonly input: unknown;
}

/** What came of a work: its output, or the stack of an error, which is a fault of the program. */
export type Outcome = { readonly output: unknown } | { readonly error: string };

/** What does works in other threads, such as a pool of piscina. */
interface Pool {
  /** @param terms when the signal aborts, the thread is ended; what is transferred leaves this thread. */
  run(
    delivery: Delivery,
    terms: { readonly signal: AbortSignal; readonly transferList: ArrayBuffer[] },
  ): Promise<Outcome>;
}

interface Waiting {
  readonly owner: string;
  readonly delivery: Delivery;
  readonly transfer: readonly ArrayBuffer[];
  readonly signal: AbortSignal;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Works of accounts in turn, so many at once as there are threads; the others wait, or are refused when too many do. */
export class LanguageQueue implements Language {
  readonly #pool: Pool;
  readonly #atOnce: number;
  readonly #most: number;
  readonly #warn: (message: string) => void;
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;

  /** @param atOnce threads. @param most works that may wait. */
  constructor(pool: Pool, atOnce: number, most: number, warn: (message: string) => void) {
    this.#pool = pool;
    this.#atOnce = atOnce;
    this.#most = most;
    this.#warn = warn;
  }

  have<I, O>(
    { name }: LanguageWork<I, O>,
    input: I,
    { account = NOBODY, signal, transfer = [] }: LanguageTerms,
  ): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#waiting.size >= this.#most && !this.#makeRoom(account)) throw new ServiceError('ask_busy');
      const place = new Lease('line', () => {
        this.#waiting.remove(waiting);
        // Changes nothing for a work that is done.
        reject(signal.reason);
      });
      const ended =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          settle(value);
          place.release();
        };
      const waiting: Waiting = {
        owner: account,
        delivery: { name, input },
        transfer,
        signal,
        resolve: ended(resolve as (output: unknown) => void),
        reject: ended(reject),
      };
      this.#waiting.push(waiting);
      place.until(signal);
      this.#next();
    });
  }

  /** Refuses what came last of the owner who has most waiting, where that is not the one who asks. */
  #makeRoom(account: string): boolean {
    const last = this.#waiting.crowding(account);
    if (!last) return false;
    this.#waiting.remove(last);
    last.reject(new ServiceError('ask_busy'));
    return true;
  }

  #next(): void {
    while (this.#running < this.#atOnce) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      void this.#run(next).finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  async #run({ delivery, transfer, signal, resolve, reject }: Waiting): Promise<void> {
    const end = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const wanted = new Lease('signal', () => {
      timer = setTimeout(() => end.abort(), GRACE_MS);
    });
    wanted.until(signal);
    try {
      const outcome = await this.#pool.run(delivery, { signal: end.signal, transferList: [...transfer] });
      if ('output' in outcome) resolve(outcome.output);
      else reject(new Error(`The work ${delivery.name} failed: ${outcome.error}`));
    } catch (error) {
      if (!end.signal.aborted) this.#warn(`a language worker ended and is replaced: ${(error as Error).message}`);
      reject(new ServiceError('worker_stopped'));
    } finally {
      wanted.release();
      clearTimeout(timer);
    }
  }
}
