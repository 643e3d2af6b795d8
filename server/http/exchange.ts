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
}

/** No answer of a provider is larger: one that goes on is cut off. */
const MAX_BYTES = 262_144;

/** The text of an answer's body. @throws Dropped when there is more of it than MAX_BYTES. */
export async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early cancels the body and so closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Dropped(`it sent more than ${MAX_BYTES} bytes`);
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
export async function getJson(url: URL, { limitMs, signal }: ExchangeTerms): Promise<Exchange> {
  if (limitMs <= 0) throw new TimedOut('no time is left');
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    return { status: response.status, body: parsed(await boundedText(response)) };
  } catch (error) {
    if (signal.aborted) throw new DOMException('The request was aborted', 'AbortError');
    if (limit.aborted) throw new TimedOut(`no complete answer in ${limitMs} ms`);
    throw error instanceof Dropped ? error : new Dropped('it could not be reached or dropped the connection');
  }
}
