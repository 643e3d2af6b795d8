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
}

/** One step of the work: compute and write a block, or make the files of finished blocks. */
export type OverlayTask =
  | { readonly kind: 'block'; readonly path: string; readonly work: BlockWork }
  | { readonly kind: 'finish'; readonly work: FinishWork };

/** Carries out tasks in one thread, with a cache of its own. */
export class OverlayTasks {
  readonly #release: Release;
  readonly #catalog: Catalog;
  readonly #cache: Cache;

  constructor({ home, manifest, catalog, memoryMb }: OverlaySetup) {
    this.#release = releaseOf(home, manifest);
    this.#catalog = catalog ?? builtIn;
    this.#cache = createCache(memoryMb);
  }

  /** Carries out a task. @returns null for a block. */
  async run(task: OverlayTask, stopped: () => boolean): Promise<Finished | null> {
    if (task.kind === 'finish') return finishOverlay(task.work);
    const environment = { catalog: this.#catalog, release: this.#release, cache: this.#cache, stopped };
    writeBlock(task.path, await computeBlock(task.work, environment));
    return null;
  }

  close(): void {
    this.#cache.clear();
  }
}
