import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import {
  crsOf,
  type EsriGeometry,
  EsriGeometryError,
  geometryOf,
  type SpatialReference,
} from '../esri/esri-geometry.ts';
import { cappedOf } from '../format/capped-answer.ts';
import { fromGeoJSON } from '../geojson.ts';
import { JsonText } from '../json-text.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { plainValue, withoutNaN } from '../text/json-numbers.ts';
import { lostRow, readable, tooLarge, UnreadGeometry } from '../unread.ts';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

interface Field {
  readonly name: string;
  readonly type?: string;
}

/** The members of an answer beside its features. */
interface Members extends Readonly<Record<string, unknown>> {
  readonly fields?: readonly Field[];
  readonly spatialReference?: SpatialReference | null;
  readonly geometryType?: string;
}

const NUMERIC = /^esriFieldType(?:OID|SmallInteger|Integer|BigInteger|Single|Double)$/;
const DATE = 'esriFieldTypeDate';

/** A value as the type of its field has it: a date as ISO 8601 in UTC, a number that a server wrote as text as a number. */
function fieldValue(value: unknown, type: string | undefined): Value {
  const plain = plainValue(value);
  if (plain === null) return null;
  if (type === DATE && typeof plain === 'number') {
    const date = new Date(plain);
    return Number.isNaN(date.getTime()) ? plain : date.toISOString().replace('.000Z', 'Z');
  }
  if (type !== undefined && NUMERIC.test(type) && typeof plain === 'string' && plain.trim() !== '') {
    const number = Number(plain);
    return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : plain;
  }
  return type === 'esriFieldTypeString' ? String(plain) : plain;
}

/** Some servers write NaN, which JSON does not have. Latin-1 keeps every byte. */
const bare = (bytes: Buffer): Buffer => Buffer.from(withoutNaN(bytes.toString('latin1')), 'latin1');

/** Reads the members up to the features, which the cursor then stands in. @returns whether there are features. */
async function readHead(text: JsonText, members: Record<string, unknown>): Promise<boolean> {
  const { scanner } = text;
  const byte = await text.begin();
  if (byte < 0) throw scanner.truncated();
  if (byte !== OPEN_BRACE) throw scanner.unexpected(byte, 'the "{" of Esri JSON');
  scanner.take();
  for (let first = true; ; first = false) {
    const name = await text.member(first);
    if (name === null) return false;
    if (name === 'features' && (await scanner.peek()) === OPEN_BRACKET) return true;
    members[name] = text.parse(bare(await scanner.value()));
  }
}

async function readTail(text: JsonText, members: Record<string, unknown>): Promise<void> {
  for (;;) {
    const name = await text.member(false);
    if (name === null) return;
    members[name] = text.parse(bare(await text.scanner.value()));
  }
}

class EsriSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;
  readonly #types: ReadonlyMap<string, string | undefined>;
  #capped: string | null = null;

  constructor(path: string, options: FormatOptions, { fields, spatialReference, geometryType }: Members) {
    this.#path = path;
    this.#options = options;
    this.#types = new Map((fields ?? []).map(({ name, type }) => [name, type]));
    this.columns = [...this.#types.keys()];
    const hasGround = geometryType !== undefined || spatialReference != null;
    this.crs = hasGround ? statedCrs(spatialReference ? crsOf(spatialReference) : null, options) : null;
  }

  get findings(): Findings {
    // Services answer so, and nobody writes it by hand.
    return { notes: [], capped: this.#capped, isAnswer: true };
  }

  #geometry(geometry: unknown, number: number): Geometry | null {
    try {
      return fromGeoJSON(geometryOf(geometry as EsriGeometry | null | undefined), this.#path, number);
    } catch (error) {
      if (error instanceof EsriGeometryError) throw new UnreadGeometry(this.#path, number, error.message);
      // Members of other types than those of Esri JSON.
      if (error instanceof TypeError) throw new UnreadGeometry(this.#path, number, 'its geometry is no Esri JSON');
      throw error;
    }
  }

  #row(feature: unknown, number: number): Row {
    const { attributes, geometry } = (feature ?? {}) as { attributes?: Record<string, unknown>; geometry?: unknown };
    if (typeof attributes !== 'object' && typeof geometry !== 'object')
      return lostRow(number, 'it has neither attributes nor a geometry');
    const names = this.columns.length > 0 ? this.columns : Object.keys(attributes ?? {});
    const properties: Record<string, Value> = {};
    for (const name of names) properties[name] = fieldValue(attributes?.[name], this.#types.get(name));
    return { number, properties, ...readable(() => this.#geometry(geometry, number)) };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const text = new JsonText(path, this.#options.encoding);
    const { scanner } = text;
    const batch = new RowBatch();
    const members: Record<string, unknown> = {};
    let number = 0;
    try {
      await readHead(text, members);
      scanner.take();
      for (;;) {
        const bytes = await text.element(number + 1);
        if (bytes === null) break;
        number++;
        const row = bytes instanceof ReadError ? tooLarge(number, bytes) : this.#row(text.parse(bare(bytes)), number);
        if (batch.push(row)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      await readTail(text, members);
      const after = await scanner.peek();
      if (after >= 0) throw scanner.unexpected(after, 'the end of the file');
      this.#capped = cappedOf(members, number);
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

async function open(path: string, options: FormatOptions): Promise<Source> {
  await fileSize(path);
  const text = new JsonText(path, options.encoding);
  const members: Record<string, unknown> = {};
  try {
    if (!(await readHead(text, members)))
      throw new ReadError('file_corrupt', path, null, 'is no Esri JSON with rows: it has no list of features');
    if (members.spatialReference === undefined || members.fields === undefined) {
      // They may follow the features, which are passed over without being held.
      await text.scanner.rowValue();
      await readTail(text, members);
    }
    return new EsriSource(path, options, members as Members);
  } catch (error) {
    throw readFailure(error, path, null);
  } finally {
    text.cursor.close();
  }
}

/**
 * Reads Esri JSON, the answer of a service of ArcGIS, one feature at a time. GDAL's own driver refuses a file with parts of
 * several kinds, and ends at an empty ring or a coordinate that is no number.
 */
export const reader: Reader = {
  name: 'esrijson',
  endings: ['.esri.json.gz', '.esrijson.gz', '.esri.json', '.esrijson'],
  open,
};
