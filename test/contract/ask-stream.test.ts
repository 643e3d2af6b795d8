import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import type { Backend } from '../../server/ask/backend.ts';
import { embeddedBackend } from '../../server/ask/embedded/backend.ts';
import { ServiceError } from '../../server/errors/registry.ts';
import { languageHere } from '../server/language/language-here.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

const embedded = embeddedBackend(languageHere(catalog));
/** What the next answer is written with. */
let write: Backend['write'] = embedded.write;
let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  const askBackend: Backend = { ...embedded, write: (task, stage) => write(task, stage) };
  fixture = await openFixture({ cache: false, catalog, askBackend });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.reset();
  write = embedded.write;
});

const BODY = { question: 'Is it in a flood zone?', lat: 44.8, lng: -68.77 };
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;
const post = (body: object = BODY, signal?: AbortSignal) =>
  fetch(`${client.base}/v1/ask/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
const eventsOf = (text: string) => {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: event => events.push(event) }).feed(text);
  return events.map(({ event, data }) => ({ event, data: JSON.parse(data) }));
};

describe('a stream', () => {
  it('is deltas and then the body of ask, once', async () => {
    const response = await post();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const events = eventsOf(await response.text());
    expect(events.slice(0, -1).every(({ event }) => event === 'delta')).toBe(true);
    const final = events.at(-1)!;
    expect(final.event).toBe('final');
    expect(events.length).toBeGreaterThan(2);
    expect(
      events
        .slice(0, -1)
        .map(({ data }) => data.text)
        .join(''),
    ).toBe(final.data.answer);
    expect(final.data).toEqual((await client.post('/v1/ask', BODY)).json);
  });

  it('costs what ask costs', async () => {
    const before = await used();
    await (await post()).text();
    expect(await used()).toBe(before + 20);
  });

  it('that fails before its first byte is an HTTP error', async () => {
    const before = await used();
    write = () => {
      throw new ServiceError('ask_timeout');
    };
    const response = await post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([504, '5']);
    expect(await response.json()).toMatchObject({ detail: { error: 'ask_timeout' } });
    expect((await post({ ...BODY, lat: 0 })).status).toBe(400);
    expect((await post({ question: '' })).status).toBe(422);
    expect(await used()).toBe(before);
  });

  it('that fails later ends with one error and gives the credits back', async () => {
    const before = await used();
    write = async function* (task, stage) {
      for await (const sentence of embedded.write(task, stage)) {
        yield sentence;
        break;
      }
      throw new ServiceError('ask_timeout');
    };
    const response = await post();
    expect(response.status).toBe(200);
    const events = eventsOf(await response.text());
    expect(events.map(({ event }) => event)).toEqual(['delta', 'error']);
    expect(events[1]!.data).toEqual({ error: 'ask_timeout', message: expect.any(String), retryable: true });
    expect(await used()).toBe(before);
  });

  it('that breaks for no known reason has neither final nor error', async () => {
    write = async function* (task, stage) {
      for await (const sentence of embedded.write(task, stage)) {
        yield sentence;
        break;
      }
      throw new TypeError('unforeseen');
    };
    expect(eventsOf(await (await post()).text()).map(({ event }) => event)).toEqual(['delta']);
  });

  it('whose client goes ends what runs and gives the credits back', async () => {
    const before = await used();
    let ended = () => {};
    const over = new Promise<void>(resolve => {
      ended = resolve;
    });
    write = async function* (task, { signal }) {
      yield* [
        (
          await embedded
            .write(task, { signal, usage: {} as never })
            [Symbol.asyncIterator]()
            .next()
        ).value!,
      ];
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended();
          reject(signal.reason);
        });
      });
    };
    const gone = new AbortController();
    const response = await post(BODY, gone.signal);
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^event: delta\n/);
    gone.abort();
    await over;
    for (let i = 0; i < 200 && (await used()) !== before; i++) await new Promise(setImmediate);
    expect(await used()).toBe(before);
  });

  it('shows no sentence that the records do not support', async () => {
    write = async function* (task) {
      yield { text: 'The FEMA flood zone is 777.', fields: ['fema_flood_zone'] };
      yield { text: 'There are 31 schools.', fields: [] };
      yield* embedded.write(task, { signal: new AbortController().signal, usage: {} as never });
    };
    const events = eventsOf(await (await post({ ...BODY, include_trace: true } as never)).text());
    const final = events.at(-1)!.data;
    expect(events.map(({ data }) => data.text).join('')).not.toMatch(/777|31/);
    expect(final.answer).not.toMatch(/777|31/);
    expect(final.confidence).toBe('medium');
    expect(final.trace.dropped).toEqual([
      { text: 'The FEMA flood zone is 777.', reason: 'number not in the records cited: 777' },
      { text: 'There are 31 schools.', reason: expect.stringContaining('citation') },
    ]);
  });
});
