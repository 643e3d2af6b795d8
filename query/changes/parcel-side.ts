import { readFileSync } from 'node:fs';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Field, Value } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { type GroundKind, groundWords } from '../../datasets/place/ground-kind.ts';
import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import type { Finding } from '../evaluate/finding.ts';
import { isAreaField, keyNameOf } from '../parcel/built-columns.ts';
import { Calculated } from '../parcel/calculated-values.ts';
import { analysisPointOf } from '../parcel/parcel-match.ts';
import { storedIn } from '../parcel/stored-columns.ts';
import type { Feature, Features } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import { isIn, type Share } from './rows.ts';
import type { StackLine } from './stack-line.ts';
import type { Work } from './work.ts';

/** Memory of a key with its number: an estimate. */
const KEY_BYTES = 120;

const NO_RANKS: ReadonlyMap<string, number> = new Map();

/** What a release says of a parcel under a name. */
export interface ParcelValue {
  readonly value: Value;
  readonly status: Finding['status'];
}

/** The parcels of one county in one release. */
export class ParcelSide {
  readonly features: Features;
  readonly #calculated: Calculated;
  readonly #layers: Layers;
  readonly #catalog: Catalog;
  readonly #county: Partition;

  private constructor(layers: Layers, catalog: Catalog, county: Partition, features: Features) {
    this.#layers = layers;
    this.#catalog = catalog;
    this.#county = county;
    this.features = features;
    this.#calculated = new Calculated(layers, catalog, county);
  }

  /** @throws Fault or DamagedFile when the file of the parcels cannot be read. */
  static async open(layers: Layers, catalog: Catalog, county: Partition): Promise<ParcelSide> {
    return new ParcelSide(layers, catalog, county, await layers.features(county));
  }

  /** Whether a name is an attribute that rows have themselves. */
  #isColumn(name: string): boolean {
    const isPublished = !this.#county.unpublished.includes(name) && this.features.file.hasColumn(name);
    return isPublished && Object.hasOwn(PARCEL_ATTRIBUTES, name);
  }

  /** Whether the release says anything of parcels under a name. */
  has(name: string): boolean {
    return this.#isColumn(name) || this.#calculated.fields().has(name);
  }

  /**
   * What the values of a name are decided by beside the parcels' own file: equal for equal values. Null where that is not
   * known.
   */
  source(name: string): string | null {
    if (this.#isColumn(name)) return '';
    const { sha256 } = this.#file;
    const { columns, keys } = storedIn(this.#layers.release.manifest.overlays?.[sha256]);
    const field = this.#catalog.fields.get(name);
    const isArea = field !== undefined && isAreaField(field);
    const overlay = isArea ? keys.get(keyNameOf(field)) : columns.get(name)?.overlay;
    if (!overlay || overlay.retry) return null;
    return isArea ? `${overlay.inputs} ${this.#tableOf(field)}` : overlay.inputs;
  }

  /** The table that a field is looked up in; with the day where its rows are chosen by it. */
  #tableOf({ expression }: Field): string {
    const { dataset, layer } = expression.sources[0]!;
    const { release } = this.#layers;
    const day = expression.text.includes('@today') ? release.manifest.asOf : '';
    return `${release.layer(dataset, layer)?.version} ${day}`;
  }

  /** Key → `ord` of the parcels of a share, in the order of `ord`; kept for the next page. */
  async keys(share: Share, work: Work): Promise<ReadonlyMap<string, number>> {
    const { cache } = this.#layers;
    const id = `parcel keys ${this.#layers.idOf(this.#file)} ${share.number} of ${share.of}`;
    const cached = cache.get(id) as ReadonlyMap<string, number> | undefined;
    if (cached) return cached;
    const { file } = this.features;
    const pick = file.columnPick(['parcel_key']);
    const keys = new Map<string, number>();
    for (let ord = 0; ord < file.count; ord++) {
      if (work.step()) await work.rest();
      const key = file.pick(ord, pick).parcel_key;
      if (typeof key === 'string' && isIn(share, key)) keys.set(key, ord);
    }
    cache.set(id, keys, 200 + keys.size * KEY_BYTES);
    return keys;
  }

  /**
   * Keys of stacked parcels of which only the order of rows said which one they are, with the number of releases in which it did.
   * @throws Fault when the file cannot be read.
   */
  async ranks(): Promise<ReadonlyMap<string, number>> {
    const file = this.#county.files.find(({ role }) => role === 'stacks');
    if (!file) return NO_RANKS;
    return this.#layers.open(file, path => {
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      const ranked = lines.map(line => JSON.parse(line) as StackLine).filter(([, , times]) => times > 0);
      return { value: new Map(ranked.map(([key, , times]) => [key, times])), bytes: 200 + ranked.length * KEY_BYTES };
    });
  }

  /**
   * What the ground of a parcel of another release is in this one, as its publisher marks it: `a road of the parcel file (US-2)`; null
   * where it is no such ground.
   * @throws Fault or DamagedFile when the ground cannot be read.
   */
  async groundOf({ properties }: Feature): Promise<string | null> {
    const point = analysisPointOf(properties);
    if (!point) return null;
    for (const ground of await this.#layers.beside(this.#county, 'ground'))
      for (const { properties: own } of ground.containing(point.lng, point.lat))
        if (own.number === properties.apn) return groundWords(own.kind as GroundKind, own.number as string | null);
    return null;
  }

  get #file(): ReleaseFile {
    return this.#layers.file(this.#county, 'features');
  }

  /** A reader of some names that the release has: what it says of a parcel under each. */
  reader(names: readonly string[]): (ord: number) => Promise<readonly ParcelValue[]> {
    const own = names.filter(name => this.#isColumn(name));
    const calculated = names.filter(name => !own.includes(name));
    const { file } = this.features;
    const pick = file.columnPick(own);
    return async ord => {
      const found = new Map<string, ParcelValue>();
      const row = own.length > 0 ? file.pick(ord, pick) : {};
      for (const name of own) {
        const value = row[name] === '' ? null : (row[name] ?? null);
        found.set(name, { value, status: value === null ? 'absent' : 'ok' });
      }
      const telling = this.#calculated.each(ord, calculated, (place, { status }, value) =>
        found.set(calculated[place]!, { value, status }),
      );
      if (telling instanceof Promise) await telling;
      return names.map(name => found.get(name)!);
    };
  }
}
