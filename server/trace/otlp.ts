import type { SpanExporter, SpanRecord } from './tracer.ts';

/** Spans of one request, milliseconds between requests, and spans that may wait: the defaults of OpenTelemetry's batches. */
const BATCH = 512;
const EVERY_MS = 5_000;
const MOST_WAITING = 2_048;

/** OTLP's number of an error. */
const ERROR = 2;

export interface OtlpTerms {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** What the spans are of: `service.name` and others. */
  readonly resource: Readonly<Record<string, string>>;
  readonly warn: (detail: object, message: string) => void;
}

const attributesOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** Nanoseconds since the epoch, exact to the microsecond. */
const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n);

const written = (span: SpanRecord) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
  ...(span.state === null ? {} : { traceState: span.state }),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributesOf(span.attributes),
  ...(span.failed ? { status: { code: ERROR } } : {}),
});

/**
 * Sends spans to a collector by OTLP over HTTP, in JSON (https://opentelemetry.io/docs/specs/otlp/). What a collector does not take
 * is dropped: a trace is not worth the memory of a server.
 */
export class OtlpExporter implements SpanExporter {
  readonly #terms: OtlpTerms;
  #waiting: SpanRecord[] = [];
  #dropped = 0;
  #failing = false;
  #sending: Promise<void> | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(terms: OtlpTerms) {
    this.#terms = terms;
    this.#timer = setInterval(() => void this.#flush(), EVERY_MS).unref();
  }

  add(span: SpanRecord): void {
    if (this.#waiting.length >= MOST_WAITING) this.#dropped++;
    else this.#waiting.push(span);
    if (this.#waiting.length >= BATCH) void this.#flush();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, BATCH));
  }

  async #send(spans: readonly SpanRecord[]): Promise<void> {
    const { url, headers, timeoutMs, resource, warn } = this.#terms;
    const scopeSpans = [{ scope: { name: 'plat' }, spans: spans.map(written) }];
    const body = JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] });
    let problem: string | null = null;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, signal };
      const reply = await fetch(url, { ...request, redirect: 'error' });
      await reply.body?.cancel();
      if (!reply.ok) problem = `the collector answers ${reply.status}`;
    } catch (error) {
      problem = (error as Error).name === 'TimeoutError' ? 'the collector does not answer' : 'it cannot be reached';
    }
    if (problem !== null) this.#dropped += spans.length;
    if (problem !== null && !this.#failing) warn({ problem, dropped: this.#dropped }, 'traces cannot be exported');
    if (problem === null && this.#failing) warn({ dropped: this.#dropped }, 'traces are exported again');
    if (problem === null) this.#dropped = 0;
    this.#failing = problem !== null;
  }
}
