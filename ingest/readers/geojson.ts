import type { Value } from '../../datasets/dataset.ts';
import type { FormatOptions } from '../../datasets/place.ts';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte_cursor.ts';
import { normalCrs, statedCrs } from '../crs.ts';
import { fromGeoJSON } from '../geojson.ts';
import { JsonScanner } from '../json_scanner.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row_batch.ts';

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const RECORD_SEPARATOR = 0x1e;
/** RFC 7946, section 4. */
const DEFAULT_CRS = 'OGC:CRS84';
/** A member of the top object other than the features (crs, name, bbox, or the parts of a lone feature). */
const LARGEST_MEMBER = 512 * 1024 * 1024;

interface Feature {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly properties?: Record<string, unknown> | null;
  readonly geometry?: unknown;
}

/** An open file, a scanner on it, and what decodes its text. */
class Text {
  readonly cursor: ByteCursor;
  readonly scanner: JsonScanner;
  readonly #path: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;

  constructor(path: string, encoding: string | undefined) {
    this.#path = path;
    try {
      this.#decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true });
    } catch {
      throw new ReadError('format_unsupported', path, null, `text encoding "${encoding}" is unknown`);
    }
    this.cursor = new ByteCursor(openBytes(path));
    this.scanner = new JsonScanner(this.cursor, path);
  }

  /** Skips a byte-order mark. */
  async begin(): Promise<number> {
    if (await this.cursor.fill(3)) {
      const { buffer, at } = this.cursor;
      if (buffer[at] === 0xef && buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf) this.cursor.at += 3;
    }
    return this.scanner.peek();
  }

  parse(bytes: Buffer): unknown {
    const { row } = this.scanner;
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      const why = `the text is not ${this.#decoder.encoding}; set options.encoding`;
      throw new ReadError('file_corrupt', this.#path, row, why);
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ReadError('file_corrupt', this.#path, row, `is no JSON (${(error as Error).message})`);
    }
  }

  /** Next member of the object: its name with the cursor before its value, null after the closing brace. */
  async member(first: boolean): Promise<string | null> {
    let byte = await this.scanner.peek();
    if (byte === CLOSE_BRACE) {
      this.scanner.take();
      return null;
    }
    if (!first) {
      if (byte < 0) throw this.scanner.truncated();
      if (byte !== COMMA) throw this.scanner.unexpected(byte, '"," or "}"');
      this.scanner.take();
    }
    const name = this.parse(await this.scanner.value());
    byte = await this.scanner.peek();
    if (byte < 0) throw this.scanner.truncated();
    if (byte !== COLON || typeof name !== 'string') throw this.scanner.unexpected(byte, 'a member name and ":"');
    this.scanner.take();
    return name;
  }
}

/** The `crs` member of GeoJSON 2008. null: it says the CRS is unknown; undefined: there is no such member. */
function crsOf(member: unknown): string | null | undefined {
  if (member === undefined) return undefined;
  const properties = (member as { properties?: { name?: unknown; code?: unknown } } | null)?.properties;
  if (typeof properties?.name === 'string') return normalCrs(properties.name);
  if (typeof properties?.code === 'number') return `EPSG:${properties.code}`;
  return null;
}

function scalar(value: unknown): Value {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}

function rowOf(value: unknown, number: number, path: string): Row {
  const feature = value as Feature | null;
  if (typeof feature !== 'object' || feature === null || Array.isArray(feature))
    throw new ReadError('file_corrupt', path, number, `is ${JSON.stringify(value)?.slice(0, 40)}, not a Feature`);
  if (feature.type !== 'Feature')
    throw new ReadError(
      'file_corrupt',
      path,
      number,
      `has type ${JSON.stringify(feature.type)}; "Feature" was expected`,
    );
  const properties: Record<string, Value> = {};
  for (const [key, property] of Object.entries(feature.properties ?? {})) properties[key] = scalar(property);
  if (feature.id !== undefined && !('id' in properties)) properties.id = scalar(feature.id);
  return { number, properties, geometry: fromGeoJSON(feature.geometry, path, number) };
}

/** Members of the top object that stand before the features, or all of them when it has none. */
interface Head {
  readonly members: Record<string, unknown>;
  /** Whether the cursor now stands in the features array. */
  readonly features: boolean;
}

async function readHead(text: Text, path: string): Promise<Head> {
  const { scanner } = text;
  const byte = await text.begin();
  if (byte < 0) throw scanner.truncated();
  if (byte !== OPEN_BRACE) throw scanner.unexpected(byte, 'the "{" of a GeoJSON object');
  scanner.take();
  const members: Record<string, unknown> = {};
  for (let first = true; ; first = false) {
    const name = await text.member(first);
    if (name === null) return { members, features: false };
    if (name === 'features' && (await scanner.peek()) === OPEN_BRACKET) {
      scanner.take();
      return { members, features: true };
    }
    const value = await scanner.value();
    if (value.length > LARGEST_MEMBER) throw new ReadError('format_unsupported', path, null, `"${name}" is too large`);
    members[name] = text.parse(value);
    if (members.type === 'Topology')
      throw new ReadError('format_unsupported', path, null, 'is TopoJSON; convert it to GeoJSON');
  }
}

class CollectionSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;
  readonly #declared: string | null | undefined;

  constructor(path: string, options: FormatOptions, declared: string | null | undefined) {
    this.#path = path;
    this.#options = options;
    this.#declared = declared;
    this.crs = statedCrs(declared ?? null, options) ?? (declared === undefined ? DEFAULT_CRS : null);
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const text = new Text(path, this.#options.encoding);
    const { scanner } = text;
    const batch = new RowBatch();
    try {
      const { members, features } = await readHead(text, path);
      if (!features) {
        scanner.row = 1;
        const feature = members.type === 'Feature' ? members : { type: 'Feature', geometry: members };
        batch.push(rowOf(feature, 1, path));
      }
      for (let number = 1; features; number++) {
        scanner.row = number;
        let byte = await scanner.peek();
        if (byte === CLOSE_BRACKET) {
          scanner.take();
          break;
        }
        if (number > 1) {
          if (byte < 0) throw scanner.truncated();
          if (byte !== COMMA) throw scanner.unexpected(byte, '"," or "]"');
          scanner.take();
          byte = await scanner.peek();
        }
        const full = batch.push(rowOf(text.parse(await scanner.value()), number, path));
        if (full) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      scanner.row = null;
      if (features) await this.#readTail(text, members);
      const after = await scanner.peek();
      if (after >= 0) throw scanner.unexpected(after, 'the end of the file');
      checkAborted(signal, path, 0);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, scanner.row);
    } finally {
      text.cursor.close();
    }
  }

  /** Members after the features; a crs there comes too late for rows already handed on. */
  async #readTail(text: Text, members: Record<string, unknown>): Promise<void> {
    for (;;) {
      const name = await text.member(false);
      if (name === null) break;
      const value = text.parse(await text.scanner.value());
      members[name] = value;
      if (name === 'crs' && crsOf(value) !== this.#declared && crsOf(value) !== this.crs)
        throw new ReadError(
          'crs_unknown',
          this.#path,
          null,
          `names its CRS (${crsOf(value)}) only after its features; set options.crs to it`,
        );
    }
    if (members.type !== 'FeatureCollection')
      throw new ReadError(
        'file_corrupt',
        this.#path,
        null,
        `has type ${JSON.stringify(members.type)}; "FeatureCollection" was expected`,
      );
  }

  async close(): Promise<void> {}
}

async function open(path: string, options: FormatOptions): Promise<Source> {
  await fileSize(path);
  const text = new Text(path, options.encoding);
  try {
    const { members, features } = await readHead(text, path);
    const { type } = members;
    if (
      !features &&
      typeof type === 'string' &&
      type !== 'Feature' &&
      !('coordinates' in members) &&
      !('geometries' in members)
    )
      throw new ReadError('file_corrupt', path, null, `has type "${type}" and no features; GeoJSON was expected`);
    if (!features && typeof type !== 'string')
      throw new ReadError('file_corrupt', path, null, 'is JSON but no GeoJSON: it has neither a type nor features');
    return new CollectionSource(path, options, crsOf(members.crs));
  } catch (error) {
    throw readFailure(error, path, null);
  } finally {
    text.cursor.close();
  }
}

/** GeoJSON FeatureCollection, Feature or geometry, also gzipped; features are read one at a time. */
export const reader: Reader = {
  name: 'geojson',
  endings: ['.geojson.gz', '.json.gz', '.geojson', '.json'],
  open,
};

class SequenceSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;

  constructor(path: string, options: FormatOptions) {
    this.#path = path;
    this.#options = options;
    this.crs = options.crs ?? DEFAULT_CRS;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const text = new Text(path, this.#options.encoding);
    const { scanner } = text;
    const batch = new RowBatch();
    try {
      let byte = await text.begin();
      for (let number = 1; ; number++) {
        scanner.row = number;
        while (byte === RECORD_SEPARATOR) {
          scanner.take();
          byte = await scanner.peek();
        }
        if (byte < 0) break;
        if (byte !== OPEN_BRACE) throw scanner.unexpected(byte, 'the "{" of a Feature');
        const full = batch.push(rowOf(text.parse(await scanner.value()), number, path));
        if (full) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
        byte = await scanner.peek();
      }
      checkAborted(signal, path, 0);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, scanner.row);
    } finally {
      text.cursor.close();
    }
  }

  async close(): Promise<void> {}
}

/** GeoJSON text sequences: one feature a line, or RFC 8142 with record separators; also gzipped. */
export const sequenceReader: Reader = {
  name: 'geojsonseq',
  endings: ['.geojsonl.gz', '.geojsons.gz', '.ndjson.gz', '.geojsonl', '.geojsons', '.ndjson'],
  async open(path, options) {
    await fileSize(path);
    return new SequenceSource(path, options);
  },
};
