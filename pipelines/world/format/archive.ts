import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Text files of a zip, made while they are written. */
export type Members = Readonly<Record<string, () => Iterable<string>>>;

/** Writes a zip of text files. Stamps inside are fixed, so the same texts give the same bytes. */
export async function writeArchive(path: string, members: Members): Promise<void> {
  // A local time, because zip stamps are local: the bytes are then the same in every time zone.
  const fixed = { mtime: new Date(2026, 0, 1), mode: 0o100644, forceDosTimestamp: true };
  const out = new ZipFile();
  for (const [name, chunks] of Object.entries(members)) out.addReadStream(Readable.from(chunks()), name, fixed);
  out.end();
  await pipeline(out.outputStream, createWriteStream(path));
}
