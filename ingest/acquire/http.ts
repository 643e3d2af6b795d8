import { type Answer, type Client, leave, Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';
import type { Taken } from './taken.ts';

/** The file that a partial download belongs to. */
interface Whole {
  readonly bytes: number | null;
  readonly changedAt: string | null;
}

/** Returns the ETag if it is strong (equal means equal bytes), else null. */
const strong = (etag: string | undefined) => (etag && !etag.startsWith('W/') ? etag : null);
const dateOf = (text: string | undefined) => {
  const at = Date.parse(text ?? '');
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
};
/** Returns a text that tells versions apart: the strong ETag, else the date with the length; null if there is none. */
const stampOf = ({ headers }: Answer): string | null =>
  strong(headers.etag) ?? (headers['last-modified'] ? `${headers['last-modified']}` : null);

const lengthOf = (value: string | undefined) => (value !== undefined && /^\d+$/.test(value) ? Number(value) : null);

/** Returns headers by which a publisher sends the file only if it differs from the one held. */
function unless(held: Taken | null): Record<string, string> {
  if (held?.stamp == null) return {};
  return held.stamp.startsWith('"') ? { 'if-none-match': held.stamp } : { 'if-modified-since': held.stamp };
}

/**
 * Downloads one file. If the connection breaks, it keeps the part that came and asks for the rest with If-Range, also in a
 * later run. If the file changed meanwhile, it begins anew.
 */
async function whole(
  client: Client,
  url: string,
  held: Taken | null,
  target: string,
  tools: Tools,
): Promise<Content | null> {
  const part = new PartFile<Whole>(target, url);
  let changes = 0;
  return client.patiently(
    url,
    async () => {
      const resumable = await part.resumable();
      const from = resumable && resumable.bytes > 0 ? resumable.bytes : 0;
      const conditional: Record<string, string> =
        from > 0 ? { range: `bytes=${from}-`, 'if-range': resumable!.stamp } : unless(held);
      const answer = await client.ask(url, { headers: conditional, signal: tools.signal });
      const { status, headers, body } = answer;
      try {
        if (status === 304) {
          if (held) return null;
          throw new Passing('answered 304 to a request without a condition');
        }
        if (status === 416) {
          // The part is complete, or the file shrank: the note beside the part tells which.
          if (resumable && resumable.state.bytes === from)
            return await finished(part, answer, resumable.stamp, resumable.state);
          await part.drop();
          throw new Passing('the file is shorter now than what came of it');
        }
        const stamp = stampOf(answer);
        let state: Whole;
        let bytes = from;
        if (status === 206 && from > 0) {
          const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
          state = resumable!.state;
          const isOther =
            Number(first) !== from ||
            (stamp !== null && stamp !== resumable!.stamp) ||
            (state.bytes !== null && total !== undefined && total !== '*' && Number(total) !== state.bytes);
          if (isOther) {
            await part.drop();
            throw new Passing('the rest belongs to another version');
          }
        } else {
          // A publisher without ranges sends the same version from its beginning.
          if (from > 0 && stamp !== resumable!.stamp && ++changes > 3)
            throw new AcquireError('unstable', url, 'changed each time while it was read; try again later');
          bytes = 0;
          state = { bytes: lengthOf(headers['content-length']), changedAt: dateOf(headers['last-modified']) };
          await part.start(answer.isDecoded ? null : stamp, state);
          if (state.bytes !== null) await part.requireRoom(state.bytes);
        }
        const file = await part.append();
        try {
          for await (const piece of body) {
            await file.write(piece as Buffer);
            bytes += (piece as Buffer).length;
            tools.came(bytes, state.bytes);
          }
          await file.sync();
        } finally {
          await file.close();
        }
        if (state.bytes !== null && bytes < state.bytes)
          throw new Passing(`broke off at ${bytes} of ${state.bytes} bytes`);
        if (state.bytes !== null && bytes > state.bytes) {
          await part.drop();
          throw new Passing(`sent ${bytes} bytes where it announced ${state.bytes}`);
        }
        return await finished(part, answer, stamp ?? resumable?.stamp ?? null, state);
      } finally {
        leave(answer);
      }
    },
    tools.signal,
  );
}

async function finished(
  part: PartFile<Whole>,
  answer: Answer,
  stamp: string | null,
  { changedAt }: Whole,
): Promise<Content> {
  await part.done();
  return { url: answer.url, stamp, changedAt };
}

/** Downloads a file from an http or https address. */
export const http: SourceReader = {
  async look({ url }: Source, { client, signal }: Tools): Promise<Seen> {
    const answer = await client.patiently(
      url,
      async () => {
        try {
          return await client.ask(url, { method: 'HEAD', signal });
        } catch (error) {
          // Some publishers answer only GET.
          if (!(error instanceof AcquireError) || error.kind !== 'forbidden') throw error;
          return client.ask(url, { headers: { range: 'bytes=0-0' }, signal });
        }
      },
      signal,
    );
    leave(answer);
    const total = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1] ?? answer.headers['content-length'];
    return {
      stamp: stampOf(answer),
      changedAt: dateOf(answer.headers['last-modified']),
      bytes: lengthOf(total),
      rows: null,
    };
  },
  take: ({ url }, held, target, tools) => whole(tools.client, url, held, target, tools),
};
