import { open } from 'node:fs/promises';
import { DamagedFile } from '../format/damaged-file.ts';
import { graphOf, requireSum, SUM_BYTES, sumOf } from './graph-file.ts';

/** Reads and sums between which others get their turn. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/**
 * A graph's file in memory that threads share, checked against its checksum; other work of the thread goes on meanwhile.
 * @throws DamagedFile when a bit of it is another; system errors.
 */
export async function readGraphMemory(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const memory = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(memory);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(16 * SUM_BYTES, size - at), at);
      if (bytesRead === 0) throw new DamagedFile(path, `it ended after ${at} of ${size} bytes`);
      at += bytesRead;
    }
    let sum: number | undefined;
    for (sum of sumOf(bytes)) await turn();
    requireSum(bytes, sum, path);
    return memory;
  } finally {
    await file.close();
  }
}

/** The graph in such memory. */
export const graphIn = (memory: SharedArrayBuffer) => graphOf(new Uint8Array(memory));
