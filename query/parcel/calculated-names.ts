import type { Catalog } from '../../datasets/catalog.ts';
import type { Release } from '../release/open-release.ts';
import { areaKeyOf, isAreaField, keyNameOf } from './built-columns.ts';

/** Names whose calculations a release holds for the parcels of at least one partition. */
export function calculatedNames(release: Release, catalog: Catalog): Set<string> {
  const names = new Set<string>();
  const keys = new Set<string>();
  for (const overlays of Object.values(release.manifest.overlays ?? {}))
    for (const [overlay, { fields }] of Object.entries(overlays)) {
      const key = areaKeyOf(overlay);
      if (key !== null) keys.add(key);
      else for (const field of fields) names.add(field);
    }
  for (const field of catalog.fields.values()) {
    const source = field.expression.sources[0];
    if (isAreaField(field) && keys.has(keyNameOf(field)) && source && release.layer(source.dataset, source.layer))
      names.add(field.name);
  }
  return names;
}
