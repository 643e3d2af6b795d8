import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { normalCrs, statedCrs } from '../crs.ts';
import { cappedOf } from '../format/capped-answer.ts';
import { featureRow } from '../geojson.ts';
import { JsonText } from '../json-text.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { tooLarge } from '../unread.ts';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** RFC 7946, section 4. */
const DEFAULT_CRS = 'OGC:CRS84';

/** Returns the CRS of the `crs` member of GeoJSON 2008; null if it says that the CRS is unknown, undefined if there is none. */
function crsOf(member: unknown): string | null | undefined {
  if (member === undefined) return undefined;
  const properties = (member as { properties?: { name?: unknown; code?: unknown } } | null)?.properties;
  if (typeof properties?.name === 'string') return normalCrs(properties.name);
  if (typeof properties?.code === 'number') return `EPSG:${properties.code}`;
  return null;
}

/** Members of the top object that come before the features; all members when it has no features. */
interface Head {
  readonly members: Record<string, unknown>;
  /** Whether the cursor now stands in the features array. */
  readonly features: boolean;
}

async function readHead(text: JsonText, path: string): Promise<Head> {
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
    members[name] = text.parse(await scanner.value());
    if (members.type === 'Topology')
      throw new ReadError('format_unsupported', path, null, 'is TopoJSON; set format to topojson');
  }
}

class CollectionSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;
  readonly #declared: string | null | undefined;
  #capped: string | null = null;
  /** Features that have an id beside their properties, as servers give it and files mostly do not. */
  #withId = 0;
  #features = 0;

  constructor(path: string, options: FormatOptions, declared: string | null | undefined) {
    this.#path = path;
    this.#options = options;
    this.#declared = declared;
    this.crs = statedCrs(declared ?? null, options) ?? (declared === undefined ? DEFAULT_CRS : null);
  }

  get findings(): Findings {
    return { notes: [], capped: this.#capped, isAnswer: this.#features > 0 && this.#withId === this.#features };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const text = new JsonText(path, this.#options.encoding);
    const { scanner } = text;
    const batch = new RowBatch();
    [this.#withId, this.#features] = [0, 0];
    try {
      const { members, features } = await readHead(text, path);
      if (!features) {
        scanner.row = 1;
        const feature = members.type === 'Feature' ? members : { type: 'Feature', geometry: members };
        batch.push(featureRow(feature, 1, path));
      }
      for (let number = 1; features; number++) {
        const bytes = await text.element(number);
        if (bytes === null) break;
        const feature = bytes instanceof ReadError ? null : text.parse(bytes);
        this.#features++;
        if ((feature as { id?: unknown } | null)?.id !== undefined) this.#withId++;
        const row = bytes instanceof ReadError ? tooLarge(number, bytes) : featureRow(feature, number, path);
        if (batch.push(row)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      scanner.row = null;
      if (features) await this.#readTail(text, members);
      this.#capped = features ? cappedOf(members, this.#features) : null;
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

  /** Reads the members after the features. A crs there comes too late, because the rows are already delivered. */
  async #readTail(text: JsonText, members: Record<string, unknown>): Promise<void> {
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
  const text = new JsonText(path, options.encoding);
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

/** Reads a GeoJSON FeatureCollection, Feature or geometry, also gzipped, one feature at a time. */
export const reader: Reader = {
  name: 'geojson',
  endings: ['.geojson.gz', '.json.gz', '.geojson', '.json'],
  open,
};
