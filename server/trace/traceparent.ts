import { type Trace, tracing } from '../../query/engine/queue/trace.ts';

/** Most characters of `tracestate` that are passed on: as many as W3C asks to keep. */
const LONGEST_STATE = 512;

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

type Header = string | readonly string[] | undefined;

/**
 * Reads the headers of W3C Trace Context (https://www.w3.org/TR/trace-context/).
 * @returns null where there is none, or none that is well formed: a trace then begins anew, as the standard asks.
 */
export function readTraceparent(traceparent: Header, tracestate?: Header): Trace | null {
  if (typeof traceparent !== 'string') return null;
  const [, version, traceId, spanId, flags, more] = FORM.exec(traceparent.trim()) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  const state = typeof tracestate === 'string' && /^[\x20-\x7e]+$/.test(tracestate) ? tracestate : null;
  return {
    traceId: traceId!,
    spanId: spanId!,
    sampled: (Number.parseInt(flags!, 16) & 1) === 1,
    state: state !== null && state.length <= LONGEST_STATE ? state : null,
  };
}

/** Writes a trace as the header `traceparent`. */
const traceparentOf = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** The headers that pass the trace of what runs now on; none where there is no trace. */
export function traceHeaders(): Record<string, string> {
  const trace = tracing.getStore();
  if (!trace) return {};
  return { traceparent: traceparentOf(trace), ...(trace.state === null ? {} : { tracestate: trace.state }) };
}

/** `fetch` that passes the trace on. */
export const tracedFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
  return fetch(input, { ...init, headers });
};
