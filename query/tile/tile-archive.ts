import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PMTiles, SharedPromiseCache, type Source } from 'pmtiles';
import { noteChange, sameStamp } from '../format/file-stamp.ts';
import type { TileName } from './tile-grid.ts';

const unzip = promisify(gunzip);
/** Directories that are kept of one archive: a leaf has up to 32,768 entries, about 3 MB. */
const DIRECTORIES = 8;

/** What an opened archive may take in memory, bytes. */
export const ARCHIVE_BYTES = 4_000_000;

/** Reads ranges of a file that must be as it was opened. */
class FileRanges implements Source {
  readonly #file: FileHandle;
  readonly #stat: Stats;
  constructor(file: FileHandle, stat: Stats) {
    this.#file = file;
    this.#stat = stat;
  }
  getKey(): string {
    return '';
  }
  async getBytes(offset: number, length: number) {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new RangeError(`it ends before byte ${offset + length}`);
      done += bytesRead;
    }
    if (!sameStamp(fstatSync(this.#file.fd), this.#stat)) {
      noteChange();
      throw new Error('it was changed while it was open');
    }
    return { data: bytes.buffer };
  }
}

/** The PMTiles archive of a map layer, opened. */
export class TileArchive {
  readonly #file: FileHandle;
  readonly #stat: Stats;
  #reader: PMTiles;
  #reads = 0;
  #isClosing = false;

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#stat = fstatSync(file.fd);
    this.#reader = this.#fresh();
  }

  /** Opens an archive. @throws system errors. */
  static async open(path: string): Promise<TileArchive> {
    return new TileArchive(await open(path, 'r'));
  }

  /** A tile as it is stored, in gzip; null where nothing lies in it. @throws Error where the archive cannot be read. */
  async tile({ z, x, y }: TileName): Promise<Uint8Array | null> {
    this.#reads++;
    try {
      const found = await this.#reader.getZxy(z, x, y);
      return found ? new Uint8Array(found.data) : null;
    } catch (error) {
      // The reader keeps what it was told once, failures too.
      this.#reader = this.#fresh();
      throw error;
    } finally {
      this.#reads--;
      if (this.#isClosing) this.close();
    }
  }

  /** Number of tiles, as the header counts them. @throws Error where the archive cannot be read. */
  async count(): Promise<number> {
    return (await this.#reader.getHeader()).numAddressedTiles;
  }

  /** Closes the file when nobody reads it any more. */
  close(): void {
    this.#isClosing = true;
    if (this.#reads === 0) void this.#file.close().catch(() => {});
  }

  #fresh(): PMTiles {
    // A copy: what zlib returns may share its memory.
    const unzipped = async (bytes: ArrayBuffer) => new Uint8Array(await unzip(new Uint8Array(bytes))).buffer;
    const directories = new SharedPromiseCache(DIRECTORIES, true, unzipped);
    // Tiles are handed on as they are stored.
    return new PMTiles(new FileRanges(this.#file, this.#stat), directories, async bytes => bytes);
  }
}
