import type { Catalog } from '../../datasets/catalog.ts';
import type { Box } from '../../datasets/geometry.ts';
import { nameOf } from '../../datasets/layer-words.ts';
import { memo } from '../../datasets/memo.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { propertiesOf } from '../../query/features/collection.ts';
import type { InstalledSource } from '../../query/release/installed.ts';
import { idOf } from '../ogc/collection.ts';
import { around } from '../tiles/tile-credits.ts';

/** One published file that a layer of the release was made from, with a name of its own within the layer. */
export interface HeldSource {
  /** Letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  readonly source: InstalledSource;
}

/** A layer of the open release, with the files that it was made from. */
export interface HeldLayer {
  /** As the OGC API names a layer that it has, and in the same way where it has not. */
  readonly id: string;
  readonly dataset: string;
  readonly title: string;
  readonly description: string;
  readonly publishers: readonly string[];
  readonly licences: readonly string[];
  /** Address of the publication on the web; null where it has none. */
  readonly url: string | null;
  /** lng,lat around all of its files; null where one of them has no place. */
  readonly box: Box | null;
  /** UTC with milliseconds and Z: the newest file. */
  readonly retrievedAt: string;
  /** Whether the OGC API has its features. */
  readonly isFeatures: boolean;
  readonly sources: readonly HeldSource[];
}

/** Ids of the sources of a layer: their ground and place, with a number where several are of the same. */
function withIds(sources: readonly InstalledSource[]): HeldSource[] {
  const taken = new Map<string, number>();
  return sources.map(source => {
    const { county, state, place } = source;
    const stem = `${county ?? state ?? 'US'}-${place}`.replace(/[^\w.-]+/g, '-');
    const number = (taken.get(stem) ?? 0) + 1;
    taken.set(stem, number);
    return { id: number === 1 ? stem : `${stem}.${number}`, source };
  });
}

/** An address that opens in a browser; null for another, such as that of a bucket or of a place of files. */
export const webAddress = (url: string | null): string | null =>
  url !== null && /^https?:\/\/\S+$/.test(url) ? url : null;

const eachOnce = (texts: readonly string[]) => [...new Set(texts)].sort();
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function heldLayer(catalog: Catalog, sources: readonly InstalledSource[]): HeldLayer {
  const [first] = sources as [InstalledSource];
  const dataset = catalog.datasets.get(first.dataset);
  const layer = dataset?.layers[first.layer];
  const title = layer?.title ?? dataset?.title ?? nameOf(first);
  return {
    id: idOf(first),
    dataset: first.dataset,
    title: capitalized(title),
    description: `${capitalized(title)} of ${dataset?.title ?? first.title}, as the open release has them. Each file says its publisher, date and license.`,
    publishers: eachOnce(sources.map(({ publisher }) => publisher)),
    licences: eachOnce(sources.map(({ licence }) => licence)),
    url: webAddress(dataset?.url ?? first.url),
    box: around(sources.map(({ box }) => box)),
    retrievedAt: sources.reduce((newest, one) => (one.retrievedAt > newest ? one.retrievedAt : newest), ''),
    isFeatures: propertiesOf(catalog, first) !== null,
    sources: withIds(sources),
  };
}

/** Makes the reader of the open release's layers, by id in the order of ids: made once a release. */
export function heldLayers(engine: Pick<Engine, 'installed'>, catalog: Catalog): () => ReadonlyMap<string, HeldLayer> {
  const read = memo((installed: readonly InstalledSource[]) => {
    const layers = [...Map.groupBy(installed, nameOf).values()].map(sources => heldLayer(catalog, sources));
    layers.sort((a, b) => (a.id < b.id ? -1 : 1));
    return new Map(layers.map(layer => [layer.id, layer]));
  });
  return () => read(engine.installed());
}
