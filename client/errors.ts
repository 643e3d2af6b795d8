import type { ErrorCode } from './api/error-code.ts';

/** What of a body was wrong: where, and why. */
export interface ShapeIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What a refusal is made of. */
interface Refusal {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly status: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly detail: unknown;
}

/** The service refused a request, or an answer ended before it was whole. */
export class PlatError extends Error {
  override readonly name = 'PlatError';
  /** What was wrong; null where the answer has no code: a body of the wrong shape, an unforeseen fault, a broken stream. */
  readonly code: ErrorCode | null;
  /** HTTP status; null where the failure came in a stream of events. */
  readonly status: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds to wait for at least, where the service says so. */
  readonly retryAfterMs: number | null;
  /** Names the request to operators. */
  readonly requestId: string | null;
  /** The `detail` of the body, with what else the code brings. */
  readonly detail: unknown;

  constructor({ code, message, status, retryable, retryAfterMs, requestId, detail }: Refusal) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.requestId = requestId;
    this.detail = detail;
  }

  /** Of a body of the wrong shape, each thing that was wrong with it; empty otherwise. */
  get issues(): readonly ShapeIssue[] {
    return Array.isArray(this.detail) ? (this.detail as ShapeIssue[]) : [];
  }
}

/** Milliseconds that a `Retry-After` asks for: seconds, or an HTTP-date; null for none or one that cannot be read. */
export function retryAfterMs(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}

type Envelope = { readonly error?: unknown; readonly message?: unknown; readonly retryable?: unknown };

/** The error that the body of a refusal, or the frame of a stream, tells. */
export function errorFrom(
  detail: unknown,
  otherwise: string,
  more: Pick<Refusal, 'status' | 'retryAfterMs' | 'requestId'>,
): PlatError {
  const { error, message, retryable } = (typeof detail === 'object' && detail !== null ? detail : {}) as Envelope;
  const first = Array.isArray(detail) ? (detail[0] as ShapeIssue | undefined) : undefined;
  const shape = first && `The body has the wrong shape: ${first.loc.join('.')}: ${first.msg}`;
  return new PlatError({
    ...more,
    code: typeof error === 'string' ? (error as ErrorCode) : null,
    message: typeof message === 'string' ? message : (shape ?? otherwise),
    retryable: retryable === true,
    detail,
  });
}

/** The error of a response that is none of the 200s. */
export async function errorOf(response: Response): Promise<PlatError> {
  const text = await response.text().catch(() => '');
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // An unforeseen fault, or an answer of something in between, has no such body.
  }
  return errorFrom((body as { readonly detail?: unknown } | null)?.detail ?? null, `HTTP ${response.status}`, {
    status: response.status,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  });
}
