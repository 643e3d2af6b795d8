import type { Release } from '../release/open-release.ts';

interface WarmLayer {
  readonly name: string;
  readonly version: string;
}

/** Layers of a release in the order in which workers open them: the place of each in what they count. */
export const warmLayers = (release: Release | null): WarmLayer[] =>
  Object.entries(release?.manifest.datasets ?? {}).flatMap(([dataset, layers]) =>
    Object.entries(layers).map(([layer, { version }]) => ({ name: `${dataset}:${layer}`, version })),
  );

/** What of a release lies opened in memory and what is opened when it is first asked for: names of layers. */
export interface Warmth {
  readonly loaded: readonly string[];
  readonly on_demand: readonly string[];
}

/**
 * @param started layers of the release that the workers started with. @param openLayers how many workers opened all files of each. @param release that answers now: layers that have another version since are opened on demand.
 */
export function warmthOf(
  started: readonly WarmLayer[],
  openLayers: Int32Array,
  workers: number,
  release: Release | null,
): Warmth {
  const warm = new Set(
    started.flatMap(({ name, version }, i) => (Atomics.load(openLayers, i) >= workers ? [`${name} ${version}`] : [])),
  );
  const now = warmLayers(release);
  const isWarm = ({ name, version }: WarmLayer) => warm.has(`${name} ${version}`);
  return {
    loaded: now.filter(isWarm).map(({ name }) => name),
    on_demand: now.filter(layer => !isWarm(layer)).map(({ name }) => name),
  };
}
