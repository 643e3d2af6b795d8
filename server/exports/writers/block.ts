import { latLngToCell } from 'h3-js';
import type { Geometry } from '../../../datasets/geometry.ts';
import { readArea } from '../../../query/search/page/geojson.ts';
import { H3_RESOLUTION } from '../limits.ts';
import type { Part, PartMatch, PartRow } from '../part.ts';

/** Rows of an export as every writer gets them: values by column, JSON values. */
export interface Block {
  readonly count: number;
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** Of each row; null where it has none. */
  readonly geometries: readonly (Geometry | null)[];
}

const FIXED_OF_MATCH = ['parcel_id', 'apn', 'address', 'state', 'county', 'city', 'source', 'acreage'] as const;
const FIXED_OF_ROW = ['row', 'custom_id'] as const;
/** A field that is no column but the geometry of the row. */
const GEOMETRY = 'geometry';

const ENDS = Uint32Array.of(1);
const NONE = new Uint32Array(0);
const pointOf = (lng: number, lat: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(lng, lat),
  ends: ENDS,
  parts: NONE,
});

/** GeoJSON as a geometry; null where it is none. */
function shapeOf(value: unknown): Geometry | null {
  const area = readArea(value, 'geometry', Number.POSITIVE_INFINITY);
  return 'type' in area ? area : null;
}

const LETTERS: Readonly<Record<string, string>> = { a: 'absent', f: 'failed' };

/** Names of the columns of an export, in their order. */
export function columnNames(of: Part['of'], addresses: boolean, fields: readonly string[]): string[] {
  const fixed =
    of === 'matches' ? [...FIXED_OF_MATCH] : addresses ? [...FIXED_OF_ROW, 'given_address'] : [...FIXED_OF_ROW];
  const shown = fields.filter(name => name !== GEOMETRY && name !== 'status');
  return [...new Set<string>([...fixed, 'lat', 'lng', 'h3', ...shown, 'status'])];
}

interface Cells {
  /** Sets a value of a row. */
  readonly set: (name: string, row: number, value: unknown) => void;
  /** Remembers that a row lacks a field. */
  readonly lack: (row: number, name: string, status: string) => void;
}

function setMatch(match: PartMatch, row: number, { set, lack }: Cells): Geometry | null {
  for (const name of FIXED_OF_MATCH) set(name, row, match[name] ?? null);
  for (const [name, value] of Object.entries(match.fields)) {
    if (name === GEOMETRY) continue;
    set(name, row, value);
    const status = match.field_status[name] ?? 'ok';
    if (status !== 'ok') lack(row, name, status);
  }
  return shapeOf(match.fields[GEOMETRY]);
}

function setRow({ row: number, custom_id: id, address, polygon }: PartRow, row: number, { set }: Cells) {
  set('row', row, number);
  set('custom_id', row, id);
  set('given_address', row, address ?? null);
  return polygon ? shapeOf(polygon) : null;
}

/** The rows of a part as columns. @param names of the columns. */
export function blockOf(part: Part, names: readonly string[]): Block {
  const list: readonly (PartMatch | PartRow)[] = part.of === 'matches' ? part.matches : part.rows;
  const columns = new Map(names.map(name => [name, new Array<unknown>(list.length).fill(null)]));
  const lacks = new Map<number, string[]>();
  const cells: Cells = {
    set: (name, row, value) => {
      const column = columns.get(name);
      if (column) column[row] = value;
    },
    lack: (row, name, status) => {
      const list = lacks.get(row);
      if (list) list.push(`${name}:${status}`);
      else lacks.set(row, [`${name}:${status}`]);
    },
  };
  const computed: number[] = [];
  const geometries = list.map((entry, row) => {
    const isMatch = 'parcel_id' in entry;
    const shape = isMatch ? setMatch(entry, row, cells) : setRow(entry, row, cells);
    const point = isMatch ? ([entry.analysis_point.lng, entry.analysis_point.lat] as const) : entry.point;
    if (!isMatch && entry.error !== null) {
      cells.set('status', row, `failed:${entry.error}`);
      return null;
    }
    if (!point) return null;
    computed.push(row);
    const [lng, lat] = point;
    cells.set('lat', row, lat);
    cells.set('lng', row, lng);
    cells.set('h3', row, latLngToCell(lat, lng, H3_RESOLUTION));
    return shape ?? pointOf(lng, lat);
  });
  for (const [name, { values, statuses }] of Object.entries(part.columns))
    for (const [i, row] of computed.entries()) {
      cells.set(name, row, values[i]);
      const status = LETTERS[statuses[i]!];
      if (status) cells.lack(row, name, status);
    }
  for (const row of computed) cells.set('status', row, lacks.get(row)?.join(' ') ?? 'ok');
  return { count: list.length, values: columns, geometries };
}
