import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { limitPassed, readLimits } from '../read-limits.ts';
import { ReadError } from '../reader.ts';

const BLOCK = 512;
const CHUNK = 256 * 1024;
/** Greatest length of the extended header of a file. */
const HEADER_BYTES = 1 << 20;

const textAt = (block: Buffer, at: number, length: number) =>
  block.toString('utf8', at, at + length).replace(/\0[\s\S]*$/, '');

/** Reads a size: octal digits, or a binary number when the first bit is set. */
function sizeAt(block: Buffer): number {
  if (block[124]! & 0x80) return Number(block.readBigUInt64BE(128));
  return Number.parseInt(textAt(block, 124, 12).trim() || '0', 8);
}

/** Returns the path that a pax header (`LENGTH path=NAME\n`) gives to the next file; null when it gives none. */
const paxPath = (header: string): string | null => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(header)?.[1] ?? null;

/** Whether a name stays inside the folder into which it is unpacked. */
const isInside = (name: string) => !name.startsWith('/') && !name.split(/[/\\]/).includes('..');

async function* bytesOf(cursor: ByteCursor, size: number, truncated: () => ReadError): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    if (cursor.available === 0 && !(await cursor.fill(1))) throw truncated();
    const take = Math.min(left, cursor.available, CHUNK);
    yield Buffer.from(cursor.buffer.subarray(cursor.at, cursor.at + take));
    cursor.at += take;
    left -= take;
  }
}

/**
 * Unpacks the files of a tar archive, also gzipped, into a folder. Links and devices are left out.
 * @returns the names of the files, with `/` between their parts.
 * @throws ReadError file_missing, file_truncated, file_corrupt (also for a name outside the folder), limit_passed.
 */
export async function unpackTar(path: string, folder: string): Promise<string[]> {
  await fileSize(path);
  const names: string[] = [];
  const cursor = new ByteCursor(openBytes(path), path);
  const truncated = () => new ReadError('file_truncated', path, null, 'the archive ends too early; fetch it again');
  try {
    let longName: string | null = null;
    for (;;) {
      if (!(await cursor.fill(BLOCK))) {
        if (cursor.available > 0 || names.length === 0) throw truncated();
        return names;
      }
      const block = Buffer.from(cursor.buffer.subarray(cursor.at, cursor.at + BLOCK));
      cursor.at += BLOCK;
      if (block.every(byte => byte === 0)) return names;
      const sum = block.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
      if (sum !== Number.parseInt(textAt(block, 148, 8).trim(), 8))
        throw new ReadError('file_corrupt', path, null, 'is no tar archive, or is damaged; fetch it again');
      const size = sizeAt(block);
      const kind = textAt(block, 156, 1);
      const prefix = textAt(block, 257, 5) === 'ustar' ? textAt(block, 345, 155) : '';
      const name: string = longName ?? (prefix ? `${prefix}/${textAt(block, 0, 100)}` : textAt(block, 0, 100));
      const isHeader = kind === 'x' || kind === 'L';
      if (isHeader) {
        if (size > HEADER_BYTES) throw new ReadError('file_corrupt', path, null, `has a header of ${size} bytes`);
        const header = (await collect(Readable.from(bytesOf(cursor, size, truncated)))).toString('utf8');
        longName = kind === 'L' ? header.replace(/\0[\s\S]*$/, '') : (paxPath(header) ?? longName);
      } else {
        longName = null;
        if ((kind === '' || kind === '0') && !/(^|\/)(\.[^/]*$|__MACOSX\/)/.test(name)) {
          if (!isInside(name))
            throw new ReadError('file_corrupt', path, null, `holds a file that points out of it: ${name}`);
          if (names.length === readLimits().members)
            throw limitPassed('members', path, null, 'the number of files in the archive');
          const plain = name.replace(/^(\.\/)+/, '');
          const target = join(folder, plain);
          await mkdir(dirname(target), { recursive: true });
          await pipeline(Readable.from(bytesOf(cursor, size, truncated)), createWriteStream(target));
          names.push(plain);
        } else for await (const _ of bytesOf(cursor, size, truncated));
      }
      if (!(await cursor.skip((BLOCK - (size % BLOCK)) % BLOCK))) throw truncated();
    }
  } catch (error) {
    throw readFailure(error, path, null);
  } finally {
    cursor.close();
  }
}
