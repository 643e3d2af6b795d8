import { Piscina } from 'piscina';

/** How a thread is started: the file and arguments of threadFile, the megabytes of its heap, and what it knows from the start. */
interface Setup {
  readonly filename: string;
  readonly execArgv: string[];
  readonly heapMb: number;
  readonly workerData: unknown;
}

/** Milliseconds that a thread stays when nobody wants it. It takes a third of a second to start. */
const IDLE_MS = 60_000;

/** One thread, started when it is first wanted: the serving thread answers everybody. Its module does nothing for `null`. */
export class LazyThread<Task, Result> {
  readonly #setup: Setup;
  #pool: Piscina<Task | null, Result> | null = null;
  /** Settles when the thread has loaded its modules. */
  #loaded: Promise<unknown> = Promise.resolve();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** @throws Error when the thread ended. */
  run(task: Task): Promise<Result> {
    return this.#started().run(task);
  }

  /** Ends the thread when it is done; who wants it again starts another one. */
  async close(): Promise<void> {
    // Node ends the process when a thread is ended that still loads its modules (nodejs/node#60755).
    await this.#loaded;
    const pool = this.#pool;
    this.#pool = null;
    await pool?.close();
  }

  #started(): Piscina<Task | null, Result> {
    if (this.#pool) return this.#pool;
    const { heapMb, ...setup } = this.#setup;
    const pool = new Piscina<Task | null, Result>({
      ...setup,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      recordTiming: false,
    });
    // A thread that dies is replaced by the pool, and must not take the process with it.
    pool.on('error', () => {});
    this.#loaded = pool.run(null).catch(() => {});
    this.#pool = pool;
    return pool;
  }
}
