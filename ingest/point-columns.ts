import type { Geometry } from '../datasets/geometry.ts';
import type { FormatOptions } from '../datasets/place/place.ts';
import { normalCrs, statedCrs } from './crs.ts';
import { limitPassed, readLimits } from './read-limits.ts';
import { missingColumns, ReadError, type Row } from './reader.ts';
import { readable, UnreadGeometry } from './unread.ts';
import { geometryOfBytes, geometryOfText, sridOfText } from './wkb.ts';

const NO_PARTS = new Uint32Array(0);

/** Returns unique column names: `column_5` for an empty one, `NAME_2` for the second NAME. @throws ReadError limit_passed. */
export function columnNames(header: readonly string[], file: string): string[] {
  if (header.length > readLimits().columns)
    throw limitPassed('columns', file, null, `a table of ${header.length} columns`);
  const seen = new Set<string>();
  return header.map((cell, i) => {
    const base = cell.trim() || `column_${i + 1}`;
    let name = base;
    for (let n = 2; seen.has(name); n++) name = `${base}_${n}`;
    seen.add(name);
    return name;
  });
}

/** Returns a cell as a number; NaN for an empty cell; null for text that is not a number. @param decimal the decimal sign. */
function coordinate(cell: unknown, decimal: '.' | ','): number | null {
  if (typeof cell === 'number') return cell;
  const text = typeof cell === 'string' ? cell.trim() : '';
  if (!text) return NaN;
  const value = Number(decimal === ',' && !text.includes('.') ? text.replace(',', '.') : text);
  return Number.isNaN(value) ? null : value;
}

/** Returns the signed degrees of one second of arc in a direction; NaN for any other direction. */
function degreesPerSecond(direction: unknown, positive: string, negative: string): number {
  const letter = String(direction ?? '')
    .trim()
    .toUpperCase();
  return letter === positive ? 1 / 3600 : letter === negative ? -1 / 3600 : NaN;
}

/**
 * The columns of a table that hold its geometry: two of a point, named by `options.x` and `options.y`, or one of WKT or WKB, named
 * by `options.geometry`. Without them it has none.
 */
export class PointColumns {
  /** CRS of the points: `options.crs`, else WGS 84; null without point columns. */
  readonly crs: string | null;
  readonly #path: string;
  readonly #whole: number;
  readonly #x: number;
  readonly #y: number;
  /** Columns of the directions if x and y are seconds of arc; null if they are numbers of the CRS. */
  readonly #directions: readonly [number, number] | null;
  readonly #columns: readonly string[];
  readonly #decimal: '.' | ',';
  /** The code of the CRS that a cell may contradict; null where none is known. */
  readonly #code: number | null;

  /**
   * @param decimal sign of the numbers besides a point: a comma where semicolons divide cells, as GDAL has it.
   * @throws ReadError column_missing when only one of the two is given, or one is not a column.
   */
  constructor(path: string, columns: readonly string[], options: FormatOptions, decimal: '.' | ',' = '.') {
    const indexOf = (name: string | undefined): number => {
      if (name === undefined) return -1;
      const index = columns.indexOf(name);
      if (index < 0) throw new ReadError('column_missing', path, null, missingColumns([name], columns));
      return index;
    };
    this.#path = path;
    this.#columns = columns;
    this.#decimal = decimal;
    this.#whole = indexOf(options.geometry);
    this.#x = indexOf(options.x);
    this.#y = indexOf(options.y);
    if (this.#x < 0 !== this.#y < 0)
      throw new ReadError('column_missing', path, null, 'options.x and options.y must both be given');
    const { arcSeconds } = options;
    this.#directions = arcSeconds ? [indexOf(arcSeconds.xDirection), indexOf(arcSeconds.yDirection)] : null;
    this.crs = this.#x < 0 && this.#whole < 0 ? null : (statedCrs(null, options) ?? 'EPSG:4326');
    this.#code = options.overrideCrs ? null : Number(/^EPSG:(\d+)$/.exec(normalCrs(this.crs ?? ''))?.[1] ?? 0) || null;
  }

  /**
   * Returns the geometry of a row; null if it lacks one of the two numbers, which the place file decides about. A cell that is no
   * number and no geometry, or contradicts the CRS, is told as the reason.
   */
  located(cells: readonly unknown[]): Pick<Row, 'geometry' | 'unread'> {
    return readable(() => (this.#whole >= 0 ? this.#shape(cells) : this.#x < 0 ? null : this.#point(cells)));
  }

  #shape(cells: readonly unknown[]): Geometry | null {
    const cell = cells[this.#whole];
    if (cell instanceof Uint8Array) return geometryOfBytes(cell, this.#path, null);
    const text = String(cell ?? '').trim();
    if (text === '') return null;
    const srid = sridOfText(text);
    if (srid !== null && this.#code !== null && srid !== this.#code)
      throw new UnreadGeometry(
        this.#path,
        null,
        `its geometry says SRID ${srid}, and the file is read as EPSG:${this.#code}; set options.crs to EPSG:${srid}`,
      );
    return geometryOfText(text, this.#path, null);
  }

  #point(cells: readonly unknown[]): Geometry | null {
    const of = (index: number): number => {
      const value = coordinate(cells[index], this.#decimal);
      if (value !== null) return value;
      const shown = String(cells[index]).trim().slice(0, 40);
      throw new UnreadGeometry(
        this.#path,
        null,
        `"${shown}" in ${this.#columns[index]} is no number; decimal degrees, or meters or feet with options.crs, were expected`,
      );
    };
    let x = of(this.#x);
    let y = of(this.#y);
    if (this.#directions) {
      x *= degreesPerSecond(cells[this.#directions[0]], 'E', 'W');
      y *= degreesPerSecond(cells[this.#directions[1]], 'N', 'S');
    }
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    return { type: 'Point', xy: Float64Array.of(x, y), ends: Uint32Array.of(1), parts: NO_PARTS };
  }
}
