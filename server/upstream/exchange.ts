import { traceHeaders } from '../trace/traceparent.ts';

/** The other side did not send a complete answer in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** The other side could not be reached, closed the connection, or sent more than its protocol allows. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

export interface Exchange {
  readonly status: number;
  /** Parsed JSON; undefined when the body is not JSON. */
  readonly body: unknown;
}

export interface ExchangeTerms {
  /** Milliseconds from now until the last byte. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Most bytes of the answer, when it is not the default. */
  readonly maxBytes?: number;
}

/** Bytes after which an answer is cut off. No answer about one address, and no list of keys, is larger. */
const MAX_BYTES = 262_144;

/** Reads the text of a body. @throws Dropped when it is longer than allowed. */
export async function boundedText(response: Response, maxBytes = MAX_BYTES): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early cancels the body, which closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Dropped(`it sent more than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a GET that is answered with JSON. It follows no redirects, so that a credential reaches only its own host.
 * @throws TimedOut, Dropped; AbortError when the caller's signal aborts.
 */
export const getJson = (url: URL, terms: ExchangeTerms): Promise<Exchange> => exchange(url, {}, terms);

/** Sends a POST of JSON that is answered with JSON, for requests that change nothing there. @throws as getJson. */
export const postJson = (url: URL, body: unknown, terms: ExchangeTerms): Promise<Exchange> =>
  exchange(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, terms);

async function exchange(
  url: URL,
  request: Pick<RequestInit, 'method' | 'body'> & { readonly headers?: Readonly<Record<string, string>> },
  { limitMs, signal, maxBytes = MAX_BYTES }: ExchangeTerms,
): Promise<Exchange> {
  if (limitMs <= 0) throw new TimedOut('no time is left');
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...request.headers, ...traceHeaders() },
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    return { status: response.status, body: parsed(await boundedText(response, maxBytes)) };
  } catch (error) {
    if (signal.aborted) throw new DOMException('The request was aborted', 'AbortError');
    if (limit.aborted) throw new TimedOut(`no complete answer in ${limitMs} ms`);
    throw error instanceof Dropped ? error : new Dropped('it could not be reached or dropped the connection');
  }
}
