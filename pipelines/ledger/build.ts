import type { Store } from '../../query/release/home/store.ts';
import type { Progress } from '../progress.ts';
import { adopt } from '../steps/job.ts';
import type { CountyJob, LayerJob } from '../steps/layer-job.ts';
import type { Workforce } from '../steps/workforce.ts';
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
  readonly workforce: Workforce;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
  readonly now: Date;
  /** False: builds everything, whatever the ledger holds. */
  readonly reuse: boolean;
  /** Instead of the version of this code. */
  readonly code?: string | undefined;
  /** Asked when a job fails. True: the others go on, and the job has no result. */
  readonly spare?: (job: LayerJob | CountyJob, error: unknown) => boolean;
}

/**
 * Builds the jobs that the ledger does not hold, and returns the results of all. Each result goes into the store and the ledger
 * as soon as it is built, so that after a kill it need not be built again.
 */
export async function build(jobs: readonly (LayerJob | CountyJob)[], options: BuildOptions): Promise<Built> {
  const { store, ledger, workforce, progress, signal, now, reuse, code, spare } = options;
  const keys: string[] = [];
  const outputs: (Output | null)[] = [];
  for (const job of jobs) {
    const key = await jobKey(job, ledger, code);
    keys.push(key);
    outputs.push(reuse ? await ledger.get(key) : null);
  }
  const wanted = jobs.flatMap((job, i) => (outputs[i] ? [] : [{ job, i }]));
  const started = performance.now();
  await workforce.build(
    wanted.map(({ job }) => job),
    progress,
    signal,
    async (result, at) => {
      const { job, i } = wanted[at]!;
      const { counts, examples, samples } = result;
      const output: Output = { contribution: await adopt(store, result, job, now), counts, examples, samples };
      outputs[i] = output;
      // If a file was replaced while it was read, the key no longer describes the input.
      if ((await jobKey(job, ledger, code)) === keys[i]) ledger.put(keys[i]!, output, performance.now() - started, now);
    },
    spare,
  );
  return { outputs: outputs as Output[], keys: new Set(keys), reused: jobs.length - wanted.length };
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
