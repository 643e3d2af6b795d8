import { type Catalog, walk } from '../../datasets/catalog.ts';
import { type Expression, parseExpression, type SourceRef } from '../../datasets/grammar/expression.ts';
import { PARCEL_OVERLAYS, type ParcelOverlay } from '../../datasets/parcel/parcel-overlays.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';
import { layersOfKey } from './area-key.ts';
import { storedLayerOf } from './raster/terrain.ts';

const parsed = new Map<string, Expression>();

/** How a column of parcels is computed from other layers where their source does not publish it; null for most. */
export function overlayExpression(column: string): Expression | null {
  if (!Object.hasOwn(PARCEL_OVERLAYS, column)) return null;
  const { expression } = (PARCEL_OVERLAYS as Readonly<Record<string, ParcelOverlay>>)[column]!;
  const cached = parsed.get(column) ?? parseExpression(expression);
  parsed.set(column, cached);
  return cached;
}

/**
 * The expression that stands in for a column which the source of a parcel does not publish, so that a field of the column
 * says what the stored attribute says.
 * @returns null where the column is published, or the release lacks what it would be computed from.
 */
export function standInFor(column: string, { unpublished }: Partition, release: Release): Expression | null {
  if (!unpublished.includes(column)) return null;
  const expression = overlayExpression(column);
  const installed = expression?.sources.every(({ dataset, layer }) => release.layer(dataset, layer) !== null);
  return installed ? expression : null;
}

/** The layers that a column may be computed from. */
export const standInSources = (column: string): readonly SourceRef[] => overlayExpression(column)?.sources ?? [];

/** `dataset:layer` of all that a column of parcels is computed from where its source does not publish it; empty for most. */
export function overlayLayers(column: string): string[] {
  const expression = overlayExpression(column);
  if (!expression) return [];
  return [
    ...expression.sources.map(({ dataset, layer }) => `${dataset}:${storedLayerOf(layer)}`),
    ...layersOfKey(String(expression.options.key)).map(({ dataset, layer }) => `${dataset}:${layer}`),
  ];
}

/** `dataset:layer` of all that a field may read in place of columns of parcels, its inputs left out. */
export function standInLayers(catalog: Catalog, field: string): string[] {
  const layers = new Set<string>();
  walk(catalog.fields.get(field)!.expression, ({ op, argument }) => {
    if (op !== 'parcel_attr') return;
    for (const { dataset, layer } of standInSources(argument!)) layers.add(`${dataset}:${layer}`);
  });
  return [...layers].sort();
}
