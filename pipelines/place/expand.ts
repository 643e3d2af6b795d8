import { catalog } from '../../datasets/catalog.ts';
import type { Layer } from '../../datasets/dataset.ts';
import type { Place, PlaceFile, PlaceLayer, Provenance, WrittenLayer } from '../../datasets/place.ts';

/** What stands in `unpublished` for every column that is not mapped. */
export const REST = 'rest';

/** What `unpublished` lists, and whether it means all the rest besides. */
export function unpublishedOf({ unpublished = [] }: Pick<WrittenLayer, 'unpublished'>): {
  rest: boolean;
  listed: readonly string[];
} {
  if (typeof unpublished === 'string') return { rest: true, listed: [] };
  return { rest: unpublished.includes(REST), listed: unpublished.filter(entry => entry !== REST) };
}

/** Columns of a layer that neither the mapping nor the ingest fills. */
export function unmapped(layer: Pick<WrittenLayer, 'columns'>, target: Layer): string[] {
  if (target.kind === 'raster') return [];
  return Object.keys(target.columns).filter(
    name => !target.columns[name]!.computed && !Object.hasOwn(layer.columns, name),
  );
}

function expandLayer({ unpublished, provenance, ...layer }: WrittenLayer, defaults: Partial<Provenance>): PlaceLayer {
  const { rest, listed } = unpublishedOf({ unpublished });
  const target = catalog.datasets.get(layer.dataset)!.layers[layer.layer]!;
  const others = rest ? unmapped(layer, target).filter(name => !listed.includes(name)) : [];
  return {
    ...layer,
    ...(unpublished === undefined ? {} : { unpublished: [...listed, ...others] }),
    provenance: { ...defaults, ...provenance } as Provenance,
  };
}

/**
 * The place that a checked file means: defaults of the provenance stand in every layer, `rest` is spelt out.
 * @param file without problems (checkPlace).
 */
export function expandPlace(file: PlaceFile): Place {
  const { extends: _, abstract: __, provenance = {}, layers, ...head } = file;
  return { ...head, layers: layers.map(layer => expandLayer(layer, provenance)) };
}
