import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Bytes that are read of a large file at once. */
const PIECE_BYTES = 1 << 20;

/**
 * A file as a stream, in pieces of at most a megabyte. A stream takes memory for a whole piece twice, however small its file is,
 * and with a megabyte for each of thousands of small files the collector took a third of an ingest.
 * @throws system errors.
 */
export async function openWhole(path: string): Promise<ReadStream> {
  const { size } = await stat(path);
  return createReadStream(path, { highWaterMark: Math.min(PIECE_BYTES, size + 1) });
}

/** SHA-256 of a file in lower-case hex. @throws system errors, or the reason of the signal. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await openWhole(path), hash, { signal });
  return hash.digest('hex');
}
