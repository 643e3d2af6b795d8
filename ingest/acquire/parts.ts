import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AcquireError } from './fault.ts';
import { http } from './http.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** A local time, because zip times are local: so the bytes are the same in every time zone. */
const STAMP = { mtime: new Date(2026, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** The addresses of the files: `…/Zoning.{shp,dbf}` is two of them. @throws AcquireError for an address without such a list. */
function addressesOf(url: string): string[] {
  const [, before, endings, after] = /^([^{]*)\{([\w.]+(?:,[\w.]+)+)\}([^{]*)$/.exec(url) ?? [];
  if (endings === undefined)
    throw new AcquireError(
      'wrong_content',
      url,
      'names no parts; expected an address such as …/lots.{shp,shx,dbf,prj}',
    );
  return endings.split(',').map(ending => `${before}${ending}${after}`);
}

const latest = (days: readonly (string | null)[]): string | null =>
  days
    .filter(day => day !== null)
    .sort()
    .at(-1) ?? null;

/** What is known of all parts together: they have a stamp if each has one. */
function together(all: readonly Seen[]): Seen {
  const stamps = all.map(({ stamp }) => stamp);
  const sizes = all.map(({ bytes }) => bytes);
  return {
    stamp: stamps.includes(null) ? null : stamps.join(' '),
    changedAt: latest(all.map(({ changedAt }) => changedAt)),
    bytes: sizes.includes(null) ? null : sizes.reduce((sum, size) => sum! + size!, 0),
    rows: null,
  };
}

async function lookAtAll(source: Source, tools: Tools): Promise<Seen> {
  const all: Seen[] = [];
  for (const url of addressesOf(source.url)) all.push(await http.look({ ...source, url }, tools));
  return together(all);
}

/**
 * Downloads the files of which a layer consists, such as those of a shapefile, that lie beside each other with the same stem, and
 * packs them as one zip. Each part is resumed by itself.
 */
export const parts: SourceReader = {
  look: lookAtAll,

  async take(source, held, target, tools): Promise<Content | null> {
    const { url } = source;
    if (held?.stamp != null && (await lookAtAll(source, tools)).stamp === held.stamp) return null;
    const taken: { readonly path: string; readonly name: string; readonly content: Content }[] = [];
    let before = 0;
    for (const [i, address] of addressesOf(url).entries()) {
      const path = `${target}${i}`;
      let size = 0;
      const came = (bytes: number) => {
        size = bytes;
        tools.came(before + bytes, null);
      };
      const content = await http.take({ ...source, url: address }, null, path, { ...tools, came });
      before += size;
      taken.push({ path, name: basename(new URL(address).pathname), content: content! });
    }
    const zip = new ZipFile();
    for (const { path, name } of taken) zip.addFile(path, name, STAMP);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(target, { flush: true }));
    for (const { path } of taken) await rm(path, { force: true });
    const { stamp, changedAt } = together(taken.map(({ content }) => ({ ...content, bytes: null, rows: null })));
    return { url, stamp, changedAt };
  },
};
