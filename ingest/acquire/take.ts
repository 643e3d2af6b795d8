import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hashFile } from '../../query/format/file-hash.ts';
import type { Client } from './client.ts';
import { requireContent } from './content.ts';
import { AcquireError } from './fault.ts';
import type { Located } from './locate.ts';
import { READERS } from './readers.ts';
import { siblingCopy } from './sibling-copy.ts';
import type { Seen, Tools } from './source-reader.ts';
import type { Taken, TakenFiles } from './taken.ts';
import { findVintage } from './vintage.ts';

interface TakeOptions {
  /** Folder of the published files. */
  readonly sources: string;
  /** Path of the file below it. */
  readonly file: string;
  readonly located: Located;
  readonly taken: TakenFiles;
  readonly client: Client;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly came?: (bytes: number, of: number | null) => void;
}

/** The publisher's version of a file and the version that is held. */
export interface Outlook {
  readonly seen: Seen;
  readonly url: string;
  readonly vintage: string;
  readonly held: Taken | null;
  readonly isNew: boolean;
}

const day = (iso: string | null, now: Date) => (iso ?? now.toISOString()).slice(0, 10);

/** Returns the record of a held file; null if the file is missing or has another length than its record says. */
async function heldOf({ sources, file, taken }: TakeOptions): Promise<Taken | null> {
  const held = taken.get(file);
  if (!held) return null;
  const size = (await stat(join(sources, file)).catch(() => null))?.size;
  return size === held.bytes ? held : null;
}

const toolsOf = ({ client, signal, came = () => {} }: TakeOptions): Tools => ({ client, signal, came });

/** Asks the publisher which version it has, and downloads nothing. @throws AcquireError. */
export async function look(options: TakeOptions): Promise<Outlook> {
  const { located, client, now, signal } = options;
  const { url, vintage } = await findVintage(located, client, now(), signal);
  const held = await heldOf(options);
  const seen = await READERS[located.via].look({ ...located, url, vintage }, toolsOf(options));
  const isNew = held === null || seen.stamp === null || seen.stamp !== held.stamp || url !== held.url;
  return { seen, url, vintage: vintage ?? day(seen.changedAt, now()), held, isNew };
}

/** The first bytes of gzip. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Compresses what came if the place names the file `.gz` and its publisher has it plain. */
async function compressed(part: string, file: string, url: string, signal: AbortSignal | undefined): Promise<void> {
  if (!/\.gz$/i.test(file) || /\.gz$/i.test(new URL(url).pathname)) return;
  const plain = await open(part, 'r');
  try {
    const { buffer, bytesRead } = await plain.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead < 2 || buffer.equals(GZIP)) return;
  } finally {
    await plain.close();
  }
  await requireContent(part, file.replace(/\.gz$/i, ''), url, signal);
  const packed = `${part}.gz`;
  await pipeline(createReadStream(part), createGzip(), createWriteStream(packed, { flush: true }), {
    ...(signal ? { signal } : {}),
  });
  await rename(packed, part);
}

/**
 * Downloads a file if the publisher has another version than the one held. It writes a part file, checks its content, hashes
 * it, makes it durable and renames it into place. If anything fails, the file held before stays.
 * @returns the record of the file that is held now, and whether it is new.
 * @throws AcquireError.
 */
export async function take(options: TakeOptions): Promise<{ taken: Taken; isNew: boolean }> {
  const { sources, file, located, taken, client, now, signal } = options;
  const { url, vintage } = await findVintage(located, client, now(), signal);
  const held = (await heldOf(options)) ?? (await siblingCopy(options, url));
  const target = join(sources, file);
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  const sameAddress = held !== null && held.url === url ? held : null;
  let content: Awaited<ReturnType<(typeof READERS)['http']['take']>>;
  try {
    content = await READERS[located.via].take({ ...located, url, vintage }, sameAddress, part, toolsOf(options));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new AcquireError(
        'disk_full',
        url,
        `the disk is full at ${dirname(target)}; what came of it stays for the next run`,
      );
    throw error;
  }
  const askedAt = now().toISOString();
  if (content === null) {
    const same = { ...held!, askedAt };
    await taken.set(file, same);
    return { taken: same, isNew: false };
  }
  try {
    await compressed(part, file, url, signal);
    await requireContent(part, file, url, signal);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  const sha256 = await hashFile(part, signal);
  const { size } = await stat(part);
  await rename(part, target);
  const { stamp, changedAt, rows, unread = [], without = [] } = content;
  const fresh: Taken = {
    url,
    stamp,
    changedAt,
    vintage: vintage ?? day(changedAt, now()),
    bytes: size,
    sha256,
    ...(rows === undefined ? {} : { rows }),
    ...(unread.length === 0 ? {} : { unread }),
    ...(without.length === 0 ? {} : { without }),
    takenAt: held?.sha256 === sha256 ? held.takenAt : askedAt,
    askedAt,
  };
  await taken.set(file, fresh);
  return { taken: fresh, isNew: held?.sha256 !== sha256 };
}
