import { open } from 'node:fs/promises';
import { fileSize, readFailure } from './byte-cursor.ts';
import { ReadError } from './reader.ts';

/** An open file for formats that are read by position (Parquet, TIFF). */
export interface SlicedFile {
  readonly byteLength: number;
  /** Bytes from `start` to `end` (exclusive; the end of the file by default). @throws ReadError file_truncated beyond it. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/** Opens a file. @throws ReadError file_missing, or file_truncated when the file is empty. */
export async function openSliced(path: string): Promise<SlicedFile> {
  const byteLength = await fileSize(path);
  const handle = await open(path).catch(error => {
    throw readFailure(error, path, null);
  });
  return {
    byteLength,
    async slice(start, end = byteLength) {
      if (start < 0 || end > byteLength)
        throw new ReadError(
          'file_truncated',
          path,
          null,
          `refers to byte ${end}, it ends at ${byteLength}; fetch the file again`,
        );
      const bytes = new Uint8Array(Math.max(0, end - start));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) throw new ReadError('file_truncated', path, null, 'shrank while it was read');
        filled += bytesRead;
      }
      return bytes.buffer;
    },
    close: () => handle.close(),
  };
}
