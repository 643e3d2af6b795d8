import { randomBytes } from 'node:crypto';
import { type TaskTimes, type Trace, tracing } from '../../query/engine/queue/trace.ts';

/** What is told of work that ended. Times are epoch milliseconds. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  /** Null where the trace begins here. */
  readonly parentId: string | null;
  readonly state: string | null;
  readonly name: string;
  /** Numbers of OTLP: 1 internal, 2 server, 5 consumer. */
  readonly kind: 1 | 2 | 5;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

/** Takes spans and sends them somewhere. */
export interface SpanExporter {
  add(span: SpanRecord): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Whether the trace of an id is recorded, given what its caller decided; undefined where it has none. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

const spanIdOf = () => randomBytes(8).toString('hex');
const epoch = (now: number) => performance.timeOrigin + now;

/** Work that is being traced. */
export class Span implements Trace {
  readonly traceId: string;
  readonly spanId = spanIdOf();
  readonly sampled: boolean;
  readonly state: string | null;
  readonly #parentId: string | null;
  readonly #exporter: SpanExporter;
  readonly #kind: SpanRecord['kind'];
  readonly #startedAt = performance.now();

  constructor(exporter: SpanExporter, sample: Sampler, parent: Trace | null, kind: SpanRecord['kind']) {
    this.#exporter = exporter;
    this.#kind = kind;
    this.#parentId = parent?.spanId ?? null;
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.state = parent?.state ?? null;
    this.sampled = sample(this.traceId, parent?.sampled);
  }

  /** Notes the wait of a task of workers and its work, as two spans below this one. */
  readonly task = ({ kind, queuedAt, sentAt, endedAt }: TaskTimes): void => {
    const beginning = sentAt === 0 ? endedAt : sentAt;
    this.#note(`queue ${kind}`, 1, queuedAt, beginning, {}, false, spanIdOf(), this.spanId);
    if (sentAt > 0) this.#note(`worker ${kind}`, 1, beginning, endedAt, {}, false, spanIdOf(), this.spanId);
  };

  end(name: string, attributes: SpanRecord['attributes'], failed: boolean): void {
    this.#note(name, this.#kind, this.#startedAt, performance.now(), attributes, failed, this.spanId, this.#parentId);
  }

  #note(
    name: string,
    kind: SpanRecord['kind'],
    start: number,
    end: number,
    attributes: SpanRecord['attributes'],
    failed: boolean,
    spanId: string,
    parentId: string | null,
  ): void {
    if (!this.sampled) return;
    const { traceId, state } = this;
    const times = { startMs: epoch(start), endMs: epoch(end) };
    this.#exporter.add({ traceId, spanId, parentId, state, name, kind, ...times, attributes, failed });
  }
}

/** Begins spans, or only hands on the traces of callers where nothing is exported. */
export class Tracer {
  readonly #exporter: SpanExporter | null;
  readonly #sample: Sampler;

  constructor(exporter: SpanExporter | null = null, sample: Sampler = (_, parent) => parent ?? true) {
    this.#exporter = exporter;
    this.#sample = sample;
  }

  /** Begins a span below the trace of a caller; the caller's trace itself where nothing is exported, or null without one. */
  begin(parent: Trace | null, kind: SpanRecord['kind']): Trace | null {
    return this.#exporter ? new Span(this.#exporter, this.#sample, parent, kind) : parent;
  }

  /** Does work as a span below the trace of a caller. @param name what it is called. */
  async during<T>(parent: Trace | null, name: string, work: () => Promise<T>): Promise<T> {
    const trace = this.begin(parent, 5);
    if (!trace) return work();
    let failed = true;
    try {
      const result = await tracing.run(trace, work);
      failed = false;
      return result;
    } finally {
      if (trace instanceof Span) trace.end(name, {}, failed);
    }
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await this.#exporter?.close();
  }
}
