import { join } from 'node:path';
import type { Place } from '../datasets/place/place.ts';
import type { Acceptance, IngestCount, Manifest } from '../datasets/release.ts';
import { withShards } from '../query/release/home/shards.ts';
import type { Store } from '../query/release/home/store.ts';
import { storageProblem } from '../query/release/storage.ts';
import { type Ahead, build, buildAhead, rekeyed } from './ledger/build.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Progress } from './progress.ts';
import { compose, NATIONAL } from './release/manifest.ts';
import { acquire, type SourceFile } from './steps/acquire.ts';
import { type Choice, chosenLayers, inOrder, isChosen, keptOf } from './steps/chosen.ts';
import { countyGrounds } from './steps/ground/county-ground.ts';
import { builtOf, jobsOf } from './steps/job.ts';
import { type CountyJob, LayerError, type LayerJob } from './steps/layer-job.ts';
import { QualityError, reasonOf, sorted } from './steps/quality/breach.ts';
import { breachesOf } from './steps/quality/expectations.ts';
import type { Reject } from './steps/rejected/reject.ts';
import type { Builders } from './steps/workforce.ts';

/** A place after the publishers of its files were asked. */
export interface Prepared {
  /** With its vintages. */
  readonly place: Place;
  /** File → why its publisher's version could not be had. A file that was held before is still there. */
  readonly failures: ReadonlyMap<string, string>;
  /** Layers of the place file that this place lacks. */
  readonly left?: readonly AbsentLayer[];
}

/** A layer of a place file that is left out, because its coverage or its file is optional and there is none. */
export interface AbsentLayer {
  /** `dataset:layer`. */
  readonly layer: string;
  readonly file: string;
  readonly why: string;
}

/** One place of a run. */
export interface PlaceRun {
  /** A place that checkPlace accepts. */
  readonly place: Place;
  /** Folder of published files. */
  readonly sources: string;
  /** Called under the lock before anything is read; downloads new files. */
  readonly prepare?: (signal: AbortSignal | undefined) => Promise<Prepared>;
  /** Datasets to build; the others stay unchanged. */
  readonly only?: readonly string[];
  /** True: the run removes the place, so missing layers are no breach. */
  readonly removes?: boolean;
  /** Keys of the breaches that this run accepts; see steps/quality/breach.ts. */
  readonly accept?: readonly string[];
  /** True: a layer that fails stays as the release before has it, and the others are ingested. */
  readonly isPartial?: boolean;
}

/** A layer that stays as the release before has it. */
export interface StaleLayer {
  /** `dataset:layer`. */
  readonly layer: string;
  /** When what stays was retrieved; null where the release has nothing of it. */
  readonly since: string | null;
  readonly why: string;
}

/** The result of one place of a run. */
export interface PlaceReport {
  readonly place: string;
  readonly sources: readonly SourceFile[];
  readonly counts: readonly IngestCount[];
  /** The first rows of each layer that were rejected or repaired; the release's rejects files hold all. */
  readonly samples: readonly Reject[];
  /** Expectations that were not met but accepted by a flag, and flags without a breach. */
  readonly accepted: readonly Acceptance[];
  readonly idleFlags: readonly string[];
  /** Layers and counties of parcels that were not built again, because their inputs were those of an earlier run. */
  readonly reused: number;
  readonly stale: readonly StaleLayer[];
  readonly left: readonly AbsentLayer[];
  /** Whether the release holds something else of the place than before. */
  readonly isNew: boolean;
}

/** What all places of a run share. */
export interface RunContext {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly workforce: Builders;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
  readonly now: Date;
  readonly reuse: boolean;
  readonly code: string | undefined;
  /** What is built ahead of its turn, where other machines build. */
  readonly ahead?: Ahead | undefined;
  /** Folder of this run for staged files. */
  readonly folder: string;
}

/** A place that is composed into a release. */
interface Ingested {
  /** The same object as before when the place changed nothing. */
  readonly manifest: Manifest;
  readonly report: PlaceReport;
  /** What its publishers were asked for, so that it can be composed over another release without asking again. */
  readonly prepared: Prepared;
  readonly keys: ReadonlySet<string>;
  /** Stores results under the keys that they have after publication. @returns those keys. */
  readonly rekey: (published: Manifest) => Promise<string[]>;
}

type Job = LayerJob | CountyJob;

const nameOf = ({ dataset, layer }: { readonly dataset: string; readonly layer: string }) => `${dataset}:${layer}`;
const layersOf = (job: Job): string[] => ('layers' in job ? job.layers : [job.layer]).map(nameOf);

/** When what a release holds of a place's layer was retrieved. */
function retrievedAt(previous: Manifest | null, place: string, name: string): string | null {
  const [dataset, layer] = name.split(':') as [string, string];
  const moments = (previous?.datasets[dataset]?.[layer]?.partitions ?? [])
    .flatMap(partition => partition.parts ?? [partition])
    .filter(part => part.place === place || part.place === NATIONAL)
    .map(({ provenance }) => provenance.retrievedAt);
  return moments.sort().at(-1) ?? null;
}

/** One attempt at a place: everything but the layers that failed before. */
interface Attempt {
  readonly outcome: Omit<Ingested, 'prepared'> | null;
  /** Layers that failed now, with the error. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/** The ingest of one place over a release. */
class PlaceIngest {
  readonly #run: PlaceRun;
  readonly #context: RunContext;
  readonly #previous: Manifest | null;
  readonly #whole: Place;
  readonly #stale: Map<string, string>;

  constructor(run: PlaceRun, context: RunContext, previous: Manifest | null, place: Place, stale: Map<string, string>) {
    this.#run = run;
    this.#context = context;
    this.#previous = previous;
    this.#whole = place;
    this.#stale = stale;
  }

  get #choice(): Choice {
    return { datasets: this.#run.only ?? null, without: this.#stale };
  }

  /** @throws as `ingested`, where the run is not partial or nothing of the place is left. */
  async attempt(held: ReadonlyMap<string, string>): Promise<Attempt> {
    const { sources, accept = [], removes = false, isPartial = false } = this.#run;
    const { store, ledger, now, folder } = this.#context;
    const [previous, whole, choice] = [this.#previous, this.#whole, this.#choice];
    const place = chosenLayers(whole, choice);
    const found = await acquire(place, sources, path => ledger.hashOf(path));
    const missing = found.filter(f => f.bytes === null);
    if (missing.length > 0) {
      const error = new LayerError(
        `${missing.length} of ${found.length} files are not in ${sources}: ${missing.map(f => f.file).join(', ')}`,
      );
      const layers = missing.flatMap(({ file, layers }) =>
        layers.map(layer => [layer, new LayerError(held.get(file) ?? `${file} is not in ${sources}`)] as const),
      );
      return this.#failed(new Map(layers), error);
    }
    const folders = { releases: store.releases, sources, folder: join(folder, String(this.#stale.size)), now };
    const counties = await countyGrounds(place, sources, now.toISOString().slice(0, 10));
    const jobsOver = (release: Manifest | null) =>
      jobsOf(place, release, folders, counties).filter(job => isChosen(job, choice));
    const jobs = jobsOver(previous);
    const failures = new Map<string, unknown>();
    const spare = (job: Job, error: unknown) => {
      if (!isPartial || this.#context.signal?.aborted || storageProblem(error, store.releases) !== null) return false;
      for (const name of layersOf(job)) failures.set(name, error);
      return true;
    };
    const { outputs, keys, reused } = await build(jobs, { ...this.#context, spare });
    this.#context.signal?.throwIfAborted();
    if (failures.size > 0) return this.#failed(failures, [...failures.values()][0]);
    const built = builtOf(place, outputs);
    const breaches = removes ? [] : breachesOf(place, built, previous, choice);
    const verdict = sorted(breaches, accept);
    if (verdict.standing.length > 0) {
      const layers = Map.groupBy(verdict.standing, ({ layer }) => layer);
      const reasons = [...layers].map(([layer, of]) => [layer, of.map(({ what }) => what).join('; ')] as const);
      const error = new QualityError(place.name, verdict.standing, previous?.id ?? null);
      return this.#failed(new Map(reasons.map(([layer, why]) => [layer, new LayerError(why)])), error);
    }
    const on = now.toISOString().slice(0, 10);
    const accepted = verdict.accepted.map(({ key, what }): Acceptance => ({ place: place.name, key, what, on }));
    const kept = keptOf(previous, whole, choice);
    const contributions = [...outputs.map(output => output.contribution), ...kept.contributions];
    const counts = inOrder([...built.map(({ count }) => count), ...kept.counts], whole);
    const next = compose(previous, place.name, contributions, counts, now, accepted);
    const stale = [...this.#stale].map(
      ([layer, why]): StaleLayer => ({ layer, since: retrievedAt(previous, place.name, layer), why }),
    );
    const report = {
      ...{ place: place.name, sources: found, counts, samples: outputs.flatMap(output => output.samples) },
      ...{ accepted, idleFlags: verdict.idle, reused, stale, left: [], isNew: next !== previous },
    };
    const rekey = (published: Manifest) => rekeyed(jobsOver(published), jobs, outputs, ledger, this.#context);
    const manifest = next === previous ? next : await withShards(store, next);
    return { outcome: { manifest, report, keys, rekey }, failures };
  }

  /** @throws the error where the whole place fails with these layers. */
  #failed(failures: ReadonlyMap<string, unknown>, error: unknown): Attempt {
    const left = chosenLayers(this.#whole, {
      ...this.#choice,
      without: new Map([...this.#stale, ...[...failures.keys()].map(name => [name, ''] as const)]),
    });
    if (!this.#run.isPartial || left.layers.length === 0 || failures.has('coverage')) throw error;
    return { outcome: null, failures };
  }
}

/**
 * Begins to build what a place will take, over a release that may not be the one before it: a county that a place before it fills too is
 * built anew. It never throws; what fails is told in the place's turn.
 * @param prepared of the place.
 */
export async function ingestAhead(
  { sources, only }: PlaceRun,
  { place: whole }: Prepared,
  context: RunContext & { readonly ahead: Ahead },
  previous: Manifest | null,
): Promise<void> {
  const { store, now, folder } = context;
  try {
    const choice: Choice = { datasets: only ?? null, without: new Map() };
    const place = chosenLayers(whole, choice);
    const missing = (await acquire(place, sources)).filter(({ bytes }) => bytes === null);
    if (missing.length > 0) return;
    const counties = await countyGrounds(place, sources, now.toISOString().slice(0, 10));
    const jobs = jobsOf(place, previous, { releases: store.releases, sources, folder, now }, counties);
    await buildAhead(
      jobs.filter(job => isChosen(job, choice)),
      context,
    );
  } catch {}
}

/**
 * Ingests one place over a release: acquire, read, normalise, project, validate, partition, write, verify counts. Layers of the place
 * replace its former ones; all others stay. In a partial run a layer that fails stays too.
 * @throws LayerError or ReadError naming file, row and cause; QualityError with every expectation that is not met.
 */
export async function ingested(run: PlaceRun, context: RunContext, previous: Manifest | null): Promise<Ingested> {
  const prepared: Prepared = (await run.prepare?.(context.signal)) ?? { place: run.place, failures: new Map() };
  const { place, failures: unhad, left = [] } = prepared;
  const stale = new Map<string, string>();
  for (;;) {
    const ingest = new PlaceIngest(run, context, previous, place, stale);
    const { outcome, failures } = await ingest.attempt(unhad);
    for (const [name, error] of failures) stale.set(name, reasonOf(error));
    if (!outcome) continue;
    // A file that was held before was read again, so its layers are those of its last edition.
    const asBefore = outcome.report.sources.flatMap(({ file, layers }) => {
      const why = unhad.get(file);
      return why === undefined
        ? []
        : layers.map((layer): StaleLayer => ({ layer, since: retrievedAt(previous, place.name, layer), why }));
    });
    const report = { ...outcome.report, left, stale: [...outcome.report.stale, ...asBefore] };
    return { ...outcome, prepared, report };
  }
}
