import { gzipSync } from 'node:zlib';
import { MOST_ID_LETTERS, MOST_NAME_LETTERS, MOST_ROWS, MOST_VALUE_COLUMNS, PART_ROWS } from '../limits.ts';
import type { PlaceKind, PlaceRow, SentPolygon } from '../place-row.ts';
import { polygonOfText } from './wkt.ts';

/** Compression of rows: fast. */
const LEVEL = 4;
const MOST_ADDRESS = 256;

/** Column names that name a place, in lower case, and what they mean. */
const MEANINGS: Readonly<Record<string, 'custom_id' | 'lat' | 'lng' | 'address' | 'geometry'>> = {
  custom_id: 'custom_id',
  lat: 'lat',
  latitude: 'lat',
  lng: 'lng',
  lon: 'lng',
  long: 'lng',
  longitude: 'lng',
  address: 'address',
  geometry: 'geometry',
  geom: 'geometry',
  wkt: 'geometry',
};

/** The meaning of a column; undefined where it has none here. */
export const meaningOf = (name: string) =>
  Object.hasOwn(MEANINGS, name.trim().toLowerCase()) ? MEANINGS[name.trim().toLowerCase()] : undefined;

/** What is wrong with an upload, and where: rows are counted from 1. */
export class BadRow extends Error {
  override readonly name = 'BadRow';
  readonly row: number;
  readonly column: string | null;

  constructor(row: number, column: string | null, problem: string) {
    super(problem);
    this.row = row;
    this.column = column;
  }
}

/** An upload has more rows than one may have. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

/** Values of one row by the meaning of their columns. */
export type Cells = Readonly<Partial<Record<'custom_id' | 'lat' | 'lng' | 'address' | 'geometry', unknown>>> & {
  /** Cells of all further columns by their names. */
  readonly further?: ReadonlyMap<string, unknown>;
};

/** The number in a cell of a further column; null where it has none. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'bigint') return Number(number);
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The rows of an upload, judged one after another and packed in parts. */
export class PlaceRows {
  /** Each some rows as JSON, in gzip. */
  readonly parts: Uint8Array[] = [];
  kind: PlaceKind | null = null;
  count = 0;
  readonly #ids = new Map<string, number>();
  #rows: PlaceRow[] = [];
  /** Further columns with a number in some row. */
  readonly #numeric = new Set<string>();

  /** @throws BadRow, TooManyRows. */
  add(cells: Cells): void {
    const row = this.count + 1;
    if (row > MOST_ROWS) throw new TooManyRows();
    const place = this.#placeOf(cells, row);
    const kind: PlaceKind = place.point ? 'point' : place.address === undefined ? 'polygon' : 'address';
    this.kind ??= kind;
    if (kind !== this.kind)
      throw new BadRow(row, null, `it names its place by ${kind} and the rows before it by ${this.kind}`);
    this.#rows.push({ custom_id: this.#idOf(cells.custom_id, row), ...place, ...this.#valuesOf(cells) });
    this.count = row;
    if (this.#rows.length === PART_ROWS) this.#pack();
  }

  /** @throws BadRow when there is no row. */
  end(): void {
    if (this.count === 0) throw new BadRow(1, null, 'there is no row');
    if (this.#rows.length > 0) this.#pack();
  }

  #pack(): void {
    this.parts.push(gzipSync(JSON.stringify(this.#rows), { level: LEVEL }));
    this.#rows = [];
  }

  #valuesOf({ further }: Cells): Pick<PlaceRow, 'values'> {
    const values: [string, number][] = [];
    for (const [name, value] of further ?? []) {
      const number = numberOf(value);
      if (number === null || name.length > MOST_NAME_LETTERS) continue;
      if (!this.#numeric.has(name) && this.#numeric.size === MOST_VALUE_COLUMNS) continue;
      this.#numeric.add(name);
      values.push([name, number]);
    }
    return values.length > 0 ? { values: Object.fromEntries(values) } : {};
  }

  #idOf(value: unknown, row: number): string | null {
    if (!isGiven(value)) return null;
    const id = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    if (typeof id !== 'string' || id.length > MOST_ID_LETTERS)
      throw new BadRow(row, 'custom_id', `it is no text or number of at most ${MOST_ID_LETTERS} characters`);
    const before = this.#ids.get(id);
    if (before !== undefined) throw new BadRow(row, 'custom_id', `row ${before} has the same id`);
    this.#ids.set(id, row);
    return id;
  }

  #placeOf({ lat, lng, address, geometry }: Cells, row: number): Omit<PlaceRow, 'custom_id'> {
    const ways = [isGiven(lat) || isGiven(lng), isGiven(address), isGiven(geometry)].filter(Boolean).length;
    if (ways !== 1)
      throw new BadRow(row, null, `it names ${ways} places; expected lat and lng, or an address, or a geometry`);
    if (isGiven(address)) {
      if (typeof address === 'string' && address.trim() !== '' && address.length <= MOST_ADDRESS) return { address };
      throw new BadRow(row, 'address', `it is no text of at most ${MOST_ADDRESS} characters`);
    }
    if (isGiven(geometry)) return geometryOf(geometry, row);
    return { point: [degrees(lng, row, 'lng', 180), degrees(lat, row, 'lat', 90)] };
  }
}

function degrees(value: unknown, row: number, column: string, most: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Math.abs(number) <= most) return number;
  throw new BadRow(row, column, `it is no number from -${most} to ${most}`);
}

function geometryOf(value: unknown, row: number): Omit<PlaceRow, 'custom_id'> {
  const shape = typeof value === 'string' ? polygonOfText(value) : value;
  const { type, coordinates } = (shape ?? {}) as { readonly type?: unknown; readonly coordinates?: unknown };
  if (type === 'Point' && Array.isArray(coordinates))
    return { point: [degrees(coordinates[0], row, 'geometry', 180), degrees(coordinates[1], row, 'geometry', 90)] };
  if ((type === 'Polygon' || type === 'MultiPolygon') && Array.isArray(coordinates))
    return { polygon: { type, coordinates } satisfies SentPolygon };
  throw new BadRow(row, 'geometry', 'it is no Point, Polygon or MultiPolygon in WGS84');
}
