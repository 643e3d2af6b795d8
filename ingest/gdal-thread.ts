import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { GdalAnswer, GdalJob } from './gdal-job.ts';

const worker = new URL(import.meta.url.endsWith('.ts') ? './gdal-worker.ts' : './gdal-worker.js', import.meta.url);

/**
 * GDAL in WASM in a thread of its own, for one job after the other: the library patches globals, blocks while it works,
 * and its memory grows with the largest job and never shrinks. An idle thread keeps no process alive.
 */
export class GdalThread {
  readonly #idleMs: number;
  #pool: Piscina | null = null;
  /** Settles when the job given last is done. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param idleMs after how long without a job the thread ends and gives its memory back; Infinity for never. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** Does a job after those given before. A thread in which a job went wrong does no other. */
  run(job: GdalJob): Promise<GdalAnswer> {
    const answer = this.#turn.then(() => this.#do(job));
    this.#turn = answer;
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
      filename: fileURLToPath(worker),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: this.#idleMs,
      // From the sources, workers need the TypeScript loader too.
      execArgv: worker.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
    });
    let answer: GdalAnswer;
    try {
      answer = await this.#pool.run(job);
    } catch (error) {
      answer = { error: (error as Error).message || String(error) };
    }
    if ('error' in answer) await this.#end();
    return answer;
  }

  async #end(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }
}
