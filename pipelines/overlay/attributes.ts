import { catalog as builtIn, type Catalog } from '../../datasets/catalog.ts';
import { defineDataset, type Field } from '../../datasets/dataset.ts';
import type { ParcelAttribute } from '../../datasets/parcel/parcel-attribute.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { PARCEL_OVERLAYS } from '../../datasets/parcel/parcel-overlays.ts';
import { PARCEL_STEPS } from '../../datasets/parcel/parcel-steps.ts';
import type { Partition } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { partsOf } from '../../query/release/part.ts';

/** Returns the computed attributes as fields; only type and expression matter. */
function attributeFields(): Field[] {
  const fields = Object.entries(PARCEL_OVERLAYS).map(([name, { expression, confidence }]) => {
    const { type, unit, description }: ParcelAttribute = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES];
    const common = { layer: 'parcels' as const, title: name, description, ttlSeconds: 0, hint: '' };
    // A labelled value is evaluated as its code and labelled afterwards.
    const labels = PARCEL_OVERLAYS[name as keyof typeof PARCEL_ATTRIBUTES]?.labels;
    return [
      name,
      {
        ...common,
        type: labels ? ('boolean' as const) : type,
        ...(unit ? { unit } : {}),
        precision: PARCEL_STEPS.get(name),
        expression,
        confidence,
      },
    ];
  });
  return [
    ...defineDataset({
      id: PARCELS.dataset,
      title: '',
      publisher: '',
      url: '',
      format: '',
      licence: '',
      cadence: '',
      vintageRule: '',
      layers: {},
      fields: Object.fromEntries(fields),
    }).fields,
  ];
}

const overlayCatalogs = new WeakMap<Catalog, Catalog>();

/** Returns a catalog in which the computed attributes of parcels are fields of parcel_store, after all others. */
export function overlayCatalog(catalog: Catalog = builtIn): Catalog {
  let extended = overlayCatalogs.get(catalog);
  if (!extended) {
    const attributes = attributeFields().filter(field =>
      field.expression.sources.every(({ dataset, layer }) => catalog.datasets.get(dataset)?.layers[layer]),
    );
    extended = { ...catalog, fields: new Map([...catalog.fields, ...attributes.map(f => [f.name, f] as const)]) };
    overlayCatalogs.set(catalog, extended);
  }
  return extended;
}

/** Whether a name is an attribute that some source of these parcels does not publish, so that it is computed. */
export const isUnpublished = (parcels: Partition, columns: readonly string[], name: string): boolean =>
  !columns.includes(name) || partsOf(parcels).some(part => part.unpublished.includes(name));

/** Returns the labels of a computed attribute's values; null if it has none. */
export const labelsOf = (name: string): Readonly<Record<string, string>> | null =>
  (Object.hasOwn(PARCEL_OVERLAYS, name) && PARCEL_OVERLAYS[name as keyof typeof PARCEL_ATTRIBUTES]?.labels) || null;
