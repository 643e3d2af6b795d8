/**
 * Tells whether a request is all that a thread has to do, so that it may carry out a piece of work itself instead of
 * waking another thread for it.
 */
export class IdleThread {
  readonly #idle: () => boolean;
  readonly #cores: number;
  #arrivals = 0;
  #deciding = false;

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

  /** Whether no request stands before the event loop beside the one that asks, nor is one that other threads work on. */
  async isAlone(): Promise<boolean> {
    if (this.#cores < 2) return true;
    if (this.#deciding || !this.#idle()) return false;
    const before = this.#arrivals;
    this.#deciding = true;
    await new Promise(resolve => setImmediate(resolve));
    this.#deciding = false;
    return this.#arrivals === before && this.#idle();
  }
}
