import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { featureRow } from '../geojson.ts';
import { JsonText } from '../json-text.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { tooLarge } from '../unread.ts';

const OPEN_BRACE = 0x7b;
const RECORD_SEPARATOR = 0x1e;

class SequenceSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;

  constructor(path: string, options: FormatOptions) {
    this.#path = path;
    this.#options = options;
    this.crs = options.crs ?? 'OGC:CRS84';
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const text = new JsonText(path, this.#options.encoding);
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
        const bytes = await scanner.rowValue();
        const row = bytes instanceof ReadError ? tooLarge(number, bytes) : featureRow(text.parse(bytes), number, path);
        if (batch.push(row)) {
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

/** Reads GeoJSON text sequences, also gzipped: one feature on each line, or RFC 8142 with record separators. */
export const reader: Reader = {
  name: 'geojsonseq',
  endings: ['.geojsonl.gz', '.geojsons.gz', '.ndjson.gz', '.geojsonl', '.geojsons', '.ndjson'],
  async open(path, options) {
    await fileSize(path);
    return new SequenceSource(path, options);
  },
};
