import { wktToGeoJSON } from 'betterknown';
import { type CsvError, parse } from 'csv-parse/browser/esm/sync';
import type { Geometry } from 'geojson';
import { groundOfGeometry, nameIn } from './geojson.ts';
import { type FileGround, FileProblem, NO_GROUND, together } from './ground.ts';

/** The rows of a table of text. @throws FileProblem where a quotation mark does not end. */
function rowsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    const { lines } = error as CsvError;
    throw new FileProblem(`Line ${lines} has a quotation mark that does not end, or one in the middle of a field.`);
  }
}

const LATITUDE = /^(?:lat|latitude|y|lat_?dd|.*_lat|latitude_.*|centroid_lat)$/i;
const LONGITUDE = /^(?:lo?ng?|longitude|x|lon_?dd|long_?dd|.*_(?:lon|lng|long)|longitude_.*)$/i;
const SHAPE = /^(?:wkt|geom|geometry|the_geom|shape)$/i;

/** A geometry of text such as "POLYGON ((30 10, …))" as GeoJSON; null where it is none in degrees. */
function shapeOf(text: string): Geometry | null {
  try {
    return wktToGeoJSON(text);
  } catch {
    return null;
  }
}

/** A table of text, and which of its columns tell places; -1 for none. */
export interface PointTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly lat: number;
  readonly lng: number;
  /** Of shapes as text. */
  readonly shape: number;
}

/** Reads a table of text. @throws FileProblem. */
export function readTable(text: string): PointTable {
  const first = text.split(/\r?\n/, 1)[0]!;
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  const [head = [], ...rows] = rowsOf(text, delimiter);
  const column = (pattern: RegExp) => head.findIndex(name => pattern.test(name.trim()));
  return { head, rows, lat: column(LATITUDE), lng: column(LONGITUDE), shape: column(SHAPE) };
}

/**
 * What a table of text holds: points by columns of latitude and longitude, or geometries written as text (WKT).
 * @throws FileProblem where it has neither.
 */
export function groundOfTable(text: string): FileGround {
  const { head, rows, lat, lng, shape } = readTable(text);
  if (shape < 0 && (lat < 0 || lng < 0))
    throw new FileProblem(
      `It has the columns ${head.slice(0, 8).join(', ')}. Expected one of latitude and one of longitude, or one of shapes as text (WKT).`,
    );
  return together(
    rows.map((row, i): FileGround => {
      if (shape >= 0) {
        const geometry = shapeOf(row[shape] ?? '');
        const name = nameIn(Object.fromEntries(head.map((key, j) => [key, row[j] ?? '']))) ?? `Row ${i + 2}`;
        return geometry ? groundOfGeometry(geometry, name) : { ...NO_GROUND, without: 1 };
      }
      const [x, y] = [row[lng] ?? '', row[lat] ?? ''];
      const has = x !== '' && y !== '' && Number.isFinite(Number(x)) && Number.isFinite(Number(y));
      return has ? { ...NO_GROUND, points: [[Number(x), Number(y)]] } : { ...NO_GROUND, without: 1 };
    }),
  );
}
