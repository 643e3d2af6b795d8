import type { ReleaseFile } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';
import { partsOf } from '../release/part.ts';

/** Roles of files that workers open ahead; tables are opened by DuckDB at each scan. */
const READ_ROLES: ReadonlySet<ReleaseFile['role']> = new Set([
  'features',
  'coverage',
  'rejected',
  'raster',
  'addresses',
]);

/** A layer and how many of its files a worker opens ahead. */
interface WarmLayer {
  readonly name: string;
  readonly version: string;
  readonly files: number;
}

/** Layers of a release in the order in which workers open them: the place of each in what they count. */
export const warmLayers = (release: Release | null): WarmLayer[] =>
  Object.entries(release?.manifest.datasets ?? {}).flatMap(([dataset, layers]) =>
    Object.entries(layers).map(([layer, { version, partitions }]) => ({
      name: `${dataset}:${layer}`,
      version,
      files: partitions.flatMap(partsOf).flatMap(part => part.files.filter(({ role }) => READ_ROLES.has(role))).length,
    })),
  );

/** What of a release lies opened in memory and what is opened when it is first asked for: names of layers. */
export interface Warmth {
  readonly loaded: readonly string[];
  readonly on_demand: readonly string[];
}

/**
 * @param started layers of the release that the workers started with. @param openFiles how many files of each they opened,
 * all workers together. @param release that answers now: layers that have another version since are opened on demand.
 */
export function warmthOf(
  started: readonly WarmLayer[],
  openFiles: Int32Array,
  workers: number,
  release: Release | null,
): Warmth {
  const warm = new Set(
    started.flatMap(({ name, version, files }, i) =>
      Atomics.load(openFiles, i) >= files * workers ? [`${name} ${version}`] : [],
    ),
  );
  const now = warmLayers(release);
  const isWarm = ({ name, version }: WarmLayer) => warm.has(`${name} ${version}`);
  return {
    loaded: now.filter(isWarm).map(({ name }) => name),
    on_demand: now.filter(layer => !isWarm(layer)).map(({ name }) => name),
  };
}
