import { catalog } from '../../datasets/catalog.ts';
import { type Layer, marginColumns } from '../../datasets/dataset.ts';
import {
  joinsOf,
  type Place,
  type PlaceFile,
  type PlaceLayer,
  type Provenance,
  type WrittenLayer,
} from '../../datasets/place/place.ts';
import { filledByIngest } from '../steps/layer-columns.ts';

/** The word in `unpublished` that means every column that is not mapped. */
export const REST = 'rest';

/** Returns the columns that `unpublished` lists, and whether it includes all the rest. */
export function unpublishedOf({ unpublished = [] }: Pick<WrittenLayer, 'unpublished'>): {
  rest: boolean;
  listed: readonly string[];
} {
  if (typeof unpublished === 'string') return { rest: true, listed: [] };
  return { rest: unpublished.includes(REST), listed: unpublished.filter(entry => entry !== REST) };
}

/** Returns the columns of a layer that neither the mapping nor the ingest fills. */
export function unmapped(layer: Pick<WrittenLayer, 'columns' | 'join'>, target: Layer): string[] {
  if (target.kind === 'raster') return [];
  const filled = filledByIngest(layer, target);
  return Object.keys(target.columns).filter(name => !filled.includes(name) && !Object.hasOwn(layer.columns, name));
}

/** Whether a column only holds margins of error: where a file has none, nothing else is lost. */
export const isMargin = (target: Layer, name: string): boolean =>
  target.kind !== 'raster' && marginColumns(target.columns).includes(name);

/** Returns a sentence for the note of a layer whose rows get their geometry from a join; null for others. */
function placed(layer: Pick<WrittenLayer, 'join' | 'geometry'>, target: Layer): string | null {
  const join = joinsOf(layer).find(join => join.geometry);
  if (!join || target.kind !== 'vector') return null;
  return (layer.geometry ?? target.geometry) === 'point'
    ? `Rows without coordinates of their own stand at a point inside what joins to them (${join.file}), not on a building.`
    : `Rows without a geometry of their own have that of what joins to them (${join.file}).`;
}

function expandLayer({ unpublished, provenance, ...layer }: WrittenLayer, defaults: Partial<Provenance>): PlaceLayer {
  const { rest, listed } = unpublishedOf({ unpublished });
  const target = catalog.datasets.get(layer.dataset)!.layers[layer.layer]!;
  const silent = unmapped(layer, target).filter(name => !listed.includes(name));
  const others = rest ? silent : silent.filter(name => isMargin(target, name));
  const told = { ...defaults, ...provenance } as Provenance;
  const notes = [told.note, placed(layer, target)].filter(note => note !== null);
  return {
    ...layer,
    ...(unpublished === undefined && others.length === 0 ? {} : { unpublished: [...listed, ...others] }),
    provenance: { ...told, note: notes.length > 0 ? notes.join(' ') : null },
  };
}

/**
 * Returns the place of a checked file. Every layer has the defaults of the provenance, and `rest` is replaced by the columns.
 * @param file without problems (checkPlace).
 */
export function expandPlace(file: PlaceFile): Place {
  const { extends: _, abstract: __, provenance = {}, layers, ...head } = file;
  return { ...head, layers: layers.map(layer => expandLayer(layer, provenance)) };
}
