import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parquetMetadataAsync } from 'hyparquet';
import { readFailure } from '../byte-cursor.ts';
import { signatureOf } from '../format/signature.ts';
import { passOverOsm } from '../osm-block.ts';
import { requireBlocks } from '../raster/repacked-tiff.ts';
import { requireUnpacked } from '../read-limits.ts';
import { ReadError } from '../reader.ts';
import { requireFeatures } from '../readers/flatgeobuf.ts';
import { openSliced } from '../sliced-file.ts';
import { openArchive, verifyMembers } from '../zip.ts';
import { wholeJson, wholeXml } from './whole-text.ts';

type Check = (path: string, signal: AbortSignal | undefined) => Promise<void>;

const cutOff = (path: string, why: string) => new ReadError('file_truncated', path, null, why);

async function wholeGzip(path: string, signal: AbortSignal | undefined): Promise<void> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  let unpacked = 0;
  const counted = new Writable({
    write(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      try {
        requireUnpacked(gunzip.bytesWritten, unpacked, path, 'the file');
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  // The stream compares checksum and length at the end of each member.
  await pipeline(createReadStream(path), gunzip, counted, { signal });
}

async function wholeZip(path: string, signal: AbortSignal | undefined): Promise<void> {
  const archive = await openArchive(path);
  try {
    for (const name of archive.names) {
      signal?.throwIfAborted();
      try {
        await verifyMembers(archive, [name], signal);
      } catch (error) {
        // A file that is packed in a way which nobody reads here has no checksum to compare.
        if (!(error instanceof ReadError && error.code === 'format_unsupported')) throw error;
      }
    }
  } finally {
    archive.close();
  }
}

async function wholeParquet(path: string): Promise<void> {
  const file = await openSliced(path);
  try {
    const end = Buffer.from(await file.slice(file.byteLength - 8));
    // PARE is the mark of an encrypted footer.
    if (!['PAR1', 'PARE'].includes(end.toString('latin1', 4))) throw cutOff(path, 'the mark at its end is missing');
    const data = file.byteLength - 8 - end.readUInt32LE(0);
    if (data < 4) throw cutOff(path, 'its footer is longer than the file');
    if (end.toString('latin1', 4) === 'PARE') return;
    const { row_groups } = await parquetMetadataAsync(file);
    for (const { columns } of row_groups)
      for (const { meta_data: column } of columns) {
        if (!column) continue;
        const start = Number(column.dictionary_page_offset ?? column.data_page_offset);
        if (start + Number(column.total_compressed_size) > data)
          throw cutOff(path, `column ${column.path_in_schema.join('.')} ends after byte ${data}`);
      }
  } finally {
    await file.close();
  }
}

async function wholeSqlite(path: string): Promise<void> {
  const file = await openSliced(path);
  try {
    const head = Buffer.from(await file.slice(0, 100));
    const page = head.readUInt16BE(16);
    // The count of pages counts where the writer of the last change wrote it (sqlite.org/fileformat.html, 1.3.7).
    const pages = head.readUInt32BE(24) === head.readUInt32BE(92) ? head.readUInt32BE(28) : 0;
    const bytes = pages * (page === 1 ? 65_536 : page);
    if (bytes > file.byteLength)
      throw cutOff(path, `its ${pages} pages take ${bytes} bytes, it has ${file.byteLength}`);
  } finally {
    await file.close();
  }
}

async function wholeShapefile(path: string): Promise<void> {
  const file = await openSliced(path);
  try {
    const bytes = 2 * Buffer.from(await file.slice(24, 28)).readUInt32BE(0);
    if (bytes > file.byteLength) throw cutOff(path, `its header says ${bytes} bytes, it has ${file.byteLength}`);
  } finally {
    await file.close();
  }
}

/** Checks by the reader that a signature names. */
const CHECKS: Readonly<Record<string, Check>> = {
  geoparquet: wholeParquet,
  flatgeobuf: requireFeatures,
  geotiff: requireBlocks,
  osmpbf: async (path, signal) => void (await passOverOsm(path, {}, () => signal?.throwIfAborted())),
  geopackage: wholeSqlite,
  sqlite: wholeSqlite,
  shapefile: wholeShapefile,
};

/** Bytes at the beginning that tell a container. */
const HEAD_BYTES = 512;

function checkOf(head: Buffer): Check | null {
  if (head.readUInt16BE(0) === 0x1f8b) return wholeGzip;
  if (head.toString('latin1', 0, 2) === 'PK') return wholeZip;
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  // Two bytes a sign are told by their zeros.
  if (/^(?:\{\s*["}]|\[\s*[[{\]"\d-])/.test(text) && !head.includes(0)) return wholeJson;
  if (/^<\?xml/.test(text) && !head.includes(0)) return wholeXml;
  const reader = signatureOf(head)?.reader ?? '';
  return Object.hasOwn(CHECKS, reader) ? CHECKS[reader]! : null;
}

/**
 * Checks that a file is there to its end, by the container that its first bytes show, whatever its name: the lengths that gzip, zip,
 * Parquet, FlatGeobuf, TIFF, OSM PBF, SQLite and shapefiles state, the checksums that the first two and blocks of OSM PBF have, and the
 * brackets and tags that JSON and XML close.
 * @throws ReadError file_truncated, file_corrupt, limit_passed.
 */
export async function requireWhole(path: string, signal?: AbortSignal): Promise<void> {
  const file = await open(path);
  let head: Buffer;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    head = buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
  if (head.length < 2) return;
  try {
    await checkOf(head)?.(path, signal);
  } catch (error) {
    signal?.throwIfAborted();
    const failure =
      error instanceof RangeError || error instanceof TypeError
        ? new ReadError('file_corrupt', path, null, error.message)
        : readFailure(error, path, null);
    if (failure.code !== 'format_unsupported') throw failure;
  }
}
