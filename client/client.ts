import { OPERATIONS, type Operations } from './api.ts';
import { errorFrom, PlatError } from './errors.ts';
import { eventsOf } from './events.ts';
import { RETRIES, type Retries, waitAfter } from './retries.ts';
import { type CallOptions, type ClientOptions, type Send, sender } from './sending.ts';

export type * from './api.ts';
export { VERSION } from './api.ts';
export { PlatError, type ShapeIssue } from './errors.ts';
export type { Retries } from './retries.ts';
export type { CallOptions, ClientOptions } from './sending.ts';

/** The input of an operation: the properties of path, query and body together. */
export type InputOf<K extends keyof Operations> = Operations[K]['input'];
/** The answer of an operation. */
export type AnswerOf<K extends keyof Operations> = Operations[K]['answer'];

/** Operations whose answer is a stream of events. */
type Streamed = 'askStream' | 'runEvents';

type Call<K extends keyof Operations> =
  object extends InputOf<K>
    ? (input?: InputOf<K>, options?: CallOptions) => Promise<AnswerOf<K>>
    : (input: InputOf<K>, options?: CallOptions) => Promise<AnswerOf<K>>;

/** Every operation without a stream, by its name in the API description. */
type Calls = { readonly [K in keyof Operations as Exclude<K, Streamed | 'runArtifact'>]: Call<K> };

/** A piece of an answer, or the last event: the whole answer with its citations. */
export type AskEvent =
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'final'; readonly data: AnswerOf<'ask'> };

/** The progress of a run, or the last event: the run with its result. */
export type RunEvent =
  | { readonly event: 'status'; readonly data: Pick<AnswerOf<'run'>, 'status' | 'progress'> }
  | { readonly event: 'final'; readonly data: AnswerOf<'run'> };

/** A client of the service, with a method for each operation. */
export interface Client extends Calls {
  /**
   * Pages of a search. Each page is requested when the one before was consumed.
   * @throws PlatError when the next parcels cannot be read, after some tries.
   */
  searchPages(input: InputOf<'search'>, options?: CallOptions): AsyncGenerator<AnswerOf<'search'>, void, void>;
  /** Matches of a search over all its pages. `limit` is the size of a page. */
  searchMatches(
    input: InputOf<'search'>,
    options?: CallOptions,
  ): AsyncGenerator<AnswerOf<'search'>['matches'][number], void, void>;
  /** What changed since a release, page after page: layers on the first ones, parcels after them. */
  changesPages(input: InputOf<'changes'>, options?: CallOptions): AsyncGenerator<AnswerOf<'changes'>, void, void>;
  /** How the account's runs stand, newest first, over all pages. */
  runs(
    input?: InputOf<'listRuns'>,
    options?: CallOptions,
  ): AsyncGenerator<AnswerOf<'listRuns'>['runs'][number], void, void>;
  /** The account's field requests, newest first, over all pages. */
  fieldRequests(
    input?: InputOf<'listFieldRequests'>,
    options?: CallOptions,
  ): AsyncGenerator<AnswerOf<'listFieldRequests'>['field_requests'][number], void, void>;
  /** The answers of a run as CSV (RFC 4180). */
  runArtifact(input: { readonly run_id: string; readonly fmt: 'csv' }, options?: CallOptions): Promise<string>;
  /** The answers of a run as GeoJSON. */
  runArtifact(
    input: { readonly run_id: string; readonly fmt: 'geojson' },
    options?: CallOptions,
  ): Promise<Exclude<AnswerOf<'runArtifact'>, string>>;
  /**
   * An answer, as it is written.
   * @throws PlatError when it fails. Discard what was written so far.
   */
  askStream(input: InputOf<'askStream'>, options?: CallOptions): AsyncGenerator<AskEvent, void, void>;
  /** The events of a run until it has ended. A stream that breaks is opened again. */
  runEvents(input: InputOf<'runEvents'>, options?: CallOptions): AsyncGenerator<RunEvent, void, void>;
}

/** Milliseconds after which a stream that breaks counts as having worked. */
const STOOD_MS = 15_000;

const isJson = (response: Response) => /[/+]json\b/.test(response.headers.get('content-type') ?? '');

/** The error of a stream: from its error event, or for a missing last event. */
const streamError = (data: unknown): PlatError => {
  const detail = (data as { readonly detail?: unknown } | null)?.detail ?? data;
  const otherwise = 'The stream of events ended before its last one';
  return errorFrom(detail, otherwise, { status: null, retryAfterMs: null, requestId: null });
};

async function open(send: Send, name: Streamed, input: object, options: CallOptions) {
  return eventsOf(await send(name, { ...input }, options, async response => response.body!));
}

async function* askStream(send: Send, input: InputOf<'askStream'>, options: CallOptions) {
  for await (const { event, data } of await open(send, 'askStream', input, options)) {
    if (event === 'error') throw streamError(data);
    yield { event, data } as AskEvent;
    if (event === 'final') return;
  }
  throw streamError(null);
}

async function* runEvents(send: Send, input: InputOf<'runEvents'>, options: CallOptions, retries: Retries) {
  let said = '';
  for (let attempt = 1; ; attempt++) {
    const events = await open(send, 'runEvents', input, options);
    const since = Date.now();
    let failure: unknown = new TypeError('The stream of events ended before its last one');
    try {
      for await (const { event, data } of events) {
        if (event === 'error') throw streamError(data);
        // A stream that is opened again begins with the current state.
        const now = JSON.stringify(data);
        if (now === said) continue;
        said = now;
        attempt = 0;
        yield { event, data } as RunEvent;
        if (event === 'final') return;
      }
    } catch (error) {
      failure = error;
    }
    if (Date.now() - since >= STOOD_MS) attempt = 0;
    await waitAfter(failure, Math.max(1, attempt), true, retries, options.signal);
  }
}

/** The error that ends a search whose next parcels cannot be read. Without it the pages would never end. */
const unreadable = () =>
  new PlatError({
    code: null,
    message: 'The search cannot go on: the source of what comes next is unavailable (source_unavailable)',
    status: null,
    retryable: true,
    retryAfterMs: null,
    requestId: null,
    detail: null,
  });

async function* searchPages(send: Send, input: InputOf<'search'>, options: CallOptions, retries: Retries) {
  let cursor = input.cursor;
  let attempt = 0;
  do {
    const body = cursor === undefined ? input : { ...input, cursor };
    const page = await send('search', body, options, response => response.json() as Promise<AnswerOf<'search'>>);
    yield page;
    cursor = page.next_cursor ?? undefined;
    const stuck = page.completion_reason === 'source_unavailable' && page.matches.length === 0;
    attempt = stuck ? attempt + 1 : 0;
    if (stuck && cursor !== undefined) await waitAfter(unreadable(), attempt, true, retries, options.signal);
  } while (cursor !== undefined);
}

/** Operations that answer in pages, each but the last with a cursor for the next. */
type Paged = 'changes' | 'listRuns' | 'listFieldRequests';

async function* pagesOf<K extends Paged>(send: Send, name: K, input: InputOf<K>, options: CallOptions) {
  let { cursor } = input;
  do {
    const terms = cursor === undefined ? input : { ...input, cursor };
    const page = await send(name, terms, options, response => response.json() as Promise<AnswerOf<K>>);
    yield page;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Makes a client of the service at a URL. */
export function createClient(options: ClientOptions): Client {
  const send = sender(options);
  const retries = { ...RETRIES, ...options.retries };
  const call =
    (name: keyof Operations) =>
    (input: object = {}, its: CallOptions = {}) =>
      send(name, { ...input }, its, response => (isJson(response) ? response.json() : response.text()));
  const names = Object.keys(OPERATIONS) as (keyof Operations)[];
  return {
    ...(Object.fromEntries(names.map(name => [name, call(name)])) as unknown as Calls & Pick<Client, 'runArtifact'>),
    searchPages: (input, its = {}) => searchPages(send, input, its, retries),
    async *searchMatches(input, its = {}) {
      for await (const page of searchPages(send, input, its, retries)) yield* page.matches;
    },
    changesPages: (input, its = {}) => pagesOf(send, 'changes', input, its),
    async *runs(input = {}, its = {}) {
      for await (const { runs } of pagesOf(send, 'listRuns', input, its)) yield* runs;
    },
    async *fieldRequests(input = {}, its = {}) {
      for await (const { field_requests } of pagesOf(send, 'listFieldRequests', input, its)) yield* field_requests;
    },
    askStream: (input, its = {}) => askStream(send, input, its),
    runEvents: (input, its = {}) => runEvents(send, input, its, retries),
  };
}
