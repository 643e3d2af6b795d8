import { extname } from 'node:path';
import { type Client, headOf, leave } from './client.ts';
import { headFault } from './content.ts';
import { AcquireError } from './fault.ts';
import type { Located } from './locate.ts';
import { READERS } from './readers.ts';
import { findVintage } from './vintage.ts';

/** What an address answers today. */
export type Verdict = 'alive' | 'moved' | 'changed columns' | 'gone' | 'unreachable';

/** An address and what it was seen to have. */
export interface Presence {
  readonly verdict: Verdict;
  readonly url: string;
  readonly detail: string | null;
  readonly vintage: string | null;
  readonly stamp: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  readonly columns: readonly string[] | null;
}

/** Bytes that are read of a file: its signature, and the header of a table. */
const HEAD_BYTES = 16 * 1024;

/** The names of the header of a table; null where a file is none. */
function headerOf(head: Buffer, name: string): readonly string[] | null {
  if (!/^\.(?:csv|dat|txt)$/i.test(extname(name))) return null;
  const line = head
    .toString('utf8')
    .split(/\r?\n/, 1)[0]!
    .replace(/^\uFEFF/, '');
  const separator = ['|', '\t', ','].find(text => line.includes(text));
  return separator === undefined ? null : line.split(separator).map(text => text.replaceAll(/^\s*"|"\s*$/g, '').trim());
}

/** A conditional request of the first bytes. @returns null where the publisher says that nothing changed. */
async function head(client: Client, url: string, earlier: Presence | null, signal?: AbortSignal) {
  const { stamp = null } = earlier ?? {};
  const condition: Record<string, string> =
    stamp === null || earlier?.url !== url
      ? {}
      : { [stamp.startsWith('"') ? 'if-none-match' : 'if-modified-since']: stamp };
  const answer = await client.ask(url, { headers: { range: `bytes=0-${HEAD_BYTES - 1}`, ...condition }, signal });
  if (answer.status === 304) {
    leave(answer);
    return null;
  }
  const first = await headOf(answer, HEAD_BYTES);
  const { headers, moved } = answer;
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length'];
  const etag = headers.etag?.startsWith('W/') ? undefined : headers.etag;
  return {
    first,
    moved: moved ?? null,
    stamp: etag ?? headers['last-modified'] ?? null,
    bytes: total === undefined ? null : Number(total),
  };
}

/** Columns of those that are read that were there before and are not any more. */
function lost(now: readonly string[] | null, before: readonly string[] | null, read: readonly string[]): string[] {
  if (now === null || before === null) return [];
  const held = new Set(now.map(name => name.toLowerCase()));
  const wanted = new Set(read.map(name => name.toLowerCase()));
  return before.map(name => name.toLowerCase()).filter(name => wanted.has(name) && !held.has(name));
}

/**
 * Asks whether a published file is still there, without taking it: of a service what it counts, of a file its first bytes,
 * under a condition if they were read before. A page with a status of 200 is no file.
 * @param read columns that its layers read, in every spelling. @param earlier what the same address was last seen to have.
 */
export async function presenceOf(
  located: Located,
  read: readonly string[],
  earlier: Presence | null,
  { client, now, signal }: { client: Client; now: Date; signal?: AbortSignal | undefined },
): Promise<Presence> {
  const nothing = { detail: null, vintage: null, stamp: null, bytes: null, rows: null, columns: null };
  let { url } = located;
  try {
    const { url: dated, vintage } = await findVintage(located, client, now, signal);
    url = dated;
    const basis = { ...nothing, url, vintage };
    let seen: Pick<Presence, 'stamp' | 'bytes' | 'rows' | 'columns'>;
    let moved: string | null = null;
    if (located.via === 'http') {
      const answer = await client.patiently(url, () => head(client, url, earlier, signal), signal);
      if (answer === null) return { ...earlier!, verdict: 'alive', vintage };
      const { pathname } = new URL(url);
      const fault = answer.first.length === 0 ? 'an empty file came' : headFault(answer.first, pathname);
      if (fault !== null) return { ...basis, verdict: 'gone', detail: fault };
      moved = answer.moved;
      seen = { stamp: answer.stamp, bytes: answer.bytes, rows: null, columns: headerOf(answer.first, pathname) };
    } else {
      const { columns = null, ...said } = await READERS[located.via].look(
        { ...located, url, vintage },
        {
          ...{ client, signal, came: () => {} },
        },
      );
      seen = { ...said, columns };
    }
    const missing = lost(seen.columns, earlier?.columns ?? null, read);
    if (missing.length > 0)
      return { ...basis, ...seen, verdict: 'changed columns', detail: `lacks ${missing.join(', ')}` };
    if (moved !== null) return { ...basis, ...seen, verdict: 'moved', detail: `to ${moved}` };
    return { ...basis, ...seen, verdict: 'alive' };
  } catch (error) {
    if (!(error instanceof AcquireError)) throw error;
    const isThere = error.kind === 'unreachable' || error.kind === 'unstable' || error.kind === 'disk_full';
    const detail = error.message.replace(`${error.url}: `, '');
    return { ...nothing, url, verdict: isThere ? 'unreachable' : 'gone', detail };
  }
}
