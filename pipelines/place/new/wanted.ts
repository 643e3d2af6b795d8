import { type Catalog, inputFields, walk } from '../../../datasets/catalog.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { UsageError } from '../../../query/engine/command.ts';

/** Whether a layer of the catalog is to be part of a place. */
export type Wanted = (dataset: string, layer: string) => boolean;

/** Layers (`dataset:layer`) that a field reads, those of the fields in it included. */
function layersOf(catalog: Catalog, { expression, name }: Field, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const layers: string[] = catalog.parcelRecord.has(name) ? ['parcel_store:main'] : [];
  walk(expression, ({ sources }) => {
    for (const { dataset, layer } of sources) layers.push(`${dataset}:${layer}`);
  });
  return [...layers, ...inputFields(expression).flatMap(input => layersOf(catalog, catalog.fields.get(input)!, seen))];
}

/** Layers that a name means: of a preset, a field, a dataset or a layer; `parcel` means parcels. @throws UsageError */
function layersNamed(catalog: Catalog, name: string): readonly string[] {
  const all = (id: string) => Object.keys(catalog.datasets.get(id)!.layers).map(layer => `${id}:${layer}`);
  const preset = catalog.presets.get(name);
  const field = catalog.fields.get(name);
  if (preset) return preset.flatMap(one => layersOf(catalog, catalog.fields.get(one)!));
  if (field) return layersOf(catalog, field);
  if (name === 'parcel') return ['parcel_store:main'];
  const [dataset, layer] = name.split(':') as [string, string?];
  if (catalog.datasets.has(dataset) && layer === undefined) return all(dataset);
  if (catalog.datasets.get(dataset)?.layers[layer!]) return [name];
  throw new UsageError(
    `"${name}" is no preset, field, dataset or layer; presets: parcel, ${[...catalog.presets.keys()].join(', ')}; docs/catalog.md lists the others`,
  );
}

/**
 * Chooses layers by names of presets, fields, datasets or layers.
 * @param only those of these names; all where the list is empty. @param without but not those.
 * @throws UsageError naming what is none of these.
 */
export function wantedLayers(catalog: Catalog, only: readonly string[], without: readonly string[]): Wanted {
  const chosen = new Set(only.flatMap(name => layersNamed(catalog, name)));
  const left = new Set(without.flatMap(name => layersNamed(catalog, name)));
  return (dataset, layer) => {
    const name = `${dataset}:${layer}`;
    return (only.length === 0 || chosen.has(name)) && !left.has(name);
  };
}
