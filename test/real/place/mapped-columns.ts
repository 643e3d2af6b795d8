import type { ColumnExpression, Place } from '../../../datasets/place/place.ts';
import { places } from '../../../datasets/places.ts';

/** Real places with parcels: a place of this build that is not made up. */
export const withParcels: readonly Place[] = [...places.values()].filter(
  place => !place.synthetic && place.layers.some(layer => layer.dataset === 'parcel_store'),
);
/** The one with the fewest files. */
export const SHORTEST = 'forest-city-nc';

/** One mapped column of a place: the layer and file, the target, and the published columns its value is read from. */
export interface Mapped {
  readonly layer: string;
  readonly file: string;
  readonly target: string;
  readonly sources: string;
}

/** Published columns that a value is read from; conditions (`when`) only say of which rows. */
function readBy(expression: ColumnExpression): string[] {
  if (typeof expression === 'string') return [expression];
  const { from, template, sum } = expression;
  const read = from === undefined ? [] : typeof from === 'string' ? [from] : from.flatMap(readBy);
  return [...read, ...[...(template ?? '').matchAll(/\{([^{}]+)\}/g)].map(m => m[1]!), ...(sum ?? [])];
}

/** The columns of a place that are read from published ones; constants are none of them. */
export function mappedColumns(place: Place): Mapped[] {
  return place.layers.flatMap(({ dataset, layer, file, columns }) =>
    Object.entries(columns).flatMap(([target, expression]) => {
      const sources = [...new Set(readBy(expression))].sort().join(' + ');
      return sources === '' ? [] : [{ layer: `${dataset}:${layer}`, file, target, sources }];
    }),
  );
}

/** A mapped column that came back otherwise. */
export interface Miss extends Mapped {
  /** What was mapped instead; null where nothing was. */
  readonly found: string | null;
}

/** How many of the committed mapped columns a made place has from the same published columns, and which it has not. */
export function compareColumns(committed: Place, made: Place): { wanted: number; right: number; misses: Miss[] } {
  const name = ({ layer, file, target }: Mapped) => `${layer} ${file} ${target}`;
  const found = new Map(mappedColumns(made).map(mapped => [name(mapped), mapped.sources]));
  const wanted = mappedColumns(committed);
  const misses = wanted
    .map(mapped => ({ ...mapped, found: found.get(name(mapped)) ?? null }))
    .filter(miss => miss.found !== miss.sources);
  return { wanted: wanted.length, right: wanted.length - misses.length, misses };
}
