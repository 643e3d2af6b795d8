import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ReleaseFile, ShardLine } from '../../../datasets/release.ts';
import { Fault } from '../fault.ts';

/** How the text of a line is had. */
const texts = new WeakMap<ShardLine, () => string>();

const sha256Of = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The text of a line. @throws Fault, retryable, when its shard is missing or the line damaged. */
export const textOf = (line: ShardLine): string => texts.get(line)!();

/** Gives a new line its text, which no shard holds yet. */
export function unstored<T extends object>(shard: string, text: string, more: T): T & ShardLine {
  const line = { ...more, shard, at: null, bytes: 0, sha256: sha256Of(text) };
  texts.set(line, () => text);
  return line;
}

/** The text of a line from its bytes in a shard; null where they are damaged. */
function unpacked(bytes: Buffer, role: ReleaseFile['role']): string | null {
  if (role === 'lists') return bytes.toString();
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return null;
  }
}

/** Lets the text of a line be read from its shard. @param releases folder of the manifests. */
export function storedIn(releases: string, { path, role, sha256 }: ReleaseFile, line: ShardLine): void {
  texts.set(line, () => {
    const name = `lists file ${sha256.slice(0, 12)}`;
    const bytes = Buffer.allocUnsafe(line.bytes);
    let read: number;
    try {
      const fd = openSync(join(releases, path), 'r');
      try {
        read = readSync(fd, bytes, 0, bytes.length, line.at);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      throw new Fault(`${name} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`, true);
    }
    const text = read === line.bytes ? unpacked(bytes, role)?.replace(/\n$/, '') : undefined;
    if (text === undefined || sha256Of(text) !== line.sha256)
      throw new Fault(`${name} is damaged: its bytes do not have the checksum of the release`, true);
    return text;
  });
}
