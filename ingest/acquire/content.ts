import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ReadError } from '../reader.ts';
import { AcquireError } from './fault.ts';
import { requireWhole } from './whole-file.ts';

/** The first bytes (hex) that files of a format begin with, by ending. */
const MAGIC: Readonly<Record<string, readonly string[]>> = {
  '.zip': ['504b0304', '504b0506'],
  '.xlsx': ['504b0304'],
  '.gz': ['1f8b'],
  '.tif': ['49492a00', '4d4d002a', '49492b00', '4d4d002b'],
  '.gpkg': ['53514c69746520666f726d6174203300'],
  '.parquet': ['50415231'],
  '.fgb': ['66676203'],
};

/** What is wrong with the first bytes of a file; null if they are of the format that the ending of its name says. */
export function headFault(head: Buffer, name: string): string | null {
  const ending = extname(name).toLowerCase();
  if (/^\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<(?:!doctype html|html|error))/i.test(head.toString('latin1')))
    if (!/^\.(?:html?|xml)$/.test(ending)) return `a page came instead of ${name}`;
  const expected = MAGIC[ending];
  if (expected && !expected.some(magic => head.toString('hex').startsWith(magic)))
    return `what came is no ${ending.slice(1)} file, it begins with ${JSON.stringify(head.toString('latin1', 0, 12))}`;
  return null;
}

/**
 * Checks a downloaded file: its first bytes, and that it is whole.
 * @param name of the file in the place file; its ending says what the format must be.
 * @throws AcquireError `wrong_content` when it is empty, an HTML page, of another format, cut off or damaged.
 */
export async function requireContent(path: string, name: string, url: string, signal?: AbortSignal): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, 'r');
  try {
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, length)), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    const head = await read(0, 512);
    const wrong = (what: string) => new AcquireError('wrong_content', url, `${what}; the file held before stays`);
    if (size === 0) throw wrong('an empty file came');
    const fault = headFault(head, name);
    if (fault !== null) throw wrong(fault);
    await requireWhole(path, signal).catch((error: unknown) => {
      if (!(error instanceof ReadError)) throw error;
      throw wrong(`${error.code === 'file_truncated' ? 'it was cut off' : 'it is damaged'}: ${error.why}`);
    });
  } finally {
    await file.close();
  }
}
