import type { Readable } from 'node:stream';
import { ByteCursor } from '../byte-cursor.ts';
import { type DbfHeader, dbfHeader, dbfSizes, isMemo } from '../dbf.ts';
import { ReadError } from '../reader.ts';
import { checkAborted } from '../row-batch.ts';
import { type Decoding, decodingOf } from './code-pages.ts';
import { FallbackDecoder } from './fallback-decoder.ts';

/** A .dbf that ends too early, at a row or as a whole. */
export const dbfTruncated = (path: string, row: number | null): ReadError =>
  new ReadError('file_truncated', path, row, 'the .dbf ends too early; fetch the file again');

/** Reads the header. @throws ReadError file_truncated, file_corrupt. */
async function dbfStart(cursor: ByteCursor, path: string, decode: (bytes: Buffer) => string): Promise<DbfHeader> {
  if (!(await cursor.fill(32))) throw dbfTruncated(path, null);
  const { headerBytes } = dbfSizes(cursor.buffer.subarray(cursor.at), path);
  if (!(await cursor.fill(headerBytes))) throw dbfTruncated(path, null);
  const header = dbfHeader(cursor.buffer.subarray(cursor.at, cursor.at + headerBytes), path, decode);
  cursor.at += headerBytes;
  return header;
}

/** The encoding of a name. @throws ReadError format_unsupported when it is unknown. */
function decodingFor(name: string, path: string): Decoding {
  const decoding = decodingOf(name);
  if (decoding) return decoding;
  throw new ReadError(
    'format_unsupported',
    path,
    null,
    `text encoding "${name}" is unknown; set options.encoding to a name of the Encoding Standard or a code page such as cp437`,
  );
}

/** Bytes of the text cells of a record that have other than ASCII characters. */
function* foreignCells({ fields }: DbfHeader, record: Buffer): Generator<Buffer> {
  for (const { type, start, length } of fields)
    if (type === 'C' || type === 'M') {
      const cell = record.subarray(start, start + length);
      if (cell.some(byte => byte >= 0x80)) {
        const nul = cell.indexOf(0);
        yield nul < 0 ? cell : cell.subarray(0, nul);
      }
    }
}

/** Finds out whether the text of a table is in the encoding that its files declare. */
class EncodingCheck {
  readonly #says: string;
  readonly #candidates: readonly { readonly decoding: Decoding; misfits: number }[];
  #cells = 0;

  /** @param says who declares the first of the encodings. @param named the declared ones, the first that applies first. */
  constructor(says: string, named: readonly (string | null)[]) {
    this.#says = says;
    const all = named.flatMap(name => (name && decodingOf(name)) || []);
    const isUtf8 = all[0]?.name === 'utf-8';
    const last = ['utf-8', 'windows-1252'].flatMap(name => decodingOf(name) ?? []);
    const list = isUtf8 ? [...all, last[1]!] : [...all, ...last];
    const names = new Set<string>();
    this.#candidates = list
      .filter(({ name }) => !names.has(name) && names.add(name))
      .map(decoding => ({ decoding, misfits: 0 }));
  }

  record(header: DbfHeader, record: Buffer): void {
    for (const cell of foreignCells(header, record)) {
      this.#cells++;
      for (const one of this.#candidates) if (!one.decoding.fits(cell)) one.misfits++;
    }
  }

  /**
   * The declared encoding, unless bytes are no text of it, or all are UTF-8 though one of single bytes is declared: what is UTF-8
   * throughout is no other text by chance.
   */
  get verdict(): { readonly decoding: Decoding; readonly note: string | null } {
    const [first, ...others] = this.#candidates;
    const utf8 = this.#candidates.find(({ decoding }) => decoding.name === 'utf-8');
    const isUtf8 = this.#cells > 0 && utf8?.misfits === 0;
    if (this.#cells === 0 || (first!.misfits === 0 && (!isUtf8 || first === utf8)))
      return { decoding: first!.decoding, note: null };
    const { decoding } = isUtf8 ? utf8! : (others.find(({ misfits }) => misfits === 0) ?? others.at(-1)!);
    const cells = `${this.#cells} ${this.#cells === 1 ? 'cell' : 'cells'} with other than ASCII characters`;
    const why = isUtf8 ? `all of ${cells} are ${decoding.name}` : `${first!.misfits} of ${cells} are no text of it`;
    return {
      decoding,
      note: `text read as ${decoding.name}: the ${this.#says} says ${first!.decoding.name}, but ${why}`,
    };
  }
}

/** The bytes of a .dbf, from its beginning. */
type Opener = () => Promise<Readable>;

/** The table of a .dbf: its header, how its text is decoded, and what was found out about it. */
export class DbfTable {
  readonly header: DbfHeader;
  readonly #path: string;
  readonly #opener: Opener;
  readonly #check: EncodingCheck | null;
  readonly #fallback: FallbackDecoder;
  #decoding: Pick<Decoding, 'decode'>;
  #note: string | null = null;

  private constructor(
    path: string,
    opener: Opener,
    header: DbfHeader,
    fallback: FallbackDecoder,
    check: EncodingCheck | null,
  ) {
    this.#path = path;
    this.#opener = opener;
    this.header = header;
    this.#check = check;
    this.#fallback = fallback;
    this.#decoding = fallback;
  }

  /**
   * Reads the header. The encoding is the one that the place states, else that of the .cpg or of the header, which are checked
   * against all text of the table, else UTF-8.
   * @param size of the file in bytes.
   * @throws ReadError format_unsupported for an unknown encoding; file_truncated, file_corrupt.
   */
  static async open(
    path: string,
    opener: Opener,
    size: number,
    stated: string | undefined,
    cpg: string | null,
  ): Promise<DbfTable> {
    const read = async (decode: (bytes: Buffer) => string) => {
      const cursor = new ByteCursor(await opener(), path);
      try {
        return await dbfStart(cursor, path, decode);
      } finally {
        cursor.close();
      }
    };
    const { encoding } = await read(bytes => bytes.toString('latin1'));
    const decoding = decodingFor((stated ?? cpg ?? encoding ?? 'utf-8').trim(), path);
    const fallback = new FallbackDecoder(decoding, 'cell');
    const isDeclared = !stated && (cpg || encoding);
    const check = isDeclared ? new EncodingCheck(cpg ? '.cpg' : 'header of the .dbf', [cpg, encoding]) : null;
    const header = await read(bytes => new FallbackDecoder(decoding, 'name').decode(bytes));
    if (size < header.headerBytes + header.count * header.recordBytes) throw dbfTruncated(path, null);
    return new DbfTable(path, opener, header, fallback, check);
  }

  readonly decode = (bytes: Buffer): string => this.#decoding.decode(bytes);

  get notes(): readonly string[] {
    const memos = this.header.fields.filter(({ type, length }) => isMemo(type, length)).map(({ name }) => name);
    return [
      ...(this.#note === null ? this.#fallback.notes : [this.#note]),
      ...(memos.length > 0
        ? [`memos are in a file of their own, which is not read; without a value: ${memos.join(', ')}`]
        : []),
    ];
  }

  /** Opens the records. Where an encoding is declared, the table is read once before for its text alone: one cell may show another. */
  async records(signal?: AbortSignal): Promise<ByteCursor> {
    if (this.#check) await this.#checkEncoding(this.#check, signal);
    const cursor = new ByteCursor(await this.#opener(), this.#path);
    await dbfStart(cursor, this.#path, this.decode);
    return cursor;
  }

  async #checkEncoding(check: EncodingCheck, signal?: AbortSignal): Promise<void> {
    const cursor = new ByteCursor(await this.#opener(), this.#path);
    const { header } = this;
    try {
      await dbfStart(cursor, this.#path, this.decode);
      for (let number = 1; number <= header.count; number++) {
        if (cursor.available < header.recordBytes) {
          checkAborted(signal, this.#path, number);
          if (!(await cursor.fill(header.recordBytes))) throw dbfTruncated(this.#path, number);
        }
        check.record(header, cursor.buffer.subarray(cursor.at, cursor.at + header.recordBytes));
        cursor.at += header.recordBytes;
      }
    } finally {
      cursor.close();
    }
    const { decoding, note } = check.verdict;
    this.#decoding = decoding;
    this.#note = note;
  }
}
