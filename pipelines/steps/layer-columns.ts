import type { Layer } from '../../datasets/dataset.ts';
import { columnsOf, parseCondition } from '../../datasets/grammar/condition.ts';
import { joinsOf, type PlaceLayer, type WrittenLayer } from '../../datasets/place/place.ts';
import { columnsOfExpression } from './normalise.ts';

/** Source columns a layer's mapping reads from its main file and those joined to it. */
export function columnsNeeded(layer: Pick<PlaceLayer, 'columns' | 'where' | 'ground' | 'join' | 'repeat'>): string[] {
  const names = Object.values(layer.columns).flatMap(columnsOfExpression);
  for (const where of [layer.where, ...(layer.ground ?? []).map(({ where }) => where)])
    if (where) names.push(...columnsOf(parseCondition(where)));
  for (const join of joinsOf(layer)) names.push(...columnsOfExpression(join.to));
  if (layer.repeat) names.push(layer.repeat.by, layer.repeat.column, ...columnsOf(parseCondition(layer.repeat.when)));
  return [...new Set(names)];
}

/** Columns that the ingest fills itself: computed ones, and how a point was placed where a join places it. */
export function filledByIngest(layer: Pick<WrittenLayer, 'join'>, target: Layer): string[] {
  if (target.kind === 'raster') return [];
  const computed = Object.keys(target.columns).filter(name => target.columns[name]!.computed);
  const places = target.kind === 'vector' && target.placement && joinsOf(layer).some(join => join?.geometry);
  return places ? [...computed, target.placement!.column] : computed;
}
