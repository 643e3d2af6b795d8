import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../../client/client.ts';

/** What a service answers in turn, and which of the streams were given up by whoever read them. */
let answers: Response[] = [];
let bodies: string[] = [];
let cancelled = 0;
const client = () =>
  createClient({
    url: 'http://plat.example',
    fetch: async (_, init) => {
      bodies.push(String(init?.body));
      return answers.shift()!;
    },
  });

/** A stream in pieces, which ends or breaks. */
const stream = (pieces: readonly string[], end: 'ends' | 'breaks' | 'stays' = 'ends') => {
  const left = pieces.map(piece => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece) controller.enqueue(piece);
      else if (end === 'ends') controller.close();
      else if (end === 'breaks') controller.error(new TypeError('terminated'));
      else return new Promise<void>(() => {});
      return undefined;
    },
    cancel() {
      cancelled++;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
};
const frame = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const event of events) out.push(event);
  return out;
}

beforeEach(() => {
  answers = [];
  bodies = [];
  cancelled = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const question = { question: 'Is it steep?', lat: 44.8, lng: -68.77 };

it('reads events however their bytes are cut, without heartbeats', async () => {
  const text = `: waiting\n\n${frame('delta', { text: 'Sí, ' })}event: delta\r\ndata:{"text":\r\ndata: "3 %"}\r\n\r\n${frame('final', { answer: 'Sí, 3 %' })}`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
        controller.close();
      },
    });
    answers = [new Response(body)];
    expect(await all(client().askStream(question))).toEqual([
      { event: 'delta', data: { text: 'Sí, ' } },
      { event: 'delta', data: { text: '3 %' } },
      { event: 'final', data: { answer: 'Sí, 3 %' } },
    ]);
  }
});

it('throws what a stream of an answer fails with, and where it ends too early or breaks', async () => {
  const delta = frame('delta', { text: 'It is' });
  const error = { error: 'ask_answer_incomplete', message: 'It is incomplete.', retryable: true };
  answers = [stream([delta, frame('error', error)]), stream([delta]), stream([delta], 'breaks')];
  await expect(all(client().askStream(question))).rejects.toMatchObject({
    code: 'ask_answer_incomplete',
    status: null,
  });
  await expect(all(client().askStream(question))).rejects.toThrow('ended before its last one');
  await expect(all(client().askStream(question))).rejects.toThrow('terminated');
  expect(bodies).toHaveLength(3);
});

it('refuses and tries again before the first event as any request', async () => {
  const busy = { detail: { error: 'ask_busy', message: 'Busy.', retryable: true } };
  answers = [
    new Response(JSON.stringify(busy), { status: 429, headers: { 'retry-after': '2' } }),
    stream([frame('final', { answer: 'No.' })]),
  ];
  const asked = all(client().askStream(question));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await asked).toEqual([{ event: 'final', data: { answer: 'No.' } }]);
});

it('gives a stream up when its reader does', async () => {
  answers = [stream([frame('delta', { text: 'It' })], 'stays')];
  for await (const { event } of client().askStream(question)) {
    expect(event).toBe('delta');
    break;
  }
  expect(cancelled).toBe(1);
});

const running = (done: number) => ({ status: 'running', progress: { done, total: 3 } });
const ended = { run_id: 'r', status: 'done', progress: { done: 3, total: 3 }, result: {} };

it('opens the stream of a run again where it breaks, ends or is over, and says nothing twice', async () => {
  const late = { detail: { error: 'events_timeout', message: 'Open it again.', retryable: true } };
  answers = [
    stream([frame('status', running(0))], 'breaks'),
    stream([frame('status', running(0)), frame('status', running(1))]),
    stream([frame('status', running(1)), frame('error', late)]),
    stream([frame('status', running(2)), frame('final', ended)]),
  ];
  const followed = all(client().runEvents({ run_id: 'r' }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await followed).toEqual([
    ...[0, 1, 2].map(done => ({ event: 'status', data: running(done) })),
    { event: 'final', data: ended },
  ]);
});

it('gives up a run whose streams say nothing new', async () => {
  answers = Array.from({ length: 9 }, () => stream([frame('status', running(0))], 'breaks'));
  const followed = all(client().runEvents({ run_id: 'r' })).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await followed).toMatchObject({ message: 'terminated' });
  // One that told something, and four that did not.
  expect(answers).toHaveLength(4);
});

it('walks the pages of a search as they are taken', async () => {
  const page = (matches: readonly string[], next_cursor: string | null) =>
    new Response(JSON.stringify({ matches: matches.map(apn => ({ apn })), next_cursor }));
  const search = { filters: [{ field: 'state', op: 'eq', value: 'ME' }], limit: 2 };
  answers = [page(['1', '2'], 'c1'), page([], 'c2'), page(['3'], null)];
  const matches = client().searchMatches(search);
  expect((await matches.next()).value).toEqual({ apn: '1' });
  expect(bodies).toHaveLength(1);
  expect((await all(matches)).map(({ apn }) => apn)).toEqual(['2', '3']);
  expect(bodies.map(body => JSON.parse(body))).toEqual([
    search,
    { ...search, cursor: 'c1' },
    { ...search, cursor: 'c2' },
  ]);
  answers = [page(['4'], 'c3'), page(['5'], null)];
  const pages = await all(client().searchPages({ ...search, cursor: 'mine' }));
  expect(pages.map(({ matches }) => matches.length)).toEqual([1, 1]);
  expect(bodies.slice(3).map(body => JSON.parse(body).cursor)).toEqual(['mine', 'c3']);
});

it('does not ask without end for parcels that cannot be read', async () => {
  const page = (matches: readonly object[], next_cursor: string | null, completion_reason: string) =>
    new Response(JSON.stringify({ matches, next_cursor, completion_reason }));
  const search = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };
  const stuck = () => page([], 'c1', 'source_unavailable');
  answers = [page([{ apn: '1' }], 'c1', 'source_unavailable'), stuck(), page([{ apn: '2' }], null, 'exhausted')];
  const whole = all(client().searchMatches(search));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await whole).toEqual([{ apn: '1' }, { apn: '2' }]);
  // What says that it worked as far as it may goes on, without matches too.
  answers = [page([], 'c1', 'work_limit'), page([], 'c2', 'work_limit'), page([], null, 'exhausted')];
  expect(await all(client().searchPages(search))).toHaveLength(3);

  answers = Array.from({ length: 9 }, stuck);
  const partial = all(client().searchMatches(search)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await partial).toMatchObject({ name: 'PlatError', retryable: true });
  expect(answers).toHaveLength(5);
});
