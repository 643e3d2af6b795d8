import type { Store } from '../../query/release/home/store.ts';
import type { Progress } from '../progress.ts';
import { adopt } from '../steps/job.ts';
import type { CountyJob, LayerJob, LayerResult } from '../steps/layer-job.ts';
import type { Builders } from '../steps/workforce.ts';
import { jobKey } from './job-key.ts';
import type { Ledger, Output } from './ledger.ts';

/** The results of all jobs of a run, in order, and which of them were built now. */
interface Built {
  readonly outputs: readonly Output[];
  readonly keys: ReadonlySet<string>;
  readonly reused: number;
}

interface BuildOptions {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly workforce: Builders;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
  readonly now: Date;
  /** False: builds everything, whatever the ledger holds. */
  readonly reuse: boolean;
  /** Instead of the version of this code. */
  readonly code?: string | undefined;
  /** Asked when a job fails. True: the others go on, and the job has no result. */
  readonly spare?: (job: LayerJob | CountyJob, error: unknown) => boolean;
  /** What is built ahead of its turn. */
  readonly ahead?: Ahead | undefined;
}

/** Jobs that are built ahead of their turn, by their keys. A promise resolves when the result is in the ledger, or with why there is none. */
export type Ahead = Map<string, Promise<{ readonly error: unknown } | null>>;

/**
 * Builds the jobs that the ledger does not hold, and returns the results of all. Each result goes into the store and the ledger
 * as soon as it is built, so that after a kill it need not be built again.
 */
export async function build(jobs: readonly (LayerJob | CountyJob)[], options: BuildOptions): Promise<Built> {
  const { ledger, workforce, progress, signal, reuse, code, spare, ahead } = options;
  const keys: string[] = [];
  const outputs: (Output | null)[] = [];
  const failures = new Map<number, unknown>();
  let early = 0;
  for (const [i, job] of jobs.entries()) {
    const key = await jobKey(job, ledger, code);
    keys.push(key);
    const end = ahead?.get(key);
    const failure = await end;
    if (failure) failures.set(i, failure.error);
    const isEarly = end !== undefined && !failure;
    outputs.push(!failure && (reuse || isEarly) ? await ledger.get(key) : null);
    if (isEarly && outputs[i]) early++;
  }
  for (const [i, error] of failures) if (!spare?.(jobs[i]!, error)) throw error;
  const wanted = jobs.flatMap((job, i) => (outputs[i] || failures.has(i) ? [] : [{ job, i }]));
  const started = performance.now();
  await workforce.build(
    wanted.map(({ job }) => job),
    progress,
    signal,
    async (result, at) => {
      const { job, i } = wanted[at]!;
      outputs[i] = await stored(result, job, keys[i]!, performance.now() - started, options);
    },
    spare,
  );
  const reused = jobs.length - wanted.length - failures.size - early;
  return { outputs: outputs as Output[], keys: new Set(keys), reused };
}

/** Moves what a job staged into the store, and notes it in the ledger. */
async function stored(
  result: LayerResult,
  job: LayerJob | CountyJob,
  key: string,
  tookMs: number,
  { store, ledger, now, code }: Pick<BuildOptions, 'store' | 'ledger' | 'now' | 'code'>,
): Promise<Output> {
  const { counts, examples, samples } = result;
  const output: Output = { contribution: await adopt(store, result, job, now), counts, examples, samples };
  // If a file was replaced while it was read, the key no longer describes the input.
  if ((await jobKey(job, ledger, code)) === key) ledger.put(key, output, tookMs, now);
  return output;
}

/**
 * Begins to build jobs that `build` will ask for later, and notes them in `ahead`: with workers on other machines, so that they have
 * something to do while one place waits for its last layer. A key that is being built is not begun again.
 * @returns when all have ended. It never throws: what fails is told to whoever asks for it.
 */
export async function buildAhead(
  jobs: readonly (LayerJob | CountyJob)[],
  options: BuildOptions & { readonly ahead: Ahead },
): Promise<void> {
  const { ledger, workforce, progress, signal, reuse, code, ahead } = options;
  const wanted: { readonly job: LayerJob | CountyJob; readonly key: string }[] = [];
  for (const job of jobs) {
    const key = await jobKey(job, ledger, code);
    if (!ahead.has(key) && !(reuse && (await ledger.get(key)))) wanted.push({ job, key });
  }
  const ends = new Map<string, (end: { readonly error: unknown } | null) => void>();
  for (const { key } of wanted) ahead.set(key, new Promise(resolve => ends.set(key, resolve)));
  const started = performance.now();
  try {
    await workforce.build(
      wanted.map(({ job }) => job),
      progress,
      signal,
      async (result, at) => {
        const { job, key } = wanted[at]!;
        await stored(result, job, key, performance.now() - started, options);
        ends.get(key)!(null);
      },
      (job, error) => {
        ends.get(wanted.find(one => one.job === job)!.key)!({ error });
        return true;
      },
    );
  } catch (error) {
    for (const end of ends.values()) end({ error });
  }
}

/**
 * Stores the results of counties under the keys that they have after publication too: building a county again over its own
 * result gives the same result.
 * @param after jobs of the same place over the release that was published.
 * @returns those keys.
 */
export async function rekeyed(
  after: readonly (LayerJob | CountyJob)[],
  before: readonly (LayerJob | CountyJob)[],
  outputs: readonly Output[],
  ledger: Ledger,
  { now, code }: Pick<BuildOptions, 'now' | 'code'>,
): Promise<string[]> {
  const keys: string[] = [];
  for (const job of after) {
    if (!('layers' in job) || job.layers.length === 0) continue;
    const i = before.findIndex(other => 'layers' in other && other.key === job.key);
    if (i < 0) continue;
    const key = await jobKey(job, ledger, code);
    ledger.put(key, outputs[i]!, 0, now);
    keys.push(key);
  }
  return keys;
}
