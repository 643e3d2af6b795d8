import type { Partition, ReleaseFile } from '../../../datasets/release.ts';
import type { Release } from '../../release/open-release.ts';
import { lacksFile } from '../../release/pack/pack.ts';
import { readGraphMemory } from '../../route/shared-graph.ts';

/** A road graph of a release: where it is from, and its bytes, which threads share. Plain data. */
export interface LoadedGraph {
  readonly sha256: string;
  /** Null where the file cannot be read; `problem` says why. */
  readonly memory: SharedArrayBuffer | null;
  readonly problem: string | null;
}

/** Graph files that a release has here, those of OpenStreetMap first: they know one-way streets. @throws Fault as LayerVersion.partitions. */
export function graphFilesOf(
  release: Release | null,
): { readonly dataset: string; readonly part: Partition; readonly file: ReleaseFile }[] {
  return ['osm_roads', 'census_tiger'].flatMap(dataset =>
    (release?.layer(dataset, 'road_graph')?.partitions ?? []).flatMap(part => {
      const file = part.files.find(({ role }) => role === 'graph');
      return file && !lacksFile(release!, file) ? [{ dataset, part, file }] : [];
    }),
  );
}

/** Reads the road graphs of the current release into memory, once for all threads: in the background, from its opening on. */
export class RoadGraphs {
  #loading = new Map<string, Promise<LoadedGraph>>();

  /** Reads what this release has and the one before had not; what only that had is let go of. */
  follow(release: Release | null): void {
    const kept = new Map<string, Promise<LoadedGraph>>();
    try {
      for (const { file } of graphFilesOf(release))
        kept.set(file.sha256, this.#loading.get(file.sha256) ?? load(release!, file));
    } catch {
      // Which graphs there are could not be read: every question tries again.
    }
    this.#loading = kept;
  }

  /** Graphs of a release, once they are read; one that could not be read is tried again with every question. */
  async of(release: Release | null): Promise<LoadedGraph[]> {
    let files: ReturnType<typeof graphFilesOf>;
    try {
      files = graphFilesOf(release);
    } catch (error) {
      return [{ sha256: '', memory: null, problem: (error as Error).message }];
    }
    return Promise.all(
      files.map(async ({ file }) => {
        const loaded = await (this.#loading.get(file.sha256) ?? load(release!, file));
        if (loaded.memory) return loaded;
        const again = load(release!, file);
        if (this.#loading.has(file.sha256)) this.#loading.set(file.sha256, again);
        return again;
      }),
    );
  }
}

/** Never rejects. */
async function load(release: Release, file: ReleaseFile): Promise<LoadedGraph> {
  const { sha256 } = file;
  try {
    return { sha256, memory: await readGraphMemory(release.pathOf(file)), problem: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code ? `it cannot be read (${code})` : (error as Error).message;
    return { sha256, memory: null, problem: `graph file ${sha256.slice(0, 12)}: ${why}` };
  }
}
