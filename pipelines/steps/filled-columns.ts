import type { Layer } from '../../datasets/dataset.ts';
import { joinsOf, type WrittenLayer } from '../../datasets/place/place.ts';

/** Columns that the ingest fills itself: computed ones, and how a point was placed where a join places it. */
export function filledByIngest(layer: Pick<WrittenLayer, 'join'>, target: Layer): string[] {
  if (target.kind === 'raster') return [];
  const computed = Object.keys(target.columns).filter(name => target.columns[name]!.computed);
  const places = target.kind === 'vector' && target.placement && joinsOf(layer).some(join => join?.geometry);
  return places ? [...computed, target.placement!.column] : computed;
}
