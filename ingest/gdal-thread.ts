import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { GdalAnswer, GdalJob } from './gdal-job.ts';

/** The thread ended before it took a job: the fault is of this installation, not of the file. */
export class GdalStopped extends Error {
  override readonly name = 'GdalStopped';
}

const worker = new URL(import.meta.url.endsWith('.ts') ? './gdal-worker.ts' : './gdal-worker.js', import.meta.url);

/**
 * GDAL in WASM in a thread of its own, for one job after the other: the library patches globals, blocks while it works,
 * and its memory grows with the largest job and never shrinks. An idle thread keeps no process alive.
 */
export class GdalThread {
  readonly #idleMs: number;
  readonly #filename: string;
  #pool: Piscina | null = null;
  /** Settles when the job given last is done. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param idleMs after how long without a job the thread ends and gives its memory back; Infinity for never.
   * @param filename of what the thread runs.
   */
  constructor(idleMs: number, filename = fileURLToPath(worker)) {
    this.#idleMs = idleMs;
    this.#filename = filename;
  }

  /**
   * Does a job after those given before. A thread in which a job went wrong does no other.
   * @throws GdalStopped when the thread cannot begin.
   */
  run(job: GdalJob): Promise<GdalAnswer> {
    const answer = this.#turn.then(() => this.#do(job));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** Ends the thread once its jobs are done; another job would start another. */
  close(): Promise<void> {
    const closed = this.#turn.then(() => this.#end());
    this.#turn = closed;
    return closed;
  }

  async #do(job: GdalJob): Promise<GdalAnswer> {
    this.#pool ??= new Piscina({
      filename: this.#filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: this.#idleMs,
      // From the sources, workers need the TypeScript loader too.
      execArgv: worker.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
      // A thread that breaks between two jobs is replaced for the next.
    }).on('error', () => {});
    const pool = this.#pool;
    // A job waits for a thread that is ready, so the pool says nothing of it when the thread ends before.
    const ended = Promise.withResolvers<never>();
    const fail = (why: string) =>
      ended.reject(new GdalStopped(`The thread of GDAL cannot begin: ${why}; install Plat's packages again`));
    const failed = (error: Error) => fail(error.message);
    // Emitted just before an error that says more.
    const gone = () => queueMicrotask(() => fail('it was stopped'));
    pool.on('error', failed).on('workerDestroy', gone);
    try {
      const answer: GdalAnswer = await Promise.race([pool.run(job), ended.promise]);
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
