import { groundOfGeometry, nameIn } from './geojson.ts';
import { type FileGround, FileProblem, NO_GROUND, together } from './ground.ts';

/** The fields of a table of text, line by line. Quotes hold delimiters and line ends; two of them are one. */
function rowsOf(text: string, delimiter: string): string[][] {
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|((?!")[^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|\\r|$)`, 'y');
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length || row.length > 0) {
    const [, quoted, bare, end] = field.exec(text) ?? [];
    if (end === undefined) throw new FileProblem(`Line ${rows.length + 1} has a quotation mark that does not end.`);
    row.push(quoted?.replaceAll('""', '"') ?? bare!.trim());
    if (end === delimiter) continue;
    if (row.some(value => value !== '')) rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

const LATITUDE = /^(?:lat|latitude|y|lat_?dd|.*_lat|latitude_.*|centroid_lat)$/i;
const LONGITUDE = /^(?:lo?ng?|longitude|x|lon_?dd|long_?dd|.*_(?:lon|lng|long)|longitude_.*)$/i;
const SHAPE = /^(?:wkt|geom|geometry|the_geom|shape)$/i;

/** A geometry of text such as "POLYGON ((30 10, …))" as GeoJSON; null where it is none. */
function ofText(text: string): object | null {
  const [, type, body] =
    /^(?:SRID=4326;)?\s*(POINT|MULTIPOINT|LINESTRING|MULTILINESTRING|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*(\(.*\))\s*$/is.exec(
      text,
    ) ?? [];
  if (!type || !body) return null;
  const named = {
    ...{ POINT: 'Point', MULTIPOINT: 'MultiPoint', LINESTRING: 'LineString', POLYGON: 'Polygon' },
    ...{ MULTILINESTRING: 'MultiLineString', MULTIPOLYGON: 'MultiPolygon' },
  } as const;
  const numbers = body.replace(
    /-?[\d.]+(?:e[-+]?\d+)?(?:\s+-?[\d.]+(?:e[-+]?\d+)?)+/gi,
    pair => `[${pair.trim().split(/\s+/).join(',')}]`,
  );
  try {
    const lists = JSON.parse(numbers.replaceAll('(', '[').replaceAll(')', ']')) as unknown[];
    const isWrapped = /^MULTIPOINT$/i.test(type) && Array.isArray((lists[0] as unknown[])[0]);
    const kind = named[type.toUpperCase() as keyof typeof named];
    return { type: kind, coordinates: kind === 'Point' ? lists[0] : isWrapped ? lists.flat() : lists };
  } catch {
    return null;
  }
}

/**
 * What a table of text holds: points by columns of latitude and longitude, or geometries written as text (WKT).
 * @throws FileProblem where it has neither.
 */
export function groundOfTable(text: string): FileGround {
  const first = text.split(/\r?\n/, 1)[0]!;
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''), delimiter);
  const column = (pattern: RegExp) => head.findIndex(name => pattern.test(name.trim()));
  const [lat, lng, shape] = [column(LATITUDE), column(LONGITUDE), column(SHAPE)];
  if (shape < 0 && (lat < 0 || lng < 0))
    throw new FileProblem(
      `It has the columns ${head.slice(0, 8).join(', ')}. Expected one of latitude and one of longitude, or one of shapes as text (WKT).`,
    );
  return together(
    rows.map((row, i): FileGround => {
      if (shape >= 0) {
        const geometry = ofText(row[shape] ?? '');
        const name = nameIn(Object.fromEntries(head.map((key, j) => [key, row[j] ?? '']))) ?? `Row ${i + 2}`;
        return geometry ? groundOfGeometry(geometry, name) : { ...NO_GROUND, without: 1 };
      }
      const [x, y] = [row[lng] ?? '', row[lat] ?? ''];
      const has = x !== '' && y !== '' && Number.isFinite(Number(x)) && Number.isFinite(Number(y));
      return has ? { ...NO_GROUND, points: [[Number(x), Number(y)]] } : { ...NO_GROUND, without: 1 };
    }),
  );
}
