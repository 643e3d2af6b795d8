import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ByteCursor } from '../byte-cursor.ts';
import { type DbfHeader, dbfHeader, dbfSizes } from '../dbf.ts';
import { ReadError } from '../reader.ts';
import { checkAborted } from '../row-batch.ts';
import { type Decoding, decodingOf } from './code-pages.ts';
import { FallbackDecoder } from './fallback-decoder.ts';

/** A .dbf that ends too early, at a row or as a whole. */
export const dbfTruncated = (path: string, row: number | null): ReadError =>
  new ReadError('file_truncated', path, row, 'the .dbf ends too early; fetch the file again');

/** The bytes of the header, which are not consumed. @throws ReadError file_truncated, file_corrupt. */
async function headerBytes(cursor: ByteCursor, path: string): Promise<Buffer> {
  if (!(await cursor.fill(32))) throw dbfTruncated(path, null);
  const { headerBytes: length } = dbfSizes(cursor.buffer.subarray(cursor.at), path);
  if (!(await cursor.fill(length))) throw dbfTruncated(path, null);
  return cursor.buffer.subarray(cursor.at, cursor.at + length);
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
function foreignCells({ fields }: DbfHeader, record: Buffer): Buffer[] {
  if (isAscii(record)) return [];
  const cells = fields
    .filter(({ type }) => type === 'C')
    .map(({ start, length }) => record.subarray(start, start + length));
  return cells
    .filter(cell => !isAscii(cell))
    .map(cell => {
      const nul = cell.indexOf(0);
      return nul < 0 ? cell : cell.subarray(0, nul);
    });
}

/** Decoder of cells, with findings about them. */
type DecodedText = Pick<FallbackDecoder, 'decode' | 'notes'>;

/** Check of the text of a table against the encoding that its files declare. */
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
  get verdict(): DecodedText {
    const [first, ...others] = this.#candidates;
    const utf8 = this.#candidates.find(({ decoding }) => decoding.name === 'utf-8');
    const isUtf8 = this.#cells > 0 && utf8?.misfits === 0;
    if (this.#cells === 0 || (first!.misfits === 0 && (!isUtf8 || first === utf8)))
      return { decode: first!.decoding.decode, notes: [] };
    const { decoding } = isUtf8 ? utf8! : (others.find(({ misfits }) => misfits === 0) ?? others.at(-1)!);
    const cells = `${this.#cells} ${this.#cells === 1 ? 'cell' : 'cells'} with other than ASCII characters`;
    const why = isUtf8 ? `all of ${cells} are ${decoding.name}` : `${first!.misfits} of ${cells} are no text of it`;
    return {
      decode: decoding.decode,
      notes: [`text read as ${decoding.name}: the ${this.#says} says ${first!.decoding.name}, but ${why}`],
    };
  }
}

/** The bytes of a .dbf, from its beginning. */
type Opener = () => Promise<Readable>;

/** Table of a .dbf: its header, the encoding of its text, and findings about both. */
export class DbfTable {
  readonly header: DbfHeader;
  readonly #path: string;
  readonly #opener: Opener;
  /** Null where nothing is declared, or the place says what it is. */
  readonly #check: EncodingCheck | null;
  readonly #names: FallbackDecoder;
  #cells: DecodedText;

  /** @param bytes of the header. @param decoding of the text, as far as the check finds no other. */
  private constructor(path: string, opener: Opener, bytes: Buffer, decoding: Decoding, check: EncodingCheck | null) {
    this.#path = path;
    this.#opener = opener;
    this.#check = check;
    this.#names = new FallbackDecoder(decoding, 'column name');
    this.#cells = new FallbackDecoder(decoding, 'cell');
    this.header = dbfHeader(bytes, path, name => this.#names.decode(name));
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
    const cursor = new ByteCursor(await opener(), path);
    try {
      const bytes = await headerBytes(cursor, path);
      const { encoding } = dbfSizes(bytes, path);
      const decoding = decodingFor((stated ?? cpg ?? encoding ?? 'utf-8').trim(), path);
      const isDeclared = !stated && (cpg || encoding);
      const check = isDeclared ? new EncodingCheck(cpg ? '.cpg' : 'header of the .dbf', [cpg, encoding]) : null;
      const table = new DbfTable(path, opener, bytes, decoding, check);
      const { count, recordBytes } = table.header;
      if (size < bytes.length + count * recordBytes) throw dbfTruncated(path, null);
      return table;
    } finally {
      cursor.close();
    }
  }

  readonly decode = (bytes: Buffer): string => this.#cells.decode(bytes);

  get notes(): readonly string[] {
    const memos = this.header.fields.filter(({ isMemo }) => isMemo).map(({ name }) => name);
    return [
      ...this.#names.notes,
      ...this.#cells.notes,
      ...(memos.length > 0
        ? [`memos are in a file of their own, which is not read; without a value: ${memos.join(', ')}`]
        : []),
    ];
  }

  /** Opens the records. Where an encoding is declared, the table is read once before for its text alone: one cell may show another. */
  async records(signal?: AbortSignal): Promise<ByteCursor> {
    if (this.#check) this.#cells = await this.#checked(this.#check, signal);
    return this.#start();
  }

  /** Opens the table behind its header. */
  async #start(): Promise<ByteCursor> {
    const cursor = new ByteCursor(await this.#opener(), this.#path);
    if (await cursor.skip(this.header.headerBytes)) return cursor;
    cursor.close();
    throw dbfTruncated(this.#path, null);
  }

  async #checked(check: EncodingCheck, signal?: AbortSignal): Promise<DecodedText> {
    const cursor = await this.#start();
    const { header } = this;
    try {
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
    return check.verdict;
  }
}
