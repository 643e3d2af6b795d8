import type { Catalog } from '../../datasets/catalog.ts';
import type { ScalarType, Value } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Partition } from '../../datasets/release.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import type { ColumnPick } from '../format/column-pick.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { parcelId } from '../format/parcel-id.ts';
import { attributeOf } from '../parcel/stored-attribute.ts';
import type { Release } from '../release/open-release.ts';
import { countiesOf } from '../search/predicate/counties.ts';

/** A vector layer of a release, as it is read feature by feature. */
export interface CollectionRef {
  readonly dataset: string;
  readonly layer: string;
}

export const isParcels = ({ dataset, layer }: CollectionRef): boolean =>
  dataset === PARCELS.dataset && layer === PARCELS.layer;

/** The property of parcels that names them in every answer. */
export const PARCEL_ID = 'parcel_id';

/** Properties of the features of a layer with their types, under the publisher's names; null: the catalog has no such vector layer. */
export function propertiesOf({ datasets }: Catalog, ref: CollectionRef): ReadonlyMap<string, ScalarType> | null {
  const layer = datasets.get(ref.dataset)?.layers[ref.layer];
  if (layer?.kind !== 'vector') return null;
  const columns = isParcels(ref) ? PARCEL_ATTRIBUTES : layer.columns;
  const types = Object.entries(columns).map(([name, { type }]): [string, ScalarType] => [name, type]);
  return new Map(isParcels(ref) ? [[PARCEL_ID, 'string'], ...types] : types);
}

/** The files of a layer in the order in which features are listed. */
export function filesOf(release: Release | null, ref: CollectionRef): readonly Partition[] {
  if (isParcels(ref)) return countiesOf(release).map(({ partition }) => partition);
  const partitions = release?.layer(ref.dataset, ref.layer)?.partitions ?? [];
  return partitions.filter(({ files }) => files.some(({ role }) => role === 'features'));
}

/** Reads the properties of the rows of one file. */
export class FeatureRows {
  readonly #names: readonly string[];
  readonly #partition: Partition;
  readonly #file: FeatureFile;
  readonly #isParcels: boolean;
  readonly #all: ColumnPick;
  /** A filter asks for few properties: to read all of each row would take longer than to judge it. */
  readonly #picks = new Map<string, ColumnPick>();

  constructor(ref: CollectionRef, names: readonly string[], partition: Partition, file: FeatureFile) {
    this.#isParcels = isParcels(ref);
    this.#names = names;
    this.#partition = partition;
    this.#file = file;
    this.#all = file.columnPick(names.map(name => this.#columnOf(name)));
  }

  /** Values under all names as corrections have them, null where a row has none. @throws DamagedFile when it cannot be read. */
  properties(row: number): Record<string, Value> {
    const stored = this.#file.pick(row, this.#all);
    return Object.fromEntries(this.#names.map(name => [name, this.#valueIn(stored, name, row)]));
  }

  /** One of them. @throws DamagedFile when the row cannot be read. */
  value(row: number, name: string): Value {
    let pick = this.#picks.get(name);
    if (!pick) {
      pick = this.#file.columnPick([this.#columnOf(name)]);
      this.#picks.set(name, pick);
    }
    return this.#valueIn(this.#file.pick(row, pick), name, row);
  }

  /** The stored column that a property is made of. */
  #columnOf(name: string): string {
    return this.#isParcels && name === PARCEL_ID ? 'parcel_key' : name;
  }

  #valueIn(stored: Readonly<Record<string, Value>>, name: string, row: number): Value {
    if (!this.#isParcels) return stored[name] ?? null;
    const own = this.#file.corrected?.get(row)?.get(name);
    if (own !== undefined) return own;
    if (name === PARCEL_ID) return parcelId(stored.parcel_key ?? null);
    return attributeOf(name, { partition: this.#partition, feature: { properties: stored } });
  }
}
