import { existsSync } from 'node:fs';
import { catalog as builtIn, type Catalog } from '../../datasets/catalog.ts';
import type { Manifest } from '../../datasets/release.ts';
import { type Cache, createCache } from '../../query/release/cache.ts';
import { type Release, releaseOf } from '../../query/release/open-release.ts';
import { type BlockWork, computeBlock } from './block.ts';
import { writeBlock } from './block-file.ts';
import { type Finished, type FinishWork, finishOverlay } from './finish.ts';

/** The data that all tasks of an overlay share. */
export interface OverlaySetup {
  /** PLAT_HOME. */
  readonly home: string;
  /** The release to compute for, published or about to be. */
  readonly manifest: Manifest;
  /** Null means the catalog of this build with the computed attributes of parcels. */
  readonly catalog: Catalog | null;
  readonly memoryMb: number;
  /** Whether files of the release may be missing here: a block that asks for such a file is not written. */
  readonly partial?: boolean;
}

/** One step of the work: compute and write a block, or make the files of finished blocks. */
export type OverlayTask =
  | { readonly kind: 'block'; readonly path: string; readonly work: BlockWork }
  | { readonly kind: 'finish'; readonly work: FinishWork };

/** What came of a task: of a block the hashes of files that are missing here, mostly none. */
export type OverlayResult = Finished | { readonly missing: readonly string[] };

/** Returns a release that notes the files which are asked for and are not there. */
function noting(release: Release, missing: Set<string>): Release {
  const there = new Set<string>();
  return {
    ...release,
    pathOf(file) {
      const path = release.pathOf(file);
      if (!there.has(path)) {
        if (existsSync(path)) there.add(path);
        else missing.add(file.sha256);
      }
      return path;
    },
  };
}

/** Carries out tasks in one thread, with a cache of its own. */
export class OverlayTasks {
  readonly #missing = new Set<string>();
  readonly #release: Release;
  readonly #catalog: Catalog;
  readonly #cache: Cache;

  constructor({ home, manifest, catalog, memoryMb, partial }: OverlaySetup) {
    const release = releaseOf(home, manifest);
    this.#release = partial ? noting(release, this.#missing) : release;
    this.#catalog = catalog ?? builtIn;
    this.#cache = createCache(memoryMb);
  }

  async run(task: OverlayTask, stopped: () => boolean): Promise<OverlayResult> {
    if (task.kind === 'finish') return finishOverlay(task.work);
    const environment = { catalog: this.#catalog, release: this.#release, cache: this.#cache, stopped };
    this.#missing.clear();
    try {
      const block = await computeBlock(task.work, environment);
      if (!this.#missing.size) writeBlock(task.path, block);
    } catch (error) {
      if (!this.#missing.size) throw error;
    }
    return { missing: [...this.#missing] };
  }

  close(): void {
    this.#cache.clear();
  }
}
