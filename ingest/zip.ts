import { open as openFile } from 'node:fs/promises';
import { addAbortSignal, type Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { chunkOf, fileSize, readFailure } from './byte-cursor.ts';
import { limitPassed, readLimits, requireUnpacked } from './read-limits.ts';
import { ReadError } from './reader.ts';

/** The files inside an opened zip. */
export interface Archive {
  /** Names of the files, without folders and without the resource forks of macOS. */
  readonly names: readonly string[];
  /** Uncompressed size in bytes. */
  size(name: string): number;
  /** Opens a stream of one file's bytes. The stream fails when the checksum does not match. */
  open(name: string): Promise<Readable>;
  close(): void;
}

async function beginsLikeZip(path: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.readUInt32LE(0) === 0x04034b50;
  } finally {
    await file.close();
  }
}

/** Returns a stream that compares the bytes with the size and CRC-32 of the archive's directory. */
function verifier(path: string, entry: yauzl.Entry): Transform {
  let sum = 0;
  let size = 0;
  const mismatch = () =>
    new ReadError(
      size > entry.uncompressedSize ? 'file_corrupt' : 'file_truncated',
      path,
      null,
      `${entry.fileName} holds ${size} bytes${size > entry.uncompressedSize ? ' or more' : ''}, ${entry.uncompressedSize} were expected`,
    );
  return new Transform({
    readableHighWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      // The limits were checked with the size in the directory, so no more bytes than that may follow.
      if (size > entry.uncompressedSize) done(mismatch());
      else done(null, chunk);
    },
    flush(done) {
      if (size !== entry.uncompressedSize) done(mismatch());
      else if (sum !== entry.crc32)
        done(
          new ReadError(
            'file_corrupt',
            path,
            null,
            `the checksum of ${entry.fileName} does not match; fetch the file again`,
          ),
        );
      else done();
    },
  });
}

/**
 * Opens a zip archive and reads its directory.
 * @throws ReadError file_missing, file_truncated (the directory at its end is missing), file_corrupt, or limit_passed by the
 * number of its files or by what they unpack to together.
 */
export async function openArchive(path: string): Promise<Archive> {
  const packed = await fileSize(path);
  let zip: yauzl.ZipFile;
  const entries = new Map<string, yauzl.Entry>();
  try {
    zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true });
  } catch (error) {
    if (await beginsLikeZip(path))
      throw new ReadError(
        'file_truncated',
        path,
        null,
        'the directory at the end of the zip is missing; fetch it again',
      );
    throw new ReadError('file_corrupt', path, null, `is not a zip archive (${(error as Error).message})`);
  }
  try {
    if (zip.entryCount > readLimits().members)
      throw limitPassed('members', path, null, `the zip holds ${zip.entryCount} files, which`);
    let unpacked = 0;
    for await (const entry of zip.eachEntry()) {
      // Files that share bytes count separately.
      unpacked += entry.uncompressedSize;
      requireUnpacked(packed, unpacked, path, 'the zip');
      const base = entry.fileName.split('/').at(-1)!;
      if (base === '' || base.startsWith('.') || entry.fileName.startsWith('__MACOSX/')) continue;
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    throw readFailure(error, path, null);
  }
  return {
    names: [...entries.keys()],
    size: name => entries.get(name)!.uncompressedSize,
    async open(name) {
      const entry = entries.get(name)!;
      if (entry.isEncrypted() || (entry.compressionMethod !== 0 && entry.compressionMethod !== 8))
        throw new ReadError(
          'format_unsupported',
          path,
          null,
          `${name} is encrypted or packed with method ${entry.compressionMethod}; only stored and deflated files are read`,
        );
      try {
        const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
        const check = verifier(path, entry);
        const chunkSize = chunkOf(entry.uncompressedSize);
        const plain = entry.compressionMethod === 8 ? raw.pipe(createInflateRaw({ chunkSize })) : raw;
        raw.on('error', error => check.destroy(error));
        if (plain !== raw) plain.on('error', error => check.destroy(error));
        check.on('close', () => {
          raw.destroy();
          plain.destroy();
        });
        return plain.pipe(check);
      } catch (error) {
        throw readFailure(error, path, null);
      }
    },
    close: () => zip.close(),
  };
}

/**
 * Reads files of a zip once to check their sizes and checksums. GDAL, which reads files inside the zip, checks neither.
 * @throws ReadError when one does not match.
 */
export async function verifyMembers(archive: Archive, names: readonly string[], signal?: AbortSignal): Promise<void> {
  for (const name of names) {
    const stream = await archive.open(name);
    await finished(signal ? addAbortSignal(signal, stream).resume() : stream.resume());
  }
}

/**
 * Returns the file of an archive to read: the named one (with or without its folders, case ignored), else the only one with one
 * of the endings.
 * @throws ReadError part_missing listing what the archive holds.
 */
export function memberOf(archive: Archive, name: string | undefined, endings: readonly string[], path: string): string {
  const wanted = name?.toLowerCase();
  const fits = archive.names.filter(full => {
    const lower = full.toLowerCase();
    return wanted === undefined
      ? endings.some(ending => lower.endsWith(ending))
      : lower === wanted || lower.endsWith(`/${wanted}`);
  });
  if (fits.length === 1) return fits[0]!;
  const holds = archive.names.length > 0 ? `it holds ${archive.names.slice(0, 40).join(', ')}` : 'it is empty';
  throw new ReadError(
    'part_missing',
    path,
    null,
    wanted === undefined
      ? `the zip holds ${fits.length} files that end in ${endings.join(' or ')}; ${holds}; set options.member to one`
      : `the zip holds ${fits.length === 0 ? 'no' : `${fits.length} files called`} "${name}"; ${holds}`,
    { option: 'member', names: fits },
  );
}
