import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { parseJson, withBareCharacters, withoutNaN } from '../text/json-numbers.ts';
import { ChainCookies } from './chain-cookies.ts';
import { decoded, textOf } from './content-coding.ts';
import { AcquireError, isOfConnection } from './fault.ts';
import type { HostKeys } from './keys.ts';
import { type Mirror, NO_MIRROR } from './mirror.ts';

interface ClientOptions {
  readonly mirror?: Mirror;
  /** Connections to one host at once. */
  readonly perHost?: number;
  /** Tokens of ArcGIS servers by host; each goes to its own host alone and stands in no message. */
  readonly tokens?: ReadonlyMap<string, string>;
  /** Headers with keys of publishers; each goes to its own host alone and stands in no message. */
  readonly keys?: HostKeys;
  /** Attempts beside the first. */
  readonly retries?: number;
  /** Waits before an attempt; tests give their own. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called with a line for each request that is tried again, which says why. */
  readonly told?: (line: string) => void;
}

/** An answer whose body has not been read. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; of several headers with one name the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** Whether the server coded what was asked for plain: its parts are none of the file, and it cannot be gone on with. */
  readonly isDecoded: boolean;
  /** Address of the answer after redirects, at the publisher even if a mirror answered. */
  readonly url: string;
  /** The address to which it moved for good (301, 308), where each redirect says so. */
  readonly moved?: string;
}

/** Closes an answer without reading the rest of it. */
export function leave({ body }: Answer): void {
  if (body.readableEnded) return;
  body.on('error', () => {});
  body.destroy();
}

/** Reads the first bytes of an answer, and closes it. @param most bytes that are returned. */
export async function headOf(answer: Answer, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    let bytes = 0;
    for await (const part of answer.body) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes >= most) break;
    }
  } catch (error) {
    // The beginning of a coded file has no end.
    if (parts.length === 0 || (error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') throw error;
  } finally {
    leave(answer);
  }
  return Buffer.concat(parts).subarray(0, most);
}

const REDIRECTS = 6;
/** The first wait doubles each time. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** If a publisher asks for a longer wait, the file is left for another run. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;
/** A connection without a byte for this long is given up. */
const SILENCE_MS = 60_000;
const SHORT_ANSWER = 64 * 1024 * 1024;
/** Statuses of a server that does not know the method or the version: another try gets the same. */
const NEVER = [501, 505];

/** Milliseconds of a Retry-After header, which is seconds or a date; null where there is none. */
function retryAfter(value: string | undefined, now = Date.now()): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** A fault that may pass: the client tries again. */
export class Passing extends Error {
  override readonly name = 'Passing';
  readonly afterMs: number | null;
  constructor(message: string, afterMs: number | null = null) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** A page for people came where data was asked for. */
export class PageInstead extends Passing {}

/** An answer is longer than one of its kind may be: fewer rows of it may come. */
export class LongAnswer extends AcquireError {}

/**
 * Sends requests to publishers. It uses the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, a mirror if one is set, and few
 * connections for each host. It follows redirects to any host, but never from https to http. It tries failures that may pass
 * again after the time of Retry-After, or else after a growing wait with jitter.
 */
export class Client {
  readonly #agent: Dispatcher;
  readonly #mirror: Mirror;
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #keys: HostKeys;
  readonly #retries: number;
  readonly #wait: NonNullable<ClientOptions['wait']>;
  readonly #told: (line: string) => void;

  constructor({
    mirror = NO_MIRROR,
    perHost = 2,
    tokens = new Map(),
    keys = new Map(),
    retries = 6,
    wait,
    told = () => {},
  }: ClientOptions = {}) {
    this.#agent = new EnvHttpProxyAgent({
      connections: perHost,
      connect: { timeout: 30_000 },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    this.#mirror = mirror;
    this.#tokens = tokens;
    this.#keys = keys;
    this.#retries = retries;
    this.#wait = wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    this.#told = told;
  }

  /**
   * Repeats an attempt while it fails with Passing or a fault of the connection, and returns its result.
   * @param retries attempts beside the first.
   * @throws AcquireError `unreachable` after the last attempt, and any other error of the attempt.
   */
  async patiently<T>(
    url: string,
    attempt: () => Promise<T>,
    signal?: AbortSignal,
    retries = this.#retries,
  ): Promise<T> {
    for (let tried = 0; ; tried++) {
      signal?.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof Passing) && !isOfConnection(error)) throw error;
        const said = (error as Error).message || String((error as NodeJS.ErrnoException).code);
        const retryAfterMs = error instanceof Passing ? error.afterMs : null;
        if (tried >= retries || (retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS)
          throw new AcquireError('unreachable', url, `${said}; gave up after ${tried + 1} attempts`, null, error);
        const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried);
        const ms =
          retryAfterMs === null ? grown * (0.5 + Math.random() / 2) : retryAfterMs + Math.random() * FIRST_WAIT_MS;
        this.#told(`${url}: ${said}; trying again in ${(ms / 1000).toFixed(1)} s`);
        await this.#wait(ms, signal);
      }
    }
  }

  /**
   * Sends one request and returns the answer for the statuses 2xx, 304 and 416.
   * @throws Passing for a status that may pass, AcquireError for any other.
   * @param headers in lower case.
   */
  async ask(
    url: string,
    {
      method = 'GET',
      headers = {},
      body: sent,
      signal,
    }: {
      method?: 'GET' | 'HEAD' | 'POST';
      headers?: Record<string, string>;
      body?: string;
      signal?: AbortSignal;
    } = {},
  ): Promise<Answer> {
    let at = new URL(url);
    let isForGood = true;
    const cookies = new ChainCookies();
    for (let hops = 0; hops <= REDIRECTS; hops++) {
      const swapped = this.#mirror.swapped(at);
      if ('file' in swapped) return fromFile(swapped.file, at.href, headers, method);
      const {
        statusCode,
        headers: said,
        body,
      } = await request(this.#withToken(swapped.url, at.host), {
        method,
        dispatcher: this.#agent,
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'plat',
          ...cookies.headerFor(at),
          ...headers,
          ...this.#keys.get(at.host),
        },
        ...(sent === undefined ? {} : { body: sent }),
        signal,
      });
      const given = Object.fromEntries(
        Object.entries(said).map(([name, value]) => [
          name.toLowerCase(),
          String(Array.isArray(value) ? value[0] : value),
        ]),
      );
      if ([301, 302, 303, 307, 308].includes(statusCode) && given.location !== undefined) {
        await body.dump();
        cookies.keep(at, said['set-cookie']);
        const next = URL.parse(given.location, at.href);
        if (!next || !/^https?:$/.test(next.protocol))
          throw new AcquireError('wrong_content', url, `redirects to ${given.location}, which is no web address`);
        if (at.protocol === 'https:' && next.protocol === 'http:')
          throw new AcquireError(
            'wrong_content',
            url,
            `redirects from https to ${next.href}, which anybody may change`,
          );
        at = next;
        isForGood &&= statusCode === 301 || statusCode === 308;
        continue;
      }
      if (statusCode < 300 || statusCode === 304 || statusCode === 416)
        return {
          ...{ status: statusCode, url: at.href, ...decoded(at, given, body) },
          ...(hops > 0 && isForGood ? { moved: at.href } : {}),
        };
      await body.dump();
      const wantsKey = statusCode === 401 && !this.#keys.has(at.host);
      const why = `answered ${statusCode}${wantsKey ? '; a key for its host may be given in PLAT_PUBLISHER_KEYS' : ''}`;
      if (statusCode === 408 || statusCode === 429 || (statusCode >= 500 && !NEVER.includes(statusCode)))
        throw new Passing(why, retryAfter(given['retry-after']));
      throw new AcquireError(statusCode === 404 || statusCode === 410 ? 'gone' : 'forbidden', url, why, statusCode);
    }
    throw new AcquireError('wrong_content', url, `redirects more than ${REDIRECTS} times`);
  }

  /** The address with the token of its host, if the path is one of a map server. */
  #withToken(address: URL | string, host: string): URL {
    const url = new URL(address);
    const token = this.#tokens.get(host);
    if (token !== undefined && url.pathname.includes('/rest/services/')) url.searchParams.set('token', token);
    return url;
  }

  /** Returns a short answer as text; tries again as `patiently` does. @throws AcquireError. */
  text(url: string, signal?: AbortSignal): Promise<string> {
    return this.patiently(url, () => this.textOnce(url, signal), signal);
  }

  /** One try of `text`. @param question is posted: parameters as a form, all else as JSON. @throws as `ask`; AcquireError for a long answer. */
  async textOnce(url: string, signal?: AbortSignal, question?: object): Promise<string> {
    const text = textOf(await this.bytesOnce(url, signal, question), SHORT_ANSWER);
    if (text === null) throw new Passing('its answer is compressed, and damaged or too long');
    return text.replace(/^\uFEFF/, '');
  }

  /** One try of a short answer. @param question as of `textOnce`. @throws as `textOnce`. */
  async bytesOnce(url: string, signal?: AbortSignal, question?: object): Promise<Buffer> {
    const isForm = question instanceof URLSearchParams;
    const { body } = await this.ask(
      url,
      question === undefined
        ? { signal }
        : {
            method: 'POST',
            headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
            body: isForm ? question.toString() : JSON.stringify(question),
            signal,
          },
    );
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of body) {
      bytes += (part as Buffer).length;
      if (bytes > SHORT_ANSWER) {
        body.destroy();
        throw new LongAnswer('wrong_content', url, `answered more than ${SHORT_ANSWER} bytes`);
      }
      parts.push(part as Buffer);
    }
    return Buffer.concat(parts);
  }

  /** Returns a short answer as parsed JSON; asks again if the answer is cut off. @throws AcquireError. */
  json(url: string, signal?: AbortSignal): Promise<unknown> {
    return this.patiently(url, () => this.jsonOnce(url, signal), signal);
  }

  /** One try of `json`. @throws as `textOnce`; Passing for a page instead of JSON, and for JSON that is cut off. */
  async jsonOnce(url: string, signal?: AbortSignal, question?: object): Promise<unknown> {
    const text = await this.textOnce(url, signal, question);
    if (/^\s*</.test(text)) throw new PageInstead('a page came instead of JSON');
    const plain = withoutNaN(text);
    try {
      return parseJson(plain);
    } catch {}
    try {
      return parseJson(withBareCharacters(plain));
    } catch {
      throw new Passing('its JSON is cut off or damaged');
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** Answers from a file of a mirror. It supports ranges, and uses the time of the file as the validator. */
async function fromFile(file: string, url: string, headers: Record<string, string>, method: string): Promise<Answer> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new AcquireError('gone', url, `the mirror has no file ${file}`);
  const etag = `"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"`;
  const said = { etag, 'last-modified': found.mtime.toUTCString() };
  if (headers['if-none-match'] === etag) return { status: 304, headers: said, body: empty(), isDecoded: false, url };
  const first = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const isPart = first > 0 && first < found.size && headers['if-range'] === etag;
  const start = isPart ? first : 0;
  const body = method === 'HEAD' ? empty() : createReadStream(file, { start });
  const range: Record<string, string> = isPart
    ? { 'content-range': `bytes ${first}-${found.size - 1}/${found.size}` }
    : {};
  return {
    status: isPart ? 206 : 200,
    headers: { ...said, ...range, 'content-length': String(found.size - start) },
    body,
    isDecoded: false,
    url,
  };
}

const empty = () => createReadStream('/dev/null');
