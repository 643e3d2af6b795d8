import type { Column, Layer } from '../../datasets/dataset.ts';

/** Returns type and unit of a column as text: `number, ft`. */
export const typeWords = ({ type, unit }: Column): string => `${type}${unit ? `, ${unit}` : ''}`;

/** Returns the kind of a layer as text: `polygons with key GEOID`. */
export function layerWords(layer: Layer): string {
  if (layer.kind === 'raster') return `raster${layer.unit ? ` in ${layer.unit}` : ''}`;
  if (layer.kind === 'table') return `table keyed by ${layer.key.column}`;
  if (layer.kind === 'roads')
    return `road graph of lines as ${layer.model === 'osm' ? 'OpenStreetMap' : 'TIGER'} has them`;
  return `${layer.geometry}s${layer.joinKey ? ` with key ${layer.joinKey}` : ''}`;
}
