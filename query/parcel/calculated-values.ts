import type { Catalog } from '../../datasets/catalog.ts';
import type { Value } from '../../datasets/dataset.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { OWNER_FIELD } from '../../datasets/parcel/owner-columns.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Overlay, Partition, ReleaseFile } from '../../datasets/release.ts';
import { SITING_COLUMNS } from '../../datasets/siting-columns.ts';
import type { Finding } from '../evaluate/finding.ts';
import { overlayLayers } from '../evaluate/parcel-stand-in.ts';
import type { Layers } from '../release/layers.ts';
import { after, type MaybePromise } from '../release/maybe-promise.ts';
import { withheldList } from '../release/withheld/withheld-list.ts';
import { withheldReason } from '../release/withheld/withheld-rows.ts';
import { distinctAreas } from './area-column.ts';
import { areaValues, type StoredArea } from './area-value.ts';
import { areaOverlayOf, COVER, isAreaField, keyNameOf } from './built-columns.ts';
import { foundIn, placesIn, type ReadPlan } from './read-plan.ts';
import type { Reason } from './reason.ts';
import type { RecordFile } from './record-file.ts';
import { openRecords } from './record-file.ts';
import { isPublished } from './stored-attribute.ts';
import { fileOf, type Stored, storedIn, withoutOwners } from './stored-columns.ts';

/** Whether a name is one whose values are calculated for each parcel. */
const isCalculation = ({ fields }: Catalog, name: string): boolean =>
  fields.has(name) || SITING_COLUMNS.has(name) || Object.hasOwn(ENRICH_ONLY, name);

/** Where the values of a field stand. */
interface Located {
  /** Overlay: the field's dataset, alone or with others that feed it, or that of its area key. */
  readonly dataset: string;
  /** `column`: the Parquet column holds the values. `area_key`: it holds numbers of areas, see `areas`. */
  readonly kind: 'column' | 'area_key';
  /** Parquet file in the order of `ord`; verify it before reading. */
  readonly file: ReleaseFile;
  /** Name of the column in that file: the field, or `<key>:area`. Codes of a value column stand in `<field>:code`. */
  readonly column: string;
}

/** A stored finding. */
interface StoredFinding extends Finding {
  /** When it was computed: UTC with milliseconds and Z. */
  readonly computedAt: string;
}

/** One area of the parcels of a partition and what a table says of it. */
interface AreaFinding {
  /** The number that stands in the column `<key>:area`. */
  readonly area: number;
  readonly finding: Finding;
}

/** Told a stored finding, see Calculated.each. */
export type Take = (place: number, shared: Finding, value: Value, computedAt: string) => void;

/** Tells what a file holds of a parcel under some names. */
function tell(records: RecordFile, places: ReadonlyMap<string, number>, ord: number, take: Take): void {
  const { fields, names } = placesIn(records, places);
  const { computedAt } = records;
  records.each(ord, fields, (i, shared, value) => take(names[i]!, shared, value, computedAt));
}

/** Tells all of a parcel but its owner, which is withheld. */
const withoutOwner =
  (names: readonly string[], take: Take): Take =>
  (place, shared, value, computedAt) => {
    if (names[place] !== OWNER_FIELD) return take(place, shared, value, computedAt);
    const notes = [withheldReason('owner'), ...shared.notes];
    take(place, { ...shared, status: 'absent', value: null, notes }, null, computedAt);
  };

/**
 * The calculations that are stored for the parcels of one partition of a release. Make one a request, as Layers: it
 * opens what it needs, and files stay in the worker's cache.
 */
export class Calculated {
  readonly #layers: Layers;
  readonly #catalog: Catalog;
  readonly #parcels: Partition;
  readonly #stored: Stored;
  /** Whether the operator withholds any owner. */
  readonly #withholds: boolean;
  readonly #plans = new WeakMap<readonly string[], ReadPlan>();
  #fields: ReadonlySet<string> | null = null;

  /** @param parcels partition of parcel_store:main. */
  constructor(layers: Layers, catalog: Catalog, parcels: Partition) {
    this.#layers = layers;
    this.#catalog = catalog;
    this.#parcels = parcels;
    const file = parcels.files.find(f => f.role === 'features');
    const { overlays } = layers.release.manifest;
    const stored = storedIn(
      file && overlays && Object.hasOwn(overlays, file.sha256) ? overlays[file.sha256] : undefined,
    );
    this.#withholds = withheldList(layers.release.home).stamp !== '';
    this.#stored = this.#withholds ? withoutOwners(stored) : stored;
  }

  /** Names whose values are stored, or follow from stored area keys. A name that is not among them was never built. */
  fields(): ReadonlySet<string> {
    if (!this.#fields) {
      const names = new Set(this.#stored.columns.keys());
      for (const [name, field] of this.#catalog.fields) if (isAreaField(field) && this.locate(name)) names.add(name);
      this.#fields = names;
    }
    return this.#fields;
  }

  /** Where a field's values stand for scanning; null for a field that was not built here. */
  locate(name: string): Located | null {
    const key = this.#keyName(name);
    if (key !== null) {
      const source = this.#catalog.fields.get(name)!.expression.sources[0]!;
      const overlay = this.#stored.keys.get(key);
      if (!overlay || !this.#layers.release.layer(source.dataset, source.layer)) return null;
      return { dataset: areaOverlayOf(key), kind: 'area_key', file: fileOf(overlay, 'columns'), column: `${key}:area` };
    }
    const place = this.#stored.columns.get(name);
    // Releases of before 2 December 2026 have calculations of enrichment alone without columns.
    if (!place?.overlay.files.some(({ role }) => role === 'columns')) return null;
    return { dataset: place.dataset, kind: 'column', file: fileOf(place.overlay, 'columns'), column: name };
  }

  /**
   * Whether a calculation that a search may name was not carried out for these parcels, as after an ingest without overlays:
   * nothing is known of its values.
   */
  isMissing(name: string): boolean {
    if (this.#parcels.rows === 0 || this.locate(name)) return false;
    if (!Object.hasOwn(PARCEL_ATTRIBUTES, name)) return isCalculation(this.#catalog, name);
    const needed = overlayLayers(name);
    if (!needed.length || isPublished(this.#layers, this.#parcels, name)) return false;
    return needed.every(id => {
      const [dataset, layer] = id.split(':') as [string, string];
      return this.#layers.release.layer(dataset, layer) !== null;
    });
  }

  /**
   * What was found for one parcel; names that were not built are left out.
   * @param ord of the parcel in its partition.
   * @throws Fault or DamagedFile when a file that holds one of the names is missing or damaged, RangeError when there is
   *   no such parcel.
   */
  async findings(ord: number, names: Iterable<string>): Promise<Map<string, StoredFinding>> {
    const found = new Map<string, StoredFinding>();
    const list = [...names];
    await this.each(ord, list, (place, shared, value, computedAt) =>
      found.set(list[place]!, { ...shared, value, computedAt }),
    );
    return found;
  }

  /**
   * As findings, told one by one: for hundreds of fields of hundreds of parcels.
   * @param names the same list for all parcels: where their values stand is found once.
   * @param take gets the place in `names`, a finding whose value does not matter and that is one object for all of one
   *   reason, the value, and when it was computed.
   */
  each(ord: number, names: readonly string[], take: Take): MaybePromise<void> {
    if (!this.#withholds || !names.includes(OWNER_FIELD)) return this.#each(ord, names, take);
    return after(this.#layers.features(this.#parcels), ({ file }) =>
      this.#each(ord, names, file.isWithheld(ord) ? withoutOwner(names, take) : take),
    );
  }

  #each(ord: number, names: readonly string[], take: Take): MaybePromise<void> {
    const plan = this.#planOf(names);
    const { columns } = plan;
    for (let i = 0; i < columns.length; i++) {
      const records = this.#records(columns[i]!.overlay);
      if (records instanceof Promise) return this.#eachFrom(i, plan, ord, names, take);
      tell(records, columns[i]!.places, ord, take);
    }
    return plan.areas.length === 0 ? undefined : this.#eachFrom(columns.length, plan, ord, names, take);
  }

  /** Goes on with a column, waiting for files. */
  async #eachFrom(first: number, plan: ReadPlan, ord: number, names: readonly string[], take: Take): Promise<void> {
    const { columns, areas } = plan;
    for (const { overlay, places } of columns.slice(first)) tell(await this.#records(overlay), places, ord, take);
    for (const { key, places } of areas) {
      const opening = this.#records(this.#stored.keys.get(key)!);
      const records = 'then' in opening ? await opening : opening;
      const { computedAt } = records;
      const stored = new Map<string, { readonly shared: Finding; readonly value: Value }>();
      records.each(ord, records.places, (field, shared, value) =>
        stored.set(records.fields[field]!.name, { shared, value }),
      );
      const cover = stored.get(COVER)!;
      const { shared, value } = stored.get(key)!;
      const findings = foundIn(plan, shared, `${value} ${cover.value}`);
      for (const place of places) {
        // Where the tables' coverage could not be read nothing can be said of their values.
        let finding = cover.shared.status === 'failed' ? cover.shared : findings[place];
        if (!finding) {
          const area = { key: value === null ? shared : { ...shared, value }, cover: String(cover.value) };
          finding = await this.#areaFinding(names[place]!, area);
          if (finding.status !== 'failed') findings[place] = finding;
        }
        take(place, finding, finding.value, computedAt);
      }
    }
  }

  /** Where the values of names stand. */
  #planOf(names: readonly string[]): ReadPlan {
    let plan = this.#plans.get(names);
    if (!plan) {
      const columns = new Map<Overlay, Map<string, number>>();
      const areas = new Map<string, number[]>();
      for (const [i, name] of names.entries()) {
        const key = this.#keyName(name);
        const place = key === null ? this.#stored.columns.get(name) : undefined;
        if (place) {
          const places = columns.get(place.overlay) ?? new Map<string, number>();
          columns.set(place.overlay, places.set(name, i));
        } else if (key !== null && this.locate(name)) areas.set(key, [...(areas.get(key) ?? []), i]);
      }
      plan = {
        columns: [...columns].map(([overlay, places]) => ({ overlay, places })),
        areas: [...areas].map(([key, places]) => ({ key, places })),
        memo: new Map(),
      };
      this.#plans.set(names, plan);
    }
    return plan;
  }

  /**
   * What a table's field is in each area that parcels of the partition lie in.
   * @param name located as `area_key`.
   * @throws Fault or DamagedFile when the file of area keys is missing or damaged, RangeError for another name.
   */
  async areas(name: string): Promise<readonly AreaFinding[]> {
    const at = this.locate(name);
    if (at?.kind !== 'area_key') throw new RangeError(`${name} is not looked up by a stored area key`);
    const key = this.#keyName(name)!;
    const records = await this.#records(this.#stored.keys.get(key)!);
    const areas = await distinctAreas(this.#layers, at.file, key, records);
    const findings: AreaFinding[] = [];
    for (const { area, stored } of areas) findings.push({ area, finding: await this.#areaFinding(name, stored) });
    return findings;
  }

  /** What the table is known by that a field located as `area_key` is looked up in: it changes when the answers may. */
  tableOf(name: string): string {
    const { dataset, layer } = this.#catalog.fields.get(name)!.expression.sources[0]!;
    const { release } = this.#layers;
    return `${release.layer(dataset, layer)?.version ?? ''} ${release.manifest.asOf}`;
  }

  /**
   * What the codes of a value column stand for, by code.
   * @param name located as `column`.
   * @throws Fault or DamagedFile when its file is missing or damaged.
   */
  async reasons(name: string): Promise<readonly Reason[]> {
    const place = this.#stored.columns.get(name);
    return place ? (await this.#records(place.overlay)).reasons(name) : [];
  }

  /** The area key that a field is looked up by; null for a field that has values of its own. */
  #keyName(name: string): string | null {
    const field = this.#catalog.fields.get(name);
    return field && isAreaField(field) ? keyNameOf(field) : null;
  }

  #records(overlay: Overlay): RecordFile | Promise<RecordFile> {
    return openRecords(this.#layers, fileOf(overlay, 'records'));
  }

  /** One area's finding, kept as long as neither the table nor the keys change. */
  async #areaFinding(name: string, area: StoredArea): Promise<Finding> {
    const { cache } = this.#layers;
    const { status, value, notes, citations, near } = area.key;
    const id = `area ${name} ${this.tableOf(name)} ${status} ${value} ${area.cover} ${status === 'ok' ? '' : notes}${citations.map(c => `${c.source} ${c.vintage}`)}${near ? JSON.stringify(near) : ''}`;
    const cached = cache.get(id) as Finding | undefined;
    if (cached) return cached;
    const [finding] = await areaValues(this.#layers, this.#catalog, name, [area]);
    // A failure may pass: it is asked for again.
    if (finding!.status !== 'failed') cache.set(id, finding!, 400 + id.length * 2);
    return finding!;
  }
}
