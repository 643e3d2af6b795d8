import { type Client, headOf } from './client.ts';
import { headFault } from './content.ts';
import { AcquireError } from './fault.ts';
import type { Located } from './locate.ts';
import { READERS } from './readers.ts';

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

/** The vintage of a file and the address that holds it. */
interface Vintage {
  readonly url: string;
  /** Null if the address always holds the newest vintage. */
  readonly vintage: string | null;
}

const two = (n: number) => String(n % 100).padStart(2, '0');

/** Returns the address for a year and month. */
function dated(url: string, year: number, month: number): string {
  return url
    .replaceAll('{year}', String(year))
    .replaceAll('{year-1}', String(year - 1))
    .replaceAll('{yy}', two(year))
    .replaceAll('{yy-1}', two(year - 1))
    .replaceAll('{month}', MONTHS[month]!);
}

/** Bytes of a file that tell what it is. */
const HEAD_BYTES = 512;

/**
 * Whether an address has what it names. A service is asked for its description. Of a file the first bytes are read: some
 * publishers answer 200 with a page, or with nothing, for what they do not have.
 */
async function answers(client: Client, url: string, via: Located['via'], signal?: AbortSignal): Promise<boolean> {
  try {
    if (via === 'pages') {
      // Of a year without rows a table has its header alone.
      const [, row = ''] = (await client.text(url, signal)).split('\n');
      return row.trim() !== '';
    }
    if (via !== 'http' && via !== 'ftp') {
      const said = (await client.json(`${url}?f=json`, signal)) as { error?: unknown };
      return said.error === undefined;
    }
    const head = await client.patiently(url, () => firstOf(client, url, signal), signal);
    return head.length > 0 && headFault(head, new URL(url).pathname) === null;
  } catch (error) {
    if (error instanceof AcquireError && (error.kind === 'gone' || error.kind === 'forbidden')) return false;
    throw error;
  }
}

async function firstOf(client: Client, url: string, signal?: AbortSignal): Promise<Buffer> {
  return headOf(await client.ask(url, { headers: { range: `bytes=0-${HEAD_BYTES - 1}` }, signal }), HEAD_BYTES);
}

/** Sorts vintages, the latest last; numbers in a text compare as numbers. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/**
 * Finds the newest vintage that a publisher has, and the address where it is: that of the declaration, or its other spelling.
 * @throws AcquireError as `newest`.
 */
export async function findVintage(located: Located, client: Client, now: Date, signal?: AbortSignal): Promise<Vintage> {
  const found = await newest(located, client, now, signal);
  const { via, elsewhere } = located;
  if (elsewhere === undefined) return found;
  try {
    await READERS[via].look({ ...located, ...found }, { client, ...(signal ? { signal } : {}), came: () => {} });
    return found;
  } catch (error) {
    if (!(error instanceof AcquireError) || !['gone', 'forbidden', 'wrong_content'].includes(error.kind)) throw error;
    return { ...found, url: elsewhere };
  }
}

/**
 * Finds the newest vintage that a publisher has at the address of its declaration.
 * @throws AcquireError `gone` when none of the addresses tried answers, `wrong_content` when an index page names no file.
 */
async function newest(
  { url, via, vintage: search }: Located,
  client: Client,
  now: Date,
  signal?: AbortSignal,
): Promise<Vintage> {
  if (search === null) return { url, vintage: null };
  if ('newest' in search) {
    let [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    let first = '';
    for (let i = 0; i < search.back; i++) {
      const at = dated(url, year, month);
      const tried = search.probe === undefined ? at : dated(search.probe, year, month);
      first ||= tried;
      const older = search.archive === undefined ? [] : [dated(search.archive, year, month)];
      for (const [address, file] of [[tried, at], ...older.map(archived => [archived, archived])] as [string, string][])
        if (await answers(client, address, via, signal)) {
          // If two files are a year apart, the older file tells its own year.
          const own = url.includes('{year-1}') && !url.includes('{year}') ? year - 1 : year;
          return { url: file, vintage: search.newest === 'year' ? String(own) : `${year}-${two(month + 1)}` };
        }
      if (search.newest === 'year') year--;
      else if (--month < 0) [year, month] = [year - 1, 11];
    }
    throw new AcquireError('gone', first, `nor did any of the ${search.back} vintages tried answer`);
  }
  const page = await client.text(search.index, signal);
  const found = [...page.matchAll(new RegExp(search.link, 'gi'))]
    .map(([link, vintage]) => ({ link: link.replaceAll('&amp;', '&'), vintage: vintage ?? '' }))
    .sort((a, b) => COLLATOR.compare(a.vintage, b.vintage));
  // Take the first of the newest: a page names a file in the link, and may repeat it in the text.
  const last = found.find(({ vintage }) => COLLATOR.compare(vintage, found.at(-1)!.vintage) === 0);
  if (!last) throw new AcquireError('wrong_content', search.index, `names no file like ${search.link}`);
  const href = new URL(last.link, search.base ?? search.index).href;
  const at = url === '{link}' ? href : url.replaceAll('{link}', last.link).replaceAll('{vintage}', last.vintage);
  return { url: at, vintage: last.vintage || null };
}
