import { createHash } from 'node:crypto';
import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import { correctionsOf } from '../release/corrections/correction-list.ts';
import type { Release } from '../release/open-release.ts';
import { withheldList } from '../release/withheld/withheld-list.ts';
import { layersOfKey } from './area-key.ts';
import { panelsOf } from './edge/mapped.ts';
import { standInLayers } from './parcel-stand-in.ts';
import { storedLayerOf } from './raster/terrain.ts';

/**
 * Every `dataset:layer` a field reads: its sources, the layers of `coverage=` and of its area keys, the parcels, and all
 * of these of its inputs.
 * @returns sorted, each once.
 */
export const layersRead = (catalog: Catalog, name: string): string[] => layersOf(catalog, name, true);

/** Those without which a field cannot be answered: where panels are missing, the coverage of the layer itself decides. */
export const layersNeeded = (catalog: Catalog, name: string): string[] => layersOf(catalog, name, false);

function layersOf(catalog: Catalog, name: string, withPanels: boolean): string[] {
  const layers = new Set<string>();
  const seen = new Set<string>();
  const visit = (field: string) => {
    if (seen.has(field)) return;
    seen.add(field);
    const { expression } = catalog.fields.get(field)!;
    walk(expression, call => {
      for (const { dataset, layer } of call.sources) layers.add(`${dataset}:${storedLayerOf(layer)}`);
      const { key, over } = call.options;
      const panels = withPanels ? panelsOf(call) : null;
      if (panels) layers.add(`${panels.dataset}:${panels.layer}`);
      for (const polygons of layersOfKey(String(key))) layers.add(`${polygons.dataset}:${polygons.layer}`);
      if (call.op === 'parcel_attr' || over === 'parcel') layers.add('parcel_store:main');
    });
    for (const input of inputFields(expression)) visit(input);
  };
  visit(name);
  return [...layers].sort();
}

/**
 * A short hash that changes exactly when a layer that the field reads changes (or, for conditions on `@today`, the
 * release's as-of date).
 * @throws RangeError when the catalog has no such field.
 */
export function versionOf(catalog: Catalog, release: Release | null, name: string): string {
  const field = catalog.fields.get(name);
  if (!field) throw new RangeError(`No field ${name} in the catalog`);
  const parts = [...layersRead(catalog, name), ...standInLayers(catalog, name)].map(id => {
    const [dataset, layer] = id.split(':') as [string, string];
    return `${id}=${release?.layer(dataset, layer)?.version ?? ''}`;
  });
  const withheld =
    release && parts.some(part => part.startsWith('parcel_store:main=')) ? withheldList(release.home).stamp : '';
  if (withheld !== '') parts.push(withheld);
  const corrected = release ? correctionsOf(release).fields.get(name) : undefined;
  if (corrected) parts.push(corrected.stamp);
  if (field.expression.text.includes('@today')) parts.push(`asOf=${release?.manifest.asOf ?? ''}`);
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
