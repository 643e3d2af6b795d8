import { type Catalog, layerOf } from './catalog.ts';
import { labelsOf } from './codes/maps.ts';
import type { Field, Value } from './dataset.ts';
import type { Expression } from './grammar/expression.ts';

/** Compass sectors of raster_terrain's aspect_cardinal, and level ground. */
const ASPECTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW', 'flat'];
/** How a parcel was matched: the values of `parcel_attr(@match_type)`. */
const MATCH_TYPES = ['contains', 'nearest', 'address'];

function listOf(catalog: Catalog, call: Expression): readonly Exclude<Value, null>[] | null {
  const { map, agg } = call.options;
  if (map !== undefined) return labelsOf(String(map));
  if (call.op === 'raster_terrain' && call.argument === 'aspect_cardinal') return ASPECTS;
  if (call.op === 'parcel_attr') return call.argument === '@match_type' ? MATCH_TYPES : null;
  if (!['polygon_attr', 'nearest_attr', 'area_key_attr'].includes(call.op) || agg !== undefined) return null;
  const [source] = call.sources;
  const layer = layerOf(catalog.datasets, source!.dataset, source!.layer);
  return layer.kind === 'raster' ? null : (layer.columns[call.argument!]?.values ?? null);
}

/**
 * Every value that a field can have, when its publisher has a closed list.
 * @returns null when the list is open, or when the field is a number or a boolean.
 */
export function closedListOf(catalog: Catalog, field: Field): readonly Exclude<Value, null>[] | null {
  return listOf(catalog, field.expression);
}
