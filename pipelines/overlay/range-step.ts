import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Partition } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { hashFile } from '../../query/format/file-hash.ts';
import { keptManifests } from '../../query/release/home/candidate.ts';
import { filesOf, Store } from '../../query/release/home/store.ts';
import { readManifestFile } from '../../query/release/manifest.ts';
import { bring } from '../../query/release/store/bring.ts';
import { download } from '../../query/release/store/download.ts';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import { manifestKey } from '../../query/release/store/store-entry.ts';
import { type TaskFile, workKey } from '../tasks/task.ts';
import type { Product, TaskStep, Workplace } from '../tasks/task-step.ts';
import { overlayCatalog } from './attributes.ts';
import { isWhole } from './block-file.ts';
import { Crew } from './crew.ts';
import type { RangeData, RangePlan } from './range.ts';

/** Rounds in which a range may ask for files that its plan does not name. */
const ROUNDS = 10;

/** The release for which ranges are computed, and the threads that do it. */
interface Office {
  readonly sha256: string;
  readonly manifest: Manifest;
  crew: Crew;
}

/** Computes ranges of parcels with files that it takes from the store as they are needed. */
export class RangeStep implements TaskStep {
  /** A range is computed by all threads. */
  readonly atOnce = 1;
  readonly #at: Workplace;
  readonly #home: Store;
  readonly #folder: string;
  #office: Office | null = null;
  /** SHA-256 of the manifest whose blocks may still be of use. */
  #last: string | null = null;

  /** Call it only under the lock of the home. */
  constructor(at: Workplace) {
    this.#at = at;
    this.#home = new Store(at.home);
    this.#folder = join(this.#home.releases, 'overlay');
    mkdirSync(this.#folder, { recursive: true });
  }

  async run(data: object, signal: AbortSignal): Promise<Product> {
    const { plan: file, first, count, each } = data as RangeData;
    const plan = JSON.parse((await this.#object(file, signal)).toString()) as RangePlan;
    let office = await this.#officeOf(plan, signal);
    const parcels = partitionOf(office.manifest, plan);
    const wanted = new Set(plan.files);
    await this.#bring(office.manifest, wanted, signal);
    const folder = join(this.#folder, file.sha256);
    mkdirSync(folder, { recursive: true });
    const starts = Array.from({ length: Math.ceil(count / each) }, (_, i) => first + i * each);
    const pathOf = (start: number) => join(folder, `${start}-${each}.block`);
    for (let round = 1; ; round++) {
      const tasks = starts.flatMap(start => {
        const path = pathOf(start);
        const rows = Math.min(each, first + count - start);
        const work = { parcels, overlays: plan.overlays, tables: new Map(plan.tables), first: start, count: rows };
        return isWhole(path) ? [] : [{ kind: 'block' as const, path, work }];
      });
      const missing = new Set<string>();
      try {
        await office.crew.run(
          tasks,
          (_, result) => {
            if ('missing' in result) for (const sha256 of result.missing) missing.add(sha256);
          },
          signal,
        );
      } catch (error) {
        // Threads that were stopped do not begin again.
        await this.close();
        throw error;
      }
      if (!missing.size) break;
      if (round === ROUNDS)
        throw new Error(`${missing.size} files are asked for again and again although they are there`);
      this.#at.told(`${missing.size} files more are needed than the plan of ${plan.parcels} names`);
      await this.#bring(office.manifest, missing, signal);
      // Threads may remember that a file was not there.
      office = await this.#renewed(office);
    }
    const files = [];
    for (const path of starts.map(pathOf))
      files.push({ path, sha256: await hashFile(path, signal), bytes: statSync(path).size });
    return { files, rows: count };
  }

  drop({ files }: Product): void {
    for (const { path } of files) rmSync(path, { force: true });
  }

  async close(): Promise<void> {
    await this.#office?.crew.close();
    this.#office = null;
  }

  /** Reads a small object of the store. @throws Error where it does not hold what its name says. */
  async #object({ sha256, bytes }: TaskFile, signal: AbortSignal): Promise<Buffer> {
    const path = join(this.#folder, `${sha256}.json`);
    await download(this.#at.store, { path: workKey(sha256), sha256, bytes }, path, signal);
    return readFileSync(path);
  }

  /** Makes ready for a release; files of other releases are removed from this home then. */
  async #officeOf({ release, manifestSha256: sha256 }: RangePlan, signal: AbortSignal): Promise<Office> {
    if (this.#office?.sha256 === sha256) return this.#office;
    await this.close();
    if (this.#last !== null && this.#last !== sha256) rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#last = sha256;
    const { store } = this.#at;
    const key = manifestKey(sha256);
    const bytes = await store.size(key);
    if (bytes === null) throw new Error(`${store.name}: ${key} is missing`);
    const path = join(this.#folder, `${sha256}.manifest`);
    await download(store, { path: key, sha256, bytes }, path, signal);
    const manifest = readManifestFile(path, release);
    await this.#home.clean([...keptManifests(this.#home.releases), manifest]);
    this.#office = { sha256, manifest, crew: this.#crewFor(manifest) };
    return this.#office;
  }

  #crewFor(manifest: Manifest): Crew {
    const { home, threads, memoryMb } = this.#at;
    return new Crew(Math.max(1, threads), { home, manifest, catalog: overlayCatalog(), memoryMb, partial: true });
  }

  async #renewed(office: Office): Promise<Office> {
    await office.crew.close();
    office.crew = this.#crewFor(office.manifest);
    return office;
  }

  /** Brings files of the release home that are not here, whole or not at all. */
  async #bring(manifest: Manifest, hashes: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const files = filesOf(manifest).filter(({ sha256 }) => hashes.has(sha256));
    if (files.length < hashes.size) throw new Error('a task names a file that its release does not have');
    await sideBySide(files, AT_ONCE, file => bring(this.#home, file, { store: this.#at.store, signal }));
  }
}

/** @throws Error where the release does not have the parcels. */
function partitionOf({ datasets }: Manifest, { parcels, features }: RangePlan): Partition {
  const { partitions = [] } = datasets[PARCELS.dataset]?.[PARCELS.layer] ?? {};
  const found = partitions.find(
    p => p.key === parcels && p.files.some(f => f.role === 'features' && f.sha256 === features),
  );
  if (!found) throw new Error(`the release of the task has no parcels of ${parcels}`);
  return found;
}
