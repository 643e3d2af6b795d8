import { Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import type { Source, Tools } from '../source-reader.ts';
import type { EsriGeometry, SpatialReference } from './esri-geometry.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** A row as a service sends it: Esri JSON, or GeoJSON where it speaks no other. */
export interface ServiceRow {
  readonly id?: number | string;
  readonly attributes?: Attributes;
  readonly properties?: Attributes | null;
  readonly geometry?: EsriGeometry | null;
}

/** An answer of a service. One of 200 may report an error. */
interface Said {
  readonly error?: Complaint | string | null;
  /** A service that is not started, and some proxies, say their errors so. */
  readonly status?: string;
  readonly code?: number | string;
  readonly messages?: readonly string[] | null;
}

interface Complaint {
  readonly code?: number | string;
  readonly message?: string | null;
  readonly details?: readonly string[] | string | null;
}

interface Page extends Said {
  readonly features?: readonly ServiceRow[];
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

/** The service does not do what it was asked: it says so, or its answer holds something else. Another way may lead there. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Features of one request. Services allow 1,000 to 2,000 by default, and are slow for layers with many fields. */
const PAGE = 1000;
/** Characters of an address that every server and firewall lets pass. */
const LONGEST_ADDRESS = 2000;
/** Codes of ArcGIS for a token that is missing, wrong or expired. */
const TOKEN_CODES = [401, 403, 498, 499];

const TOKEN_ADVICE = 'give a token for its host in PLAT_ARCGIS_TOKENS';

const oneLine = ({ message, details }: Complaint) =>
  [message, ...[details ?? []].flat()].filter(text => text).join(': ') || 'no reason';

function complaintOf({ error, status, code = 500, messages }: Said): Complaint | null {
  if (typeof error === 'string') return { message: error };
  return error ?? (status === 'error' ? { code, details: messages ?? [] } : null);
}

/** @throws Passing for errors of the service itself, Refused for what it does not do, AcquireError for what it may not. */
function requireAnswer(url: string, answer: Said): void {
  const complaint = complaintOf(answer);
  if (!complaint) return;
  const code = Number(complaint.code ?? 0);
  const said = `the service says ${code}: ${oneLine(complaint)}`;
  // ArcGIS Online says in words alone how long to wait.
  const [, seconds] = /retry after (\d+) sec/i.exec(said) ?? [];
  if (code === 429 || code >= 500) throw new Passing(said, seconds === undefined ? null : Number(seconds) * 1000);
  if (TOKEN_CODES.includes(code)) throw new AcquireError('forbidden', url, `${said}; ${TOKEN_ADVICE}`);
  if (code === 404 || /\binvalid url\b/i.test(said)) throw new AcquireError('gone', url, said);
  throw new Refused(said);
}

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

/** The CRS of a page's coordinates as a place file says it: `EPSG:n`, `ESRI:n` or WKT. Codes of EPSG end at 32767. */
export function crsOf({ wkid, latestWkid, wkt, wkt2 }: SpatialReference): string | null {
  const code = latestWkid ?? wkid;
  if (code !== undefined && code > 0) return code <= 32_767 ? `EPSG:${code}` : `ESRI:${code}`;
  return wkt2 ?? wkt ?? null;
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
  /** System of the coordinates, where a page does not say it. */
  readonly #crs: string | null;
  readonly #isGeoJson: boolean;
  /** Of bodies in space the outline on the ground is asked for. */
  readonly #isMultipatch: boolean;
  #everyRow = '1=1';

  private constructor(source: Source, tools: Tools, said: Description) {
    this.source = source;
    this.#tools = tools;
    const named = said.fields?.find(({ type }) => type === 'esriFieldTypeOID')?.name;
    this.idField = said.objectIdField || named || null;
    this.page = Math.min(PAGE, Math.max(0, said.maxRecordCount ?? 0) || PAGE);
    this.#isMultipatch = said.geometryType === 'esriGeometryMultiPatch';
    const edited = said.editingInfo?.dataLastEditDate ?? said.editingInfo?.lastEditDate;
    this.changedAt = edited ? new Date(edited).toISOString() : null;
    this.extent = extentOf(said);
    this.#crs = said.extent?.spatialReference ? crsOf(said.extent.spatialReference) : null;
    this.columns = (said.fields ?? []).map(({ name }) => name);
    const formats = (said.supportedQueryFormats ?? 'JSON').toUpperCase().split(/\s*,\s*/);
    this.#isGeoJson = !formats.includes('JSON') && formats.includes('GEOJSON');
  }

  /** @throws AcquireError when the address answers as no layer does. */
  static async open(source: Source, tools: Tools): Promise<ServiceLayer> {
    const { url } = source;
    const said = await answer<Description>(url, `${addressOf(source)}?f=json`, tools).catch((error: unknown) => {
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
    if (!said.fields && !said.type && !said.name && !said.objectIdField)
      throw new AcquireError('wrong_content', url, 'describes no layer');
    return new ServiceLayer(source, tools, said);
  }

  /** A condition that no row meets. */
  get noRow(): string {
    return this.#everyRow === '1=1' ? '1=0' : `${this.idField} IS NULL`;
  }

  /** Asks for every row by its id from now on: firewalls take 1=1 for an attack. @returns whether it can. */
  avoidTautology(): boolean {
    if (this.idField === null || this.source.where !== '' || this.#everyRow !== '1=1') return false;
    this.#everyRow = `${this.idField} IS NOT NULL`;
    return true;
  }

  /**
   * Asks for rows, or for what is known of them.
   * @param condition SQL beside that of the source. @param more parameters of the query.
   * @throws Passing, Refused, AcquireError.
   */
  query<T extends object>(condition: string | null, more: Readonly<Record<string, string>>): Promise<T> {
    const { url, where, box } = this.source;
    const conditions = [where, condition].filter(text => text);
    const text =
      conditions.length > 1 ? conditions.map(one => `(${one})`).join(' AND ') : (conditions[0] ?? this.#everyRow);
    const ground: Record<string, string> = box
      ? {
          geometry: box.join(','),
          geometryType: 'esriGeometryEnvelope',
          inSR: '4326',
          spatialRel: 'esriSpatialRelIntersects',
        }
      : {};
    const parameters = new URLSearchParams({ where: text, ...ground, f: 'json', ...more });
    const address = `${addressOf(this.source)}/query`;
    const target = `${address}?${parameters}`;
    if (target.length <= LONGEST_ADDRESS) return answer<T>(url, target, this.#tools);
    return answer<T>(url, address, this.#tools, parameters);
  }

  /** Asks for whole rows. @throws as `query`; Refused when the answer holds none. */
  async rows(condition: string | null, more: Readonly<Record<string, string>> = {}): Promise<RowPage> {
    const own: Record<string, string> = { outFields: '*', returnGeometry: 'true' };
    const form: Record<string, string> = this.#isGeoJson ? { f: 'geojson', outSR: '4326' } : {};
    const footprint: Record<string, string> = this.#isMultipatch ? { multipatchOption: 'xyFootprint' } : {};
    const page = await this.query<Page>(condition, { ...own, ...footprint, ...form, ...more });
    if (!Array.isArray(page.features)) throw new Refused('its answer holds no rows');
    if (page.transform)
      throw new AcquireError(
        'wrong_content',
        this.source.url,
        'its coordinates are rounded to a grid, which was not asked for',
      );
    const { features, spatialReference } = page;
    const isCut = (page.exceededTransferLimit ?? page.properties?.exceededTransferLimit) === true;
    const reference =
      spatialReference ?? features.find(({ geometry }) => geometry?.spatialReference)?.geometry?.spatialReference;
    // A service may send Esri JSON whatever it is asked for, and GeoJSON in a system of its own.
    const named = page.crs?.properties?.name;
    const ofGeoJson = named === undefined || /4326|CRS84/.test(named) ? 'OGC:CRS84' : named;
    const isGeoJson = this.#isGeoJson && !features.some(({ attributes }) => attributes);
    const crs = isGeoJson ? ofGeoJson : ((reference && crsOf(reference)) ?? this.#crs);
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

/** One try. Older servers answer 400 where newer ones say an error of that code. @param form is posted. */
async function answer<T extends object>(
  url: string,
  target: string,
  { client, signal }: Tools,
  form?: URLSearchParams,
): Promise<T> {
  const said = (await client.jsonOnce(target, signal, form).catch((error: unknown) => {
    if (!(error instanceof AcquireError)) throw error;
    const { status } = error;
    if ([400, 405, 414, 501].includes(status ?? 0)) throw new Refused(error.message);
    if ([401, 498, 499].includes(status ?? 0))
      throw new AcquireError('forbidden', url, `answered ${status}; ${TOKEN_ADVICE}`, status);
    throw error;
  })) as T | null;
  if (said === null || typeof said !== 'object') throw new Refused('its answer is no object of JSON');
  requireAnswer(url, said as Said);
  return said;
}
