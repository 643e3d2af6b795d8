import { parse } from 'csv-parse/sync';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** Rows of a page, where the address does not say. */
const LIMIT = 600;

const limitOf = (url: string) => Number(new URL(url).searchParams.get('limit') ?? LIMIT);

/** A page as lines of cells, the header first; empty after the last row. @throws AcquireError for what is no table. */
async function pageOf({ url }: Source, skip: number, { client, signal }: Tools): Promise<string[][]> {
  const address = new URL(url);
  address.searchParams.set('limit', String(limitOf(url)));
  address.searchParams.set('skip', String(skip));
  const text = await client.text(address.href, signal);
  if (/^\s*[<{[]/.test(text)) throw new AcquireError('wrong_content', url, 'answers no table of CSV');
  try {
    return parse(text) as string[][];
  } catch (error) {
    throw new AcquireError('wrong_content', url, `its CSV cannot be read: ${(error as Error).message}`);
  }
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lineOf = (cells: readonly string[]) => `${cells.map(cell).join(',')}\n`;

/**
 * Downloads a table of CSV that comes in pages by the parameters `limit` and `skip`, until a page is short. Each page has the same
 * header, and none repeats rows of one before.
 */
export const csvPages: SourceReader = {
  async look(source, tools): Promise<Seen> {
    const [columns] = await pageOf(source, 0, tools);
    if (!columns) throw new AcquireError('gone', source.url, 'answers no rows');
    return { stamp: null, changedAt: null, bytes: null, rows: null, columns };
  },

  async take(source, _held, target, tools): Promise<Content> {
    const { url } = source;
    const limit = limitOf(url);
    const part = new PartFile<null>(target, url);
    await part.start(null, null);
    const file = await part.append();
    const seen = new Set<string>();
    let [rows, bytes, header] = [0, 0, ''];
    try {
      for (let size = limit; size >= limit; ) {
        const [columns = [], ...lines] = await pageOf(source, rows, tools);
        size = lines.length;
        if (size > limit)
          throw new AcquireError('wrong_content', url, `sends ${size} rows where ${limit} were asked for`);
        if (size === 0) break;
        if (header === '') {
          header = lineOf(columns);
          bytes += (await file.write(header)).bytesWritten;
        }
        if (lineOf(columns) !== header) throw new AcquireError('wrong_content', url, 'its pages have several headers');
        const texts = lines.map(lineOf);
        const repeated = texts.find(text => seen.has(text));
        if (repeated !== undefined)
          throw new AcquireError('wrong_content', url, `a page repeats the row ${repeated.trim()}`);
        for (const text of texts) seen.add(text);
        bytes += (await file.write(texts.join(''))).bytesWritten;
        rows += size;
        tools.came(bytes, null);
      }
      if (rows === 0) throw new AcquireError('gone', url, 'answers no rows');
      await file.sync();
    } finally {
      await file.close();
    }
    await part.done();
    return { url, stamp: null, changedAt: null, rows };
  },
};
