import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Place } from '../../../datasets/place/place.ts';
import { openArchive } from '../../../ingest/zip.ts';
import type { Publisher } from '../../ingest/acquire/publisher.ts';
import { SOURCES } from '../bangor.ts';

/** A file of the sources folder as its publisher has it: plain where its address is. */
export function plainOf(file: string, url: string): Buffer {
  const body = readFileSync(join(SOURCES, file));
  return /\.gz$/.test(file) && !/\.gz$/.test(url) ? gunzipSync(body) : body;
}

/** Puts the files of a place where it says that they are published, as a mirror of all hosts at the publisher has them. */
export async function publishPlace(publisher: Publisher, place: Place): Promise<void> {
  for (const [file, { url = '', via = 'http' }] of Object.entries(place.files ?? {})) {
    const path = `/${url.replace(/^https:\/\//, '')}`;
    if (via === 'http') {
      publisher.put(path, plainOf(file, url));
      continue;
    }
    const archive = await openArchive(join(SOURCES, file));
    try {
      for (const name of archive.names)
        publisher.put(path.replace(/[^/]*$/, name), await buffer(await archive.open(name)));
    } finally {
      archive.close();
    }
  }
}
