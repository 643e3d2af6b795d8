import { catalog as builtIn, type Catalog } from '../../datasets/catalog.ts';
import { defineDataset, type Field } from '../../datasets/dataset.ts';
import type { ParcelAttribute } from '../../datasets/parcel/parcel-attribute.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { PARCEL_OVERLAYS } from '../../datasets/parcel/parcel-overlays.ts';
import { PARCEL_STEPS } from '../../datasets/parcel/parcel-steps.ts';
import type { Partition } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { partsOf } from '../../query/release/part.ts';

/** The computed attributes as fields, of which only type and expression matter. */
function attributeFields(): Field[] {
  const fields = Object.entries(PARCEL_OVERLAYS).map(([name, { expression, confidence }]) => {
    const { type, unit, description }: ParcelAttribute = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES];
    const common = { layer: 'parcels' as const, title: name, description, ttlSeconds: 0, hint: '' };
    // A labelled value is evaluated as what it is and labelled afterwards.
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

/** A catalog with the attributes of parcels that are computed, as fields of parcel_store after all others. */
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

/** Whether a name is an attribute of parcels that some source of theirs does not publish: then it is computed. */
export const isUnpublished = (parcels: Partition, columns: readonly string[], name: string): boolean =>
  !columns.includes(name) || partsOf(parcels).some(part => part.unpublished.includes(name));

/** How the values of a computed attribute are labelled, where they are. */
export const labelsOf = (name: string): Readonly<Record<string, string>> | null =>
  (Object.hasOwn(PARCEL_OVERLAYS, name) && PARCEL_OVERLAYS[name as keyof typeof PARCEL_ATTRIBUTES]?.labels) || null;
