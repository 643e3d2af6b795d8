/** Milliseconds after company was seen for which it is thought to be there still. */
const COMPANY_MS = 20;

/** Milliseconds that this thread's event loop has waited for something to do. */
const loopWaited = (): number => performance.eventLoopUtilization().idle;

/**
 * Tells whether a request is all that a thread has to do, so that it may carry out a piece of work itself instead of
 * waking another thread for it.
 */
export class IdleThread {
  readonly #idle: () => boolean;
  readonly #cores: number;
  #arrivals = 0;
  #deciding = false;
  /** When company is forgotten, of `performance.now()`. */
  #companyUntil = 0;
  /** What loopWaited said when the work ended last, and for whom it was done. */
  #waitedAtEnd = -1;
  #lastCaller: object | undefined;

  /**
   * @param idle whether the other threads have nothing to do.
   * @param cores that this process has for itself. With less than two no thread runs beside this one, so that waking
   * another is lost time whoever waits.
   */
  constructor(idle: () => boolean, cores = 2) {
    this.#idle = idle;
    this.#cores = cores;
  }

  /** Said of every request, when it comes. */
  arrived(): void {
    this.#arrivals++;
  }

  /**
   * Waits for the requests that stand before the event loop already.
   * @param caller one object for all requests of one who waits for each answer before asking again.
   * @returns whether there are none, nor any that other threads work on; say `ended` once the work is done then.
   */
  async begins(caller?: object): Promise<boolean> {
    if (this.#cores < 2) return true;
    const now = performance.now();
    if (this.#deciding || !this.#idle()) return this.#inCompany(now);
    if (now < this.#companyUntil) return false;
    // Somebody else, who was there when the work before ended, was kept waiting by it.
    if (caller !== this.#lastCaller && loopWaited() === this.#waitedAtEnd) return this.#inCompany(now);
    const before = this.#arrivals;
    this.#deciding = true;
    await new Promise(resolve => setImmediate(resolve));
    this.#deciding = false;
    if (this.#arrivals !== before || !this.#idle()) return this.#inCompany(now);
    this.#lastCaller = caller;
    return true;
  }

  ended(): void {
    this.#waitedAtEnd = loopWaited();
  }

  #inCompany(now: number): false {
    this.#companyUntil = now + COMPANY_MS;
    return false;
  }
}
