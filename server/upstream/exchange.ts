/** The other side did not answer completely in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** The other side could not be reached, dropped the connection or sent more than any answer of its protocol holds. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

export interface Exchange {
  readonly status: number;
  /** Parsed JSON; undefined when the body is none. */
  readonly body: unknown;
}

export interface ExchangeTerms {
  /** Milliseconds from now until the last byte. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Of the answer, instead of what any answer about one address holds. */
  readonly maxBytes?: number;
}

/** No answer about one address, and no list of keys, is larger: a provider that goes on is cut off. */
const MAX_BYTES = 262_144;

/** The text of an answer's body. @throws Dropped when there is more of it. */
export async function boundedText(response: Response, maxBytes = MAX_BYTES): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early cancels the body and so closes the connection.
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
 * One GET over HTTP whose answer is JSON. Redirects are not followed: a credential goes where it was meant to go.
 * @throws TimedOut, Dropped; AbortError when the caller's signal aborts.
 */
export const getJson = (url: URL, terms: ExchangeTerms): Promise<Exchange> => exchange(url, {}, terms);

/** One POST of JSON over HTTP whose answer is JSON; for what changes nothing there. As getJson. */
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
      headers: { accept: 'application/json', ...request.headers },
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
