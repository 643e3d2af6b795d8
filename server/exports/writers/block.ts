import { latLngToCell } from 'h3-js';
import type { Geometry } from '../../../datasets/geometry.ts';
import { readArea } from '../../../query/search/page/geojson.ts';
import { unpackGeometries } from '../../../query/sets/part/geometry-pack.ts';
import type { MatchTable } from '../../../query/sets/part/match-columns.ts';
import { H3_RESOLUTION } from '../limits.ts';
import type { Part, PartRow } from '../part.ts';

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

/** The rows of a part before what was computed for them. */
interface Rows extends Pick<Block, 'count' | 'geometries'> {
  readonly columns: ReadonlyMap<string, unknown[]>;
  /** Rows with a point: fields were computed for them, in this order. */
  readonly placed: readonly number[];
  /** Of each row: what it lacks, and how; of one without a point its status. */
  readonly lacks: string[];
}

function rowsOfTable({ count, columns, lacks, shapes }: MatchTable): Rows {
  // A part without a row has no columns.
  const [lat = [], lng = []] = ['lat', 'lng'].map(name => columns.get(name) as number[] | undefined);
  return {
    count,
    columns,
    placed: [...lacks.keys()],
    lacks: [...lacks],
    geometries: shapes ? unpackGeometries(shapes) : lat.map((degrees, row) => pointOf(lng[row]!, degrees)),
  };
}

function rowsOfUpload(rows: readonly PartRow[]): Rows {
  const column = (of: (row: PartRow) => unknown) => rows.map(row => of(row) ?? null);
  const pointOfRow = ({ error, point }: PartRow) => (error === null ? point : null);
  return {
    count: rows.length,
    columns: new Map([
      ['row', column(({ row }) => row)],
      ['custom_id', column(({ custom_id: id }) => id)],
      ['given_address', column(({ address }) => address)],
      ['lat', column(row => pointOfRow(row)?.[1])],
      ['lng', column(row => pointOfRow(row)?.[0])],
      [
        'h3',
        column(row => {
          const point = pointOfRow(row);
          return point && latLngToCell(point[1], point[0], H3_RESOLUTION);
        }),
      ],
    ]),
    placed: [...rows.keys()].filter(row => pointOfRow(rows[row]!)),
    lacks: rows.map(({ error }) => (error === null ? '' : `failed:${error}`)),
    geometries: rows.map(row => {
      const point = pointOfRow(row);
      return point && ((row.polygon && shapeOf(row.polygon)) ?? pointOf(...point));
    }),
  };
}

/** The rows of a part as columns. @param names of the columns. */
export function blockOf(part: Part, names: readonly string[]): Block {
  const { count, columns, placed, lacks, geometries } =
    part.of === 'matches' ? rowsOfTable(part.table) : rowsOfUpload(part.rows);
  const values = new Map(names.map(name => [name, columns.get(name) ?? new Array<unknown>(count).fill(null)]));
  for (const [name, { values: computed, statuses }] of Object.entries(part.columns)) {
    const column = values.get(name);
    for (const [i, row] of placed.entries()) {
      if (column) column[row] = computed[i];
      const status = LETTERS[statuses[i]!];
      if (status) lacks[row] += `${lacks[row] === '' ? '' : ' '}${name}:${status}`;
    }
  }
  const isPlaced = new Set(placed);
  values.set(
    'status',
    lacks.map((lack, row) => (lack === '' ? (isPlaced.has(row) ? 'ok' : null) : lack)),
  );
  return { count, values, geometries };
}
