import { BadRow, type Cells, meaningOf, type PlaceRows } from './rows.ts';

const NEWLINE = 10;
/** Begins a record of a GeoJSON text sequence (RFC 8142). */
const RECORD = 0x1e;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The cells of a feature: its geometry, and its own id where no property is one. */
function cellsOfFeature(feature: Json, names: Set<string>): Cells {
  const properties = isObject(feature.properties) ? feature.properties : {};
  for (const name of Object.keys(properties)) names.add(name);
  const further = new Map(Object.entries(properties).filter(([name]) => meaningOf(name) !== 'custom_id'));
  return { custom_id: properties.custom_id ?? feature.id, geometry: feature.geometry, further };
}

function cellsOfObject(object: Json, names: Set<string>): Cells {
  const cells: Record<string, unknown> = {};
  const further = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    names.add(name);
    const meaning = meaningOf(name);
    if (meaning) cells[meaning] = value;
    else further.set(name, value);
  }
  return { ...(cells as Cells), further };
}

const cellsOf = (value: unknown, row: number, names: Set<string>): Cells => {
  if (!isObject(value)) throw new BadRow(row, null, 'it is no JSON object');
  return value.type === 'Feature' ? cellsOfFeature(value, names) : cellsOfObject(value, names);
};

const parsed = (text: string, row: number): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadRow(row, null, 'it is no JSON');
  }
};

/** Reads an object or a feature a line. @returns the names of members. @throws BadRow, TooManyRows. */
export function readNdjson(bytes: Uint8Array, rows: PlaceRows): readonly string[] {
  const names = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at);
    const stop = end < 0 ? bytes.length : end;
    const from = bytes[at] === RECORD ? at + 1 : at;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.max(0, stop - from))
      .toString('utf8')
      .trim();
    if (line !== '') rows.add(cellsOf(parsed(line, rows.count + 1), rows.count + 1, names));
    at = stop + 1;
  }
  return [...names];
}

/** Reads a FeatureCollection (RFC 7946). @returns the names of properties. @throws BadRow, TooManyRows. */
export function readGeojson(bytes: Uint8Array, rows: PlaceRows): readonly string[] {
  const collection = parsed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'), 1);
  if (!isObject(collection) || collection.type !== 'FeatureCollection' || !Array.isArray(collection.features))
    throw new BadRow(1, null, 'expected a GeoJSON FeatureCollection');
  const names = new Set<string>();
  for (const feature of collection.features as unknown[]) {
    const row = rows.count + 1;
    if (!isObject(feature) || feature.type !== 'Feature') throw new BadRow(row, null, 'it is no GeoJSON Feature');
    rows.add(cellsOfFeature(feature, names));
  }
  return [...names];
}
