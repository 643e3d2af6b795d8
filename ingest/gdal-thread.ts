import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { CrsAnswer, CrsQuestion, GdalAnswer, GdalJob } from './gdal-job.ts';

/** The thread ended before it took a job. The installation is at fault, not the file. */
export class GdalStopped extends Error {
  override readonly name = 'GdalStopped';
}

const worker = new URL(import.meta.url.endsWith('.ts') ? './gdal-worker.ts' : './gdal-worker.js', import.meta.url);

/**
 * Runs GDAL in WASM in a thread of its own, one job after the other. The library patches globals and blocks while it works. Its
 * memory grows with the largest job and never shrinks. An idle thread keeps no process alive.
 */
export class GdalThread {
  readonly #idleMs: number;
  readonly #filename: string;
  readonly #env: NodeJS.ProcessEnv;
  #pool: Piscina | null = null;
  /** Settles when the last job is done. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param idleMs milliseconds without a job after which the thread ends and frees its memory; Infinity for never.
   * @param filename of the module that the thread runs. @param env what PROJ reads of its environment, and nothing else.
   */
  constructor(idleMs: number, filename = fileURLToPath(worker), env: NodeJS.ProcessEnv = {}) {
    this.#idleMs = idleMs;
    this.#filename = filename;
    this.#env = env;
  }

  /**
   * Does a job after the earlier ones and returns its answer. A thread in which a job failed is replaced.
   * @throws GdalStopped when the thread cannot begin.
   */
  run(job: CrsQuestion): Promise<CrsAnswer | { readonly error: string }>;
  run(job: GdalJob): Promise<GdalAnswer>;
  run(job: GdalJob | CrsQuestion): Promise<GdalAnswer | CrsAnswer> {
    const answer = this.#turn.then(() => this.#do(job));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** Ends the thread when its jobs are done. A later job starts a new thread. */
  close(): Promise<void> {
    const closed = this.#turn.then(() => this.#end());
    this.#turn = closed;
    return closed;
  }

  async #do(job: GdalJob | CrsQuestion): Promise<GdalAnswer | CrsAnswer> {
    this.#pool ??= new Piscina({
      filename: this.#filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: this.#idleMs,
      workerData: this.#env,
      // From the sources, workers need the TypeScript loader too.
      execArgv: worker.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
      // A thread that ends between two jobs is replaced for the next one.
    }).on('error', () => {});
    const pool = this.#pool;
    // A job waits until a thread is ready, so the pool does not report a thread that ends earlier.
    const ended = Promise.withResolvers<never>();
    const fail = (why: string) =>
      ended.reject(new GdalStopped(`The thread of GDAL cannot begin: ${why}; install Plat's packages again`));
    const failed = (error: Error) => fail(error.message);
    // This event comes just before an error with more detail.
    const gone = () => queueMicrotask(() => fail('it was stopped'));
    pool.on('error', failed).on('workerDestroy', gone);
    try {
      const answer: GdalAnswer | CrsAnswer = await Promise.race([pool.run(job), ended.promise]);
      if ('error' in answer) await this.#end();
      return answer;
    } catch (error) {
      await this.#end();
      if (error instanceof GdalStopped) throw error;
      return { error: (error as Error).message || String(error) };
    } finally {
      pool.off('error', failed).off('workerDestroy', gone);
    }
  }

  async #end(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }
}
