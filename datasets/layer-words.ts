import { catalog } from './catalog.ts';
import type { Field } from './dataset.ts';
import type { Partition } from './release.ts';

/** A layer, or the source of an expression. */
interface LayerRef {
  readonly dataset: string;
  readonly layer: string;
}

/** Products that are named one by one; of more the first stand for all. */
const MOST_NAMED = 3;

/** `dataset:layer`, or the dataset alone for its main layer: how programs name a source. */
export const nameOf = ({ dataset, layer }: LayerRef): string => (layer === 'main' ? dataset : `${dataset}:${layer}`);

/** A title with the name for programs behind it. */
export const withName = (title: string, name: string): string => `${title} (${name})`;

/**
 * The words for a layer in notes and reasons: its title, with a name behind it for programs, such as "flood hazard areas (fema_q3)".
 * @param from whose files answer: the products that they are. A stand-in is so named by itself. Of none it is the layer's name.
 */
export function layerWords(source: LayerRef, from: Iterable<Partition> = []): string {
  const products = [...new Set([...from].map(({ provenance }) => provenance.source).filter(Boolean))];
  const names = products.slice(0, MOST_NAMED).join(', ') || nameOf(source);
  const title = catalog.datasets.get(source.dataset)?.layers[source.layer]?.title ?? nameOf(source);
  return title === names ? names : withName(title, names);
}

/** What notes and reasons call a field: "Title" (name). */
export const fieldWords = ({ title, name }: Pick<Field, 'title' | 'name'>): string => withName(`"${title}"`, name);
