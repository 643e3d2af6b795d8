import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { STAMP } from '../../../ingest/writers/filegdb.ts';

/** Text files of a zip, made while they are written. */
export type Members = Readonly<Record<string, () => Iterable<string>>>;

/** Writes a zip of text files. Stamps inside are fixed, so the same texts give the same bytes. */
export async function writeArchive(path: string, members: Members): Promise<void> {
  const out = new ZipFile();
  for (const [name, chunks] of Object.entries(members)) out.addReadStream(Readable.from(chunks()), name, STAMP);
  out.end();
  await pipeline(out.outputStream, createWriteStream(path));
}
