import { crsOf, type EsriGeometry, type SpatialReference } from '../../esri/esri-geometry.ts';
import { PageInstead, Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import type { Source, Tools } from '../source-reader.ts';
import { answer, Refused, type Said, Unaddressed } from './answer.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** A row as a service sends it: Esri JSON, or GeoJSON where it speaks no other. */
export interface ServiceRow {
  readonly id?: number | string;
  readonly attributes?: Attributes;
  readonly properties?: Attributes | null;
  readonly geometry?: EsriGeometry | null;
}

interface Page extends Said {
  /** Some say null for none. */
  readonly features?: readonly ServiceRow[] | null;
  readonly exceededTransferLimit?: boolean;
  readonly properties?: { readonly exceededTransferLimit?: boolean };
  readonly spatialReference?: SpatialReference;
  /** Of GeoJSON. */
  readonly crs?: { readonly properties?: { readonly name?: string } } | null;
  /** Coordinates are differences of whole numbers: what nobody asked for. */
  readonly transform?: object | null;
}

/** A layer of a feature or map service, as it describes itself. Servers from version 10.0 on say less and less of it. */
interface Description extends Said {
  readonly name?: string;
  readonly type?: string;
  readonly geometryType?: string | null;
  readonly subLayers?: readonly { readonly id: number; readonly name: string }[] | null;
  readonly layers?: readonly { readonly id: number; readonly name: string }[];
  readonly objectIdField?: string | null;
  readonly fields?: readonly { readonly name: string; readonly type: string }[] | null;
  readonly maxRecordCount?: number;
  readonly supportedQueryFormats?: string;
  readonly extent?: {
    readonly xmin?: number | string | null;
    readonly ymin?: number | string | null;
    readonly xmax?: number | string | null;
    readonly ymax?: number | string | null;
    readonly spatialReference?: SpatialReference;
  } | null;
  readonly editingInfo?: { readonly lastEditDate?: number; readonly dataLastEditDate?: number };
}

/** Features of one request. Services allow 1,000 to 2,000 by default, and are slow for layers with many fields. */
const PAGE = 1000;
/** Characters of an address that every server and firewall lets pass. */
const LONGEST_ADDRESS = 2000;
/** The first services of such layers: what was edited earlier says the least date that a program knows. */
const FIRST_EDIT = Date.UTC(1995, 0, 1);
/** Columns that no text of an answer holds, or that no order goes by. */
const UNORDERED = /Geometry|Blob|Raster|XML/;
/** Where a layer lies: its box in its own system, in the form that a query takes. */
interface Extent {
  readonly box: readonly [number, number, number, number];
  /** Code or WKT. */
  readonly system: string;
}

const systemOf = ({ wkid, wkt }: SpatialReference): string | null =>
  wkid !== undefined && wkid > 0 ? String(wkid) : wkt ? JSON.stringify({ wkt }) : null;

function extentOf({ extent }: Description): Extent | null {
  if (!extent) return null;
  const box = [extent.xmin, extent.ymin, extent.xmax, extent.ymax].map(side =>
    Number(side || (side === 0 ? 0 : Number.NaN)),
  );
  const system = extent.spatialReference ? systemOf(extent.spatialReference) : null;
  if (system === null || !box.every(Number.isFinite)) return null;
  return { box: box as unknown as Extent['box'], system };
}

/** When rows were edited last, ISO 8601; null where the service says no date that can be. */
function editedAt(edited: unknown): string | null {
  const date = new Date(typeof edited === 'string' && !/^\d+$/.test(edited) ? edited : Number(edited ?? Number.NaN));
  return date.getTime() >= FIRST_EDIT ? date.toISOString() : null;
}

/** The address of a layer as its queries go on from it: people copy it with a question of their own behind. */
const addressOf = ({ url }: Source) => url.replace(/(\/\w+Server\/\d+)(?:\/query)?\/?(?:\?.*)?$/i, '$1');

/** A layer that can be asked. */
export class ServiceLayer {
  readonly source: Source;
  readonly #tools: Tools;
  /** Column of the object ids; null where the description names none. */
  readonly idField: string | null;
  /** Most rows of one request. */
  readonly page: number;
  readonly changedAt: string | null;
  readonly extent: Extent | null;
  readonly columns: readonly string[];
  /** Columns that rows can be ordered by. */
  readonly order: readonly string[];
  /** Most rows of an answer, as it says. */
  readonly announced: number | null;
  /** System of the coordinates, where a page does not say it; undefined before the service was asked for its own. */
  #crs: string | null | undefined;
  /** What it calls JSON. */
  readonly #form: string;
  #isPosted = false;
  /** Columns that it does not send: each answer that has them fails. */
  #without: readonly string[] = [];
  /** Whether columns are asked for by their names, because the service refuses all of them by a star. */
  #isNamed = false;
  readonly #isGeoJson: boolean;
  /** Of bodies in space the outline on the ground is asked for. */
  readonly #isMultipatch: boolean;
  #everyRow = '1=1';
  /** Whether its rows lie nowhere: they are asked for by the condition alone. */
  readonly #isTable: boolean;

  private constructor(source: Source, tools: Tools, said: Description, form: string) {
    this.source = source;
    this.#tools = tools;
    const named = said.fields?.find(({ type }) => type === 'esriFieldTypeOID')?.name;
    this.idField = said.objectIdField || named || null;
    this.page = Math.min(PAGE, Math.max(0, said.maxRecordCount ?? 0) || PAGE);
    this.#isTable = said.type === 'Table';
    this.#isMultipatch = said.geometryType === 'esriGeometryMultiPatch';
    this.changedAt = editedAt(said.editingInfo?.dataLastEditDate) ?? editedAt(said.editingInfo?.lastEditDate);
    this.announced = said.maxRecordCount ?? null;
    this.extent = extentOf(said);
    this.#crs = (said.extent?.spatialReference && crsOf(said.extent.spatialReference)) ?? undefined;
    this.columns = (said.fields ?? []).map(({ name }) => name);
    this.order = (said.fields ?? []).filter(({ type }) => !UNORDERED.test(type)).map(({ name }) => name);
    this.#form = form;
    const formats = (said.supportedQueryFormats ?? 'JSON').toUpperCase().split(/\s*,\s*/);
    this.#isGeoJson = !formats.includes('JSON') && formats.includes('GEOJSON');
  }

  /** @throws AcquireError when the address answers as no layer does. */
  static async open(source: Source, tools: Tools): Promise<ServiceLayer> {
    const { url } = source;
    let form = 'json';
    const described = () => answer<Description>(url, `${addressOf(source)}?f=${form}`, tools);
    const said = await described()
      .catch((error: unknown) => {
        // A firewall, or the memory of a proxy, may know the one and not the other.
        if (!(error instanceof PageInstead)) throw error;
        form = 'pjson';
        return described();
      })
      .catch((error: unknown) => {
        throw error instanceof Refused ? new AcquireError('forbidden', url, error.message) : error;
      });
    if (said.layers && !said.fields && said.type === undefined) {
      const names = said.layers.slice(0, 8).map(({ id, name }) => `${url}/${id} (${name})`);
      throw new AcquireError('wrong_content', url, `is a service, no layer; name one: ${names.join(', ')}`);
    }
    if (said.type === 'Group Layer') {
      const names = (said.subLayers ?? []).map(({ id, name }) => `${url.replace(/\d+\/?$/, '')}${id} (${name})`);
      throw new AcquireError(
        'wrong_content',
        url,
        `is a group of layers; name one: ${names.join(', ') || 'it has none'}`,
      );
    }
    if (said.type !== undefined && /^(?:Raster|Image|Mosaic|Annotation)/.test(said.type))
      throw new AcquireError('wrong_content', url, `is a ${said.type}, which has no rows of data`);
    if (said.type === 'Table' && source.box && source.where === '')
      throw new AcquireError(
        'wrong_content',
        url,
        'is a table, whose rows lie nowhere; expected a condition, no ground',
      );
    if (!said.fields && !said.type && !said.name && !said.objectIdField)
      throw new AcquireError('wrong_content', url, 'describes no layer');
    return new ServiceLayer(source, tools, said, form);
  }

  /** A condition that no row meets. */
  get noRow(): string {
    return this.#everyRow === '1=1' ? '1=0' : `${this.idField} IS NULL`;
  }

  /** Asks for every row by its id from now on: firewalls take 1=1 for an attack. @returns what undoes it; null where it cannot. */
  avoidTautology(): (() => void) | null {
    if (this.idField === null || this.source.where !== '' || this.#everyRow !== '1=1') return null;
    this.#everyRow = `${this.idField} IS NOT NULL`;
    return () => {
      this.#everyRow = '1=1';
    };
  }

  get without(): readonly string[] {
    return this.#without;
  }

  /**
   * Looks for columns because of which rows do not come, and leaves them out from now on; where each comes by its name, they are asked for so.
   * @param condition of rows that do not come. @param others a condition of other rows. @returns whether it asks otherwise now.
   */
  async leaveOut(condition: string, others: string): Promise<boolean> {
    if (this.#without.length > 0 || this.#isNamed || this.idField === null) return false;
    const comes = async (columns: readonly string[], which = condition): Promise<boolean> => {
      const page = this.query<Page>(which, { outFields: columns.join(','), returnGeometry: 'false' });
      return Array.isArray((await page.catch(() => null))?.features);
    };
    if (!(await comes([this.idField]))) return false;
    const broken = async (columns: readonly string[]): Promise<readonly string[]> => {
      if (await comes(columns)) return [];
      if (columns.length <= 1) return columns;
      const half = columns.length >> 1;
      return [...(await broken(columns.slice(0, half))), ...(await broken(columns.slice(half)))];
    };
    const without = await broken(this.columns.filter(name => name !== this.idField));
    if (without.length === 0 && (await comes(this.order))) {
      this.#isNamed = true;
      return true;
    }
    // What is amiss with one row alone is no fault of the column.
    if (without.length === 0 || (await comes(without, others))) return false;
    this.#without = without;
    return true;
  }

  /**
   * Asks for rows, or for what is known of them.
   * @param condition SQL beside that of the source. @param more parameters of the query.
   * @throws Passing, Refused, AcquireError.
   */
  async query<T extends object>(condition: string | null, more: Readonly<Record<string, string>>): Promise<T> {
    const { url, where, box } = this.source;
    const conditions = [where, condition].filter(text => text);
    const text =
      conditions.length > 1 ? conditions.map(one => `(${one})`).join(' AND ') : (conditions[0] ?? this.#everyRow);
    const ground: Record<string, string> =
      box && !this.#isTable
        ? {
            geometry: box.join(','),
            geometryType: 'esriGeometryEnvelope',
            inSR: '4326',
            spatialRel: 'esriSpatialRelIntersects',
          }
        : {};
    const parameters = new URLSearchParams({ where: text, ...ground, f: this.#form, ...more });
    const address = `${addressOf(this.source)}/query`;
    const target = `${address}?${parameters}`;
    const posted = () => answer<T>(url, address, this.#tools, parameters);
    if (this.#isPosted || target.length > LONGEST_ADDRESS) return posted();
    try {
      return await answer<T>(url, target, this.#tools);
    } catch (error) {
      // A layer that described itself is there: one machine of several may not know it.
      if (error instanceof AcquireError && error.kind === 'gone') throw new Passing(error.message);
      if (!(error instanceof Unaddressed)) throw error;
      this.#isPosted = true;
      return posted();
    }
  }

  /** The system of the map that the layer is one of, in which it answers where neither it nor its rows say one. */
  async #crsOfMap(): Promise<string | null> {
    const { url } = this.source;
    const address = `${addressOf(this.source).replace(/\/\d+\/?$/, '')}?f=${this.#form}`;
    const map = await answer<{ readonly spatialReference?: SpatialReference | null }>(url, address, this.#tools).catch(
      () => null,
    );
    return map?.spatialReference ? crsOf(map.spatialReference) : null;
  }

  /** Asks for whole rows. @throws as `query`; Refused when the answer holds none. */
  async rows(condition: string | null, more: Readonly<Record<string, string>> = {}): Promise<RowPage> {
    const sent = this.order.filter(name => !this.#without.includes(name));
    const outFields = this.#without.length === 0 && !this.#isNamed ? '*' : sent.join(',');
    const own: Record<string, string> = { outFields, returnGeometry: 'true' };
    const form: Record<string, string> = this.#isGeoJson ? { f: 'geojson', outSR: '4326' } : {};
    const footprint: Record<string, string> = this.#isMultipatch ? { multipatchOption: 'xyFootprint' } : {};
    const page = await this.query<Page>(condition, { ...own, ...footprint, ...form, ...more });
    const features = page.features === null ? [] : page.features;
    if (!Array.isArray(features)) throw new Refused('its answer holds no rows');
    if (page.transform)
      throw new AcquireError(
        'wrong_content',
        this.source.url,
        'its coordinates are rounded to a grid, which was not asked for',
      );
    const { spatialReference } = page;
    const isCut = (page.exceededTransferLimit ?? page.properties?.exceededTransferLimit) === true;
    const reference =
      spatialReference ?? features.find(({ geometry }) => geometry?.spatialReference)?.geometry?.spatialReference;
    // A service may send Esri JSON whatever it is asked for, and GeoJSON in a system of its own.
    const named = page.crs?.properties?.name;
    const ofGeoJson = named === undefined || /4326|CRS84/.test(named) ? 'OGC:CRS84' : named;
    const isGeoJson = this.#isGeoJson && !features.some(({ attributes }) => attributes);
    const said = isGeoJson ? ofGeoJson : reference && crsOf(reference);
    if (!said && this.#crs === undefined && features.some(({ geometry }) => geometry))
      this.#crs = await this.#crsOfMap();
    const crs = said ?? this.#crs ?? null;
    return { rows: features, isCut, crs };
  }

  /** Repeats an attempt at what may pass. @throws as the attempt. */
  patiently<T>(attempt: () => Promise<T>, retries?: number): Promise<T> {
    const { client, signal } = this.#tools;
    return client.patiently(this.source.url, attempt, signal, retries);
  }
}

/** Rows of one request. */
export interface RowPage {
  readonly rows: readonly ServiceRow[];
  /** Whether the service says that it sent fewer than there are. */
  readonly isCut: boolean;
  /** Null where the service does not say. */
  readonly crs: string | null;
}
