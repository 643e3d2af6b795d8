import type { Geometry } from '../../datasets/geometry.ts';
import { holds } from './exact.ts';
import { fromGeoJSON, type Polygonal } from './geojson.ts';
import { coveredBy, intersects } from './geometry.ts';

/** A parcel as its publisher's file has it, and where stored order puts it. */
export interface OracleParcel {
  readonly state: string;
  readonly fips: string;
  /** Values by catalog name; dates and timestamps as ISO text. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  readonly geometry: Geometry;
}

/** A filter as a request has it. */
export interface OracleFilter {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

const DATES = new Set(['saledate', 'sourcedate', 'updated_at', 'last_refresh_at']);
const tidy = (text: string) => text.trim().toLowerCase();
const bare = (text: string) => tidy(text).replace(/\s+(county|parish|borough)$/, '');

/** The value that a filter on this name sees, in a form that === and < compare rightly. */
function seen(parcel: OracleParcel, field: string): string | number | boolean | null {
  if (field === 'state' || field === 'state2') return parcel.state;
  if (field === 'geoid') return parcel.fips;
  if (field === 'parcel_area_m2') return Math.round((parcel.values.acreage as number) * 4046.8564224 * 10) / 10;
  const value = parcel.values[field] ?? null;
  if (value === null) return null;
  if (field === 'city') return tidy(String(value));
  if (DATES.has(field)) return new Date(String(value)).getTime();
  return value;
}

function wanted(field: string, operand: unknown): unknown {
  if (field === 'state' || field === 'state2') return String(operand).trim().toUpperCase();
  if (field === 'city') return tidy(String(operand));
  if (DATES.has(field)) return new Date(String(operand)).getTime();
  return operand;
}

/** Whether a county filter's operand names the parcel's county; null when the parcel has no name to compare. */
function namesCounty(parcel: OracleParcel, operand: string): boolean | null {
  if (/^\d{5}$/.test(operand.trim())) return operand.trim() === parcel.fips;
  const name = parcel.values.county;
  return typeof name === 'string' ? bare(name) === bare(operand) : null;
}

function passes(parcel: OracleParcel, { field, op, value }: OracleFilter): boolean {
  if (field === 'geometry') {
    const area = areaOf(value as Polygonal);
    if (apart(area, parcel.geometry)) return false;
    return op === 'within' ? covered(parcel.geometry, area) : intersects(parcel.geometry, area);
  }
  if (field === 'county') {
    const verdicts = (op === 'in' ? (value as string[]) : [value as string]).map(o => namesCounty(parcel, o));
    return op === 'ne' ? verdicts[0] === false : verdicts.includes(true);
  }
  const stored = seen(parcel, field);
  if (stored === null) return false;
  const operands = (Array.isArray(value) ? value : [value]).map(each => wanted(field, each)) as (typeof stored)[];
  const [first, second] = [operands[0]!, operands[1]!];
  switch (op) {
    case 'eq':
      return stored === first;
    case 'ne':
      return stored !== first;
    case 'lt':
      return stored < first;
    case 'lte':
      return stored <= first;
    case 'gt':
      return stored > first;
    case 'gte':
      return stored >= first;
    case 'between':
      return stored >= first && stored <= second;
    case 'in':
      return operands.includes(stored);
    default:
      throw new Error(`The oracle does not know the operator ${op}`);
  }
}

/** GEOS rounds where it cuts edges and so takes a vertex 2e-16 degrees outside for covered: vertices are judged exactly. */
function covered(inner: Geometry, outer: Geometry): boolean {
  if (!coveredBy(inner, outer)) return false;
  for (let i = 0; i < inner.xy.length; i += 2) if (!holds(outer, inner.xy[i]!, inner.xy[i + 1]!)) return false;
  return true;
}

const areas = new WeakMap<Polygonal, Geometry>();

function areaOf(shape: Polygonal): Geometry {
  let area = areas.get(shape);
  if (!area) {
    area = fromGeoJSON(shape);
    areas.set(shape, area);
  }
  return area;
}

const boxes = new WeakMap<Geometry, readonly [number, number, number, number]>();

function boxOf(geometry: Geometry): readonly [number, number, number, number] {
  let box = boxes.get(geometry);
  if (!box) {
    const xs = geometry.xy.filter((_, i) => i % 2 === 0);
    const ys = geometry.xy.filter((_, i) => i % 2 === 1);
    const end = (list: Float64Array, sign: number) => sign * list.reduce((m, v) => Math.max(m, sign * v), -Infinity);
    box = [end(xs, -1), end(ys, -1), end(xs, 1), end(ys, 1)];
    boxes.set(geometry, box);
  }
  return box;
}

/** No GEOS is needed where one lies wholly beside the other. */
function apart(a: Geometry, b: Geometry): boolean {
  const [p, q] = [boxOf(a), boxOf(b)];
  return p[0] > q[2] || q[0] > p[2] || p[1] > q[3] || q[1] > p[3];
}

/** Every parcel that passes every filter, in the order given: one loop, nothing else. */
export function searchAll<P extends OracleParcel>(parcels: readonly P[], filters: readonly OracleFilter[]): P[] {
  return parcels.filter(parcel => filters.every(filter => passes(parcel, filter)));
}
