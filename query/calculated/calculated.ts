import type { Catalog } from '../../datasets/catalog.ts';
import type { Overlay, Partition, ReleaseFile } from '../../datasets/release.ts';
import type { Finding } from '../finding.ts';
import type { Layers } from '../layer.ts';
import { distinctAreas } from './area-column.ts';
import { areaValues, type StoredArea } from './area-value.ts';
import { AREA_OVERLAY, COVER, isAreaField, keyNameOf } from './built.ts';
import type { Reason } from './reason.ts';

/** Where the values of a field stand. */
export interface Located {
  /** Overlay: the field's dataset, or `area_keys`. */
  readonly dataset: string;
  /** `column`: the Parquet column holds the values. `area_key`: it holds numbers of areas, see `areas`. */
  readonly kind: 'column' | 'area_key';
  /** Parquet file in the order of `ord`; verify it before reading. */
  readonly file: ReleaseFile;
  /** Name of the column in that file: the field, or `<key>:area`. Codes of a value column stand in `<field>:code`. */
  readonly column: string;
}

/** A stored finding. */
export interface StoredFinding extends Finding {
  /** When it was computed: UTC with milliseconds and Z. */
  readonly computedAt: string;
}

/** One area of the parcels of a partition and what a table says of it. */
export interface AreaFinding {
  /** The number that stands in the column `<key>:area`. */
  readonly area: number;
  readonly finding: Finding;
}

interface Place {
  readonly dataset: string;
  readonly overlay: Overlay;
}

const placesOf = new WeakMap<object, ReadonlyMap<string, Place>>();
const NONE: ReadonlyMap<string, Place> = new Map();

/** Stored names of the overlays of one parcel file, found once. */
function placesIn(overlays: Readonly<Record<string, Overlay>> | undefined): ReadonlyMap<string, Place> {
  if (!overlays) return NONE;
  let places = placesOf.get(overlays);
  if (!places) {
    const found = new Map<string, Place>();
    for (const [dataset, overlay] of Object.entries(overlays))
      for (const field of overlay.fields) found.set(field, { dataset, overlay });
    places = found;
    placesOf.set(overlays, found);
  }
  return places;
}

const fileOf = ({ files }: Overlay, role: 'columns' | 'records'): ReleaseFile | undefined =>
  files.find(file => file.role === role);

/**
 * The calculations that are stored for the parcels of one partition of a release. Make one a request, as Layers: it
 * opens what it needs, and files stay in the worker's cache.
 */
export class Calculated {
  readonly #layers: Layers;
  readonly #catalog: Catalog;
  readonly #places: ReadonlyMap<string, Place>;
  #fields: ReadonlySet<string> | null = null;

  /** @param parcels partition of parcel_store:main. */
  constructor(layers: Layers, catalog: Catalog, parcels: Partition) {
    this.#layers = layers;
    this.#catalog = catalog;
    const file = parcels.files.find(f => f.role === 'features');
    const { overlays } = layers.release.manifest;
    this.#places = placesIn(
      file && overlays && Object.hasOwn(overlays, file.sha256) ? overlays[file.sha256] : undefined,
    );
  }

  /** Names whose values are stored, or follow from stored area keys. A name that is not among them was never built. */
  fields(): ReadonlySet<string> {
    if (!this.#fields) {
      const names = new Set(
        [...this.#places].flatMap(([name, { dataset }]) => (dataset === AREA_OVERLAY ? [] : [name])),
      );
      for (const [name, field] of this.#catalog.fields) if (isAreaField(field) && this.locate(name)) names.add(name);
      this.#fields = names;
    }
    return this.#fields;
  }

  /** Where a field's values stand for scanning; null for a field that was not built here. */
  locate(name: string): Located | null {
    const field = this.#catalog.fields.get(name);
    if (field && isAreaField(field)) {
      const source = field.expression.sources[0]!;
      const place = this.#places.get(keyNameOf(field));
      const file = place?.dataset === AREA_OVERLAY ? fileOf(place.overlay, 'columns') : undefined;
      if (!file || !this.#layers.release.layer(source.dataset, source.layer)) return null;
      return { dataset: AREA_OVERLAY, kind: 'area_key', file, column: `${keyNameOf(field)}:area` };
    }
    const place = this.#places.get(name);
    if (!place || place.dataset === AREA_OVERLAY) return null;
    const file = fileOf(place.overlay, 'columns');
    return file ? { dataset: place.dataset, kind: 'column', file, column: name } : null;
  }

  /**
   * What was found for one parcel; names that were not built are left out.
   * @param ord of the parcel in its partition.
   * @throws Fault or DamagedFile when a file that holds one of the names is missing or damaged, RangeError when there is
   *   no such parcel.
   */
  async findings(ord: number, names: Iterable<string>): Promise<Map<string, StoredFinding>> {
    const found = new Map<string, StoredFinding>();
    const columns = new Map<Overlay, Set<string>>();
    const areas: string[] = [];
    for (const name of names) {
      const at = this.locate(name);
      if (at?.kind === 'area_key') areas.push(name);
      const place = at && (at.kind === 'column' ? this.#places.get(name) : this.#places.get(this.#keyName(name)));
      if (!place) continue;
      const wanted = columns.get(place.overlay) ?? new Set();
      wanted.add(at.kind === 'column' ? name : this.#keyName(name));
      if (at.kind === 'area_key') wanted.add(COVER);
      columns.set(place.overlay, wanted);
    }
    const stored = new Map<string, StoredFinding>();
    for (const [overlay, wanted] of columns) {
      const opening = this.#layers.records(fileOf(overlay, 'records')!);
      const records = 'then' in opening ? await opening : opening;
      const { computedAt } = records;
      for (const [name, finding] of records.findings(ord, wanted)) stored.set(name, { ...finding, computedAt });
    }
    for (const [name, finding] of stored) if (this.locate(name)) found.set(name, finding);
    for (const name of areas) {
      const key = stored.get(this.#keyName(name))!;
      const cover = stored.get(COVER)!;
      // Where the tables' coverage could not be read nothing can be said of their values.
      const finding =
        cover.status === 'failed' ? cover : await this.#areaFinding(name, { key, cover: String(cover.value) });
      found.set(name, { ...finding, computedAt: key.computedAt });
    }
    return found;
  }

  /**
   * What a table's field is in each area that parcels of the partition lie in.
   * @param name located as `area_key`.
   * @throws Fault or DamagedFile when the file of area keys is missing or damaged, RangeError for another name.
   */
  async areas(name: string): Promise<readonly AreaFinding[]> {
    const at = this.locate(name);
    if (at?.kind !== 'area_key') throw new RangeError(`${name} is not looked up by a stored area key`);
    const { overlay } = this.#places.get(this.#keyName(name))!;
    const opening = this.#layers.records(fileOf(overlay, 'records')!);
    const records = 'then' in opening ? await opening : opening;
    const areas = await distinctAreas(this.#layers, at.file, this.#keyName(name), records);
    const findings: AreaFinding[] = [];
    for (const { area, stored } of areas) findings.push({ area, finding: await this.#areaFinding(name, stored) });
    return findings;
  }

  /**
   * What the codes of a value column stand for, by code.
   * @param name located as `column`.
   * @throws Fault or DamagedFile when its file is missing or damaged.
   */
  async reasons(name: string): Promise<readonly Reason[]> {
    const place = this.#places.get(name);
    if (!place) return [];
    return (await this.#layers.records(fileOf(place.overlay, 'records')!)).reasons(name);
  }

  readonly #keyName = (name: string): string => keyNameOf(this.#catalog.fields.get(name)!);

  /** One area's finding, kept as long as neither the table nor the keys change. */
  async #areaFinding(name: string, area: StoredArea): Promise<Finding> {
    const { dataset, layer } = this.#catalog.fields.get(name)!.expression.sources[0]!;
    const { release, cache } = this.#layers;
    const version = release.layer(dataset, layer)?.version ?? '';
    const { status, value, notes, citations } = area.key;
    const id = `area ${name} ${version} ${release.manifest.asOf} ${status} ${value} ${area.cover} ${status === 'ok' ? '' : notes}${citations.map(c => `${c.source} ${c.vintage}`)}`;
    const known = cache.get(id) as Finding | undefined;
    if (known) return known;
    const [finding] = await areaValues(this.#layers, this.#catalog, name, [area]);
    // A failure may pass: it is asked for again.
    if (finding!.status !== 'failed') cache.set(id, finding!, 400 + id.length * 2);
    return finding!;
  }
}
