import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Manifest, Overlay, ReleaseFile } from '../../datasets/release.ts';
import type { Store } from '../../query/release/home/store.ts';
import { releaseOf } from '../../query/release/open-release.ts';
import { sideBySide } from '../../query/release/store/side-by-side.ts';
import type { Progress } from '../progress.ts';
import { canonical, withCalculations } from '../release/lists.ts';
import { identified } from '../release/manifest.ts';
import type { Machines } from '../tasks/machines.ts';
import type { TaskQueue } from '../tasks/task-queue.ts';
import { overlayCatalog } from './attributes.ts';
import { BLOCK_PARCELS, isWhole } from './block-file.ts';
import { Crew } from './crew.ts';
import type { Finished } from './finish.ts';
import { computableIn, heldOf, type OverlayPlan, type ParcelPlan, planOverlays } from './plan.ts';
import { Rate } from './rate.ts';
import { RemoteCrew } from './remote-crew.ts';
import type { OverlayResult, OverlayTask } from './task.ts';
import { keepTelling } from './telling.ts';

/** The result of computing overlays. */
export interface OverlayReport {
  /** Parcels with a computed value, and those of them whose block a killed run had finished. */
  readonly parcels: number;
  readonly resumed: number;
  /** Overlays that were written, and those that were up to date. */
  readonly written: readonly { readonly parcels: string; readonly dataset: string }[];
  readonly kept: number;
  /** Bytes of all overlay files of the release. */
  readonly bytes: number;
  readonly seconds: number;
}

interface OverlayOptions {
  /** PLAT_HOME. */
  readonly home: string;
  readonly threads: number;
  /** Megabytes each thread may keep. */
  readonly memoryMb: number;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
  readonly now: Date;
  /** Instead of the catalog of this build. */
  readonly catalog?: Catalog | undefined;
  /** Workers that compute the blocks, which must have the same build and catalog; without them threads of this process do. */
  readonly machines?: Machines | undefined;
  /** Parcels of a block, at most BLOCK_PARCELS and whole pages of records. */
  readonly blockParcels?: number | undefined;
}

/** Returns the folder of finished blocks that are not published yet; they survive a killed run. */
const stagesOf = (store: Store): string => join(store.releases, 'overlay');

/** The overlays of one partition of parcels that must be computed. */
interface Stale {
  readonly plan: ParcelPlan;
  readonly overlays: readonly OverlayPlan[];
  readonly folder: string;
  readonly blocks: readonly string[];
}

function staleOf(store: Store, manifest: Manifest, plans: readonly ParcelPlan[], each: number): Stale[] {
  return plans.flatMap(plan => {
    const overlays = plan.overlays.filter(overlay => {
      const held = heldOf(manifest, plan.file, overlay);
      return !held || held.retry;
    });
    if (!overlays.length) return [];
    const work = canonical([plan.file.sha256, overlays, each]);
    const folder = join(stagesOf(store), createHash('sha256').update(work).digest('hex').slice(0, 32));
    const count = Math.ceil(plan.parcels.rows / each);
    const blocks = Array.from({ length: count }, (_, i) => join(folder, `${String(i).padStart(6, '0')}.block`));
    return [{ plan, overlays, folder, blocks }];
  });
}

/**
 * Computes the missing and stale overlays of a manifest and moves their files into the store. It takes over blocks that a killed
 * run finished. Call it only under the lock, and drop the stages when the manifest is published.
 * @returns the manifest with its overlays, the same object if all were up to date; servers are told that they are being made until
 * `stopTelling` is called, which is for when they are published.
 */
export async function overlaid(
  store: Store,
  manifest: Manifest,
  options: OverlayOptions,
): Promise<{ manifest: Manifest; report: OverlayReport; stopTelling: () => void }> {
  const { home, progress, signal, now, blockParcels = BLOCK_PARCELS } = options;
  const started = performance.now();
  const catalog = overlayCatalog(options.catalog);
  const release = releaseOf(home, manifest);
  const plans = planOverlays(catalog, release);
  const tables = computableIn(catalog, release).keys;
  const stale = staleOf(store, manifest, plans, blockParcels);
  dropStages(store, new Set(stale.map(work => work.folder)));
  const overlays: Record<string, Record<string, Overlay>> = {};
  let kept = 0;
  for (const plan of plans)
    for (const overlay of plan.overlays) {
      const held = heldOf(manifest, plan.file, overlay);
      if (!held || held.retry) continue;
      overlays[plan.file.sha256] ??= {};
      overlays[plan.file.sha256]![overlay.dataset] = held;
      kept++;
    }
  let [parcels, resumed] = [0, 0];
  const crew = stale.length ? crewOf(store, manifest, catalog, plans, options) : null;
  const all = stale.reduce((sum, { plan }) => sum + plan.parcels.rows, 0);
  const overall = new Rate(all);
  const names = new Set(stale.flatMap(work => work.overlays.flatMap(overlay => overlay.fields)));
  const stopTelling = stale.length ? keepTelling(home, overall, all, [...names]) : () => undefined;
  /** Computes the overlays of one partition. */
  const computed = async ({ plan, overlays: todo, folder, blocks }: Stale): Promise<Record<string, Overlay>> => {
    mkdirSync(folder, { recursive: true });
    const { rows, key } = plan.parcels;
    const task = progress.start(`overlays of ${key}, ${todo.length} of ${plan.overlays.length}`, rows);
    const rate = new Rate(rows);
    const tasks = blocks.flatMap((path, i) => {
      const first = i * blockParcels;
      const count = Math.min(blockParcels, rows - first);
      const work = { parcels: plan.parcels, overlays: todo, tables, first, count };
      if (!isWhole(path)) return [{ kind: 'block' as const, path, work }];
      resumed += work.count;
      rate.skip(work.count);
      overall.skip(work.count);
      return [];
    });
    const tell = ({ work }: (typeof tasks)[number]) => {
      rate.add(work.count);
      overall.add(work.count);
      task.advance(rate.done, rate.text());
    };
    try {
      await crew!.run(tasks, tell, signal);
    } catch (error) {
      // Others go on, and their failures are told too.
      task.done(`failed: ${(error as Error).message}`);
      throw error;
    }
    parcels += rows;
    const computedAt = now.toISOString();
    const works = todo.map(({ dataset }) => ({
      kind: 'finish' as const,
      work: { dataset, blocks, folder: join(folder, dataset), computedAt },
    }));
    const finished = new Map<string, Finished>();
    const keep = ({ work }: (typeof works)[number], result: OverlayResult) => {
      if ('files' in result) finished.set(work.dataset, result);
    };
    await crew!.run(works, keep, signal);
    const own: Record<string, Overlay> = { ...overlays[plan.file.sha256] };
    for (const { dataset, inputs, fields } of todo) {
      const { files: staged, retry } = finished.get(dataset)!;
      const files: ReleaseFile[] = [];
      for (const file of staged) files.push(await store.adopt(file));
      own[dataset] = { inputs, fields, files, ...(retry ? { retry } : {}) };
    }
    task.done(`${rows} parcels, ${rate.summary()}`);
    return Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const results = new Map<Stale, Record<string, Overlay>>();
  try {
    await sideBySide(stale, crew?.atOnce ?? 1, async work => void results.set(work, await computed(work)));
  } catch (error) {
    stopTelling();
    throw error;
  } finally {
    await crew?.close();
  }
  // In the order of the plan, so that the manifest is the same whichever ends first.
  for (const work of stale) overlays[work.plan.file.sha256] = results.get(work)!;
  const written = stale.flatMap(({ plan, overlays: todo }) =>
    todo.map(({ dataset }) => ({ parcels: plan.parcels.key, dataset })),
  );
  const bytes = Object.values(overlays)
    .flatMap(own => Object.values(own))
    .flatMap(overlay => overlay.files)
    .reduce((sum, file) => sum + file.bytes, 0);
  const report = { parcels, resumed, written, kept, bytes, seconds: (performance.now() - started) / 1000 };
  const same = stale.length === 0 && canonical(overlays) === canonical(manifest.overlays ?? {});
  return { manifest: same ? manifest : identified(withCalculations(manifest, overlays)), report, stopTelling };
}

/** Returns who computes: threads of this process, or workers on other machines. */
function crewOf(
  store: Store,
  manifest: Manifest,
  catalog: Catalog,
  plans: readonly ParcelPlan[],
  { home, threads, memoryMb, machines, signal }: OverlayOptions,
): TaskQueue<OverlayTask, OverlayResult> {
  const own = new Crew(threads, { home, manifest, catalog, memoryMb });
  return machines ? new RemoteCrew({ ...machines, releases: store.releases, manifest, plans, own, signal }) : own;
}

/** Removes the blocks of overlays, except the folders in `keep`. */
export function dropStages(store: Store, keep: ReadonlySet<string> = new Set()): void {
  const stages = stagesOf(store);
  if (!existsSync(stages)) return;
  for (const name of readdirSync(stages)) {
    const folder = join(stages, name);
    if (!keep.has(folder)) rmSync(folder, { recursive: true, force: true });
  }
  if (!keep.size) rmSync(stages, { recursive: true, force: true });
}
