import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Manifest, Overlay, ReleaseFile } from '../../datasets/release.ts';
import type { Store } from '../../query/release/home/store.ts';
import { releaseOf } from '../../query/release/open-release.ts';
import type { Progress } from '../progress.ts';
import { canonical, identified } from '../release/manifest.ts';
import { overlayCatalog } from './attributes.ts';
import { BLOCK_PARCELS, isWhole } from './block-file.ts';
import { Crew } from './crew.ts';
import { computableIn, heldOf, type OverlayPlan, type ParcelPlan, planOverlays } from './plan.ts';
import { Rate } from './rate.ts';
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

function staleOf(store: Store, manifest: Manifest, plans: readonly ParcelPlan[]): Stale[] {
  return plans.flatMap(plan => {
    const overlays = plan.overlays.filter(overlay => {
      const held = heldOf(manifest, plan.file, overlay);
      return !held || held.retry;
    });
    if (!overlays.length) return [];
    const work = canonical([plan.file.sha256, overlays, BLOCK_PARCELS]);
    const folder = join(stagesOf(store), createHash('sha256').update(work).digest('hex').slice(0, 32));
    const count = Math.ceil(plan.parcels.rows / BLOCK_PARCELS);
    const blocks = Array.from({ length: count }, (_, i) => join(folder, `${String(i).padStart(6, '0')}.block`));
    return [{ plan, overlays, folder, blocks }];
  });
}

/**
 * Computes the missing and stale overlays of a manifest and moves their files into the store. It takes over blocks that a killed
 * run finished. Call it only under the lock, and drop the stages when the manifest is published.
 * @returns the manifest with its overlays; the same object if all were up to date.
 */
export async function overlaid(
  store: Store,
  manifest: Manifest,
  { home, threads, memoryMb, progress, signal, now, catalog: given }: OverlayOptions,
): Promise<{ manifest: Manifest; report: OverlayReport }> {
  const started = performance.now();
  const catalog = overlayCatalog(given);
  const release = releaseOf(home, manifest);
  const plans = planOverlays(catalog, release);
  const tables = computableIn(catalog, release).keys;
  const stale = staleOf(store, manifest, plans);
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
  const written: { parcels: string; dataset: string }[] = [];
  let [parcels, resumed] = [0, 0];
  const crew = stale.length ? new Crew(threads, { home, manifest, catalog, memoryMb }) : null;
  const all = stale.reduce((sum, { plan }) => sum + plan.parcels.rows, 0);
  const overall = new Rate(all);
  const names = new Set(stale.flatMap(work => work.overlays.flatMap(overlay => overlay.fields)));
  const stopTelling = stale.length ? keepTelling(home, overall, all, [...names]) : null;
  try {
    for (const { plan, overlays: todo, folder, blocks } of stale) {
      mkdirSync(folder, { recursive: true });
      const { rows, key } = plan.parcels;
      const task = progress.start(`overlays of ${key}, ${todo.length} of ${plan.overlays.length}`, rows);
      const rate = new Rate(rows);
      const tasks = blocks.flatMap((path, i) => {
        const first = i * BLOCK_PARCELS;
        const work = {
          parcels: plan.parcels,
          overlays: todo,
          tables,
          first,
          count: Math.min(BLOCK_PARCELS, rows - first),
        };
        if (!isWhole(path)) return [{ kind: 'block' as const, path, work }];
        resumed += work.count;
        rate.skip(work.count);
        overall.skip(work.count);
        return [];
      });
      await crew!.run(
        tasks,
        ({ work }) => {
          rate.add(work.count);
          overall.add(work.count);
          task.advance(rate.done, rate.text());
        },
        signal,
      );
      parcels += rows;
      const computedAt = now.toISOString();
      const works = todo.map(({ dataset }) => ({
        kind: 'finish' as const,
        work: { dataset, blocks, folder: join(folder, dataset), computedAt },
      }));
      const finished: { dataset: string; files: ReleaseFile[]; retry: boolean }[] = [];
      const results: { dataset: string; result: NonNullable<Parameters<Parameters<Crew['run']>[1]>[1]> }[] = [];
      await crew!.run(works, ({ work }, result) => results.push({ dataset: work.dataset, result: result! }), signal);
      for (const { dataset, result } of results) {
        const files: ReleaseFile[] = [];
        for (const file of result.files) files.push(await store.adopt(file));
        finished.push({ dataset, files, retry: result.retry });
      }
      const own: Record<string, Overlay> = { ...overlays[plan.file.sha256] };
      for (const { dataset, inputs, fields } of todo) {
        const { files, retry } = finished.find(f => f.dataset === dataset)!;
        own[dataset] = { inputs, fields, files, ...(retry ? { retry } : {}) };
        written.push({ parcels: key, dataset });
      }
      overlays[plan.file.sha256] = Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
      task.done(`${rows} parcels, ${rate.summary()}`);
    }
  } finally {
    stopTelling?.();
    await crew?.close();
  }
  const bytes = Object.values(overlays)
    .flatMap(own => Object.values(own))
    .flatMap(overlay => overlay.files)
    .reduce((sum, file) => sum + file.bytes, 0);
  const report = { parcels, resumed, written, kept, bytes, seconds: (performance.now() - started) / 1000 };
  const same = stale.length === 0 && canonical(overlays) === canonical(manifest.overlays ?? {});
  return { manifest: same ? manifest : identified({ ...manifest, overlays }), report };
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
