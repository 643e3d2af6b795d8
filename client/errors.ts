import type { ErrorCode } from './api/error-code.ts';

/** One fault of a body: where it is, and what is wrong. */
export interface ShapeIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The parts of a refusal. */
interface Refusal {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly status: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly detail: unknown;
}

/** The service refused a request, or an answer ended before it was complete. */
export class PlatError extends Error {
  override readonly name = 'PlatError';
  /** Error code; null for an answer without one: a body of the wrong shape, an unexpected fault, a broken stream. */
  readonly code: ErrorCode | null;
  /** HTTP status; null when the failure came in a stream of events. */
  readonly status: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Least milliseconds to wait, when the service says so; otherwise null. */
  readonly retryAfterMs: number | null;
  /** X-Request-ID, which identifies the request to operators. */
  readonly requestId: string | null;
  /** `detail` of the body, with the further keys of the code. */
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

  /** For a body of the wrong shape, all its faults; otherwise empty. */
  get issues(): readonly ShapeIssue[] {
    return Array.isArray(this.detail) ? (this.detail as ShapeIssue[]) : [];
  }
}

/** Milliseconds of a `Retry-After` header (seconds or an HTTP-date); null without one, or when it cannot be read. */
export function retryAfterMs(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}

type Envelope = { readonly error?: unknown; readonly message?: unknown; readonly retryable?: unknown };

/** Makes the error from the body of a refusal, or from an error event of a stream. */
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

/** Makes the error of a response whose status is not 2xx. */
export async function errorOf(response: Response): Promise<PlatError> {
  const text = await response.text().catch(() => '');
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // An unexpected fault, or an answer of a proxy, has no such body.
  }
  return errorFrom((body as { readonly detail?: unknown } | null)?.detail ?? null, `HTTP ${response.status}`, {
    status: response.status,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  });
}
