import { ServiceError } from '../../errors/registry.ts';
import type { ModelFailure, ModelProtocol } from './protocol.ts';

/** Seconds to wait when the model does not say how long. */
const RETRY_S = 5;
/** Longest wait that is passed on, in seconds. */
const MAX_RETRY_S = 3600;

/** The common part of the errors of both SDKs, which come from one generator. */
interface SdkError {
  readonly status?: number;
  readonly headers?: Headers;
  readonly type?: string | null;
}

/** Seconds of a Retry-After header, which may hold a date; null without one. */
function secondsOf(headers: Headers | undefined): number | null {
  const text = headers?.get('retry-after') ?? '';
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_S, Math.max(1, Math.ceil(seconds))) : null;
}

/** Classifies an answer with a status, or an error event in a stream. */
export function apiFailure({ status, headers, type }: SdkError): ModelFailure {
  const kind =
    status === 429 || type === 'rate_limit_error' || type === 'rate_limit_exceeded'
      ? 'limited'
      : status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409
        ? 'refused_request'
        : 'trouble';
  return { kind, status: status ?? null, retryAfter: secondsOf(headers) };
}

/** Makes the error for an answer that was not written to its end. */
export const incomplete = (): ServiceError => new ServiceError('ask_answer_incomplete');
/** Makes the error for an answer that breaks the model's protocol. */
export const malformed = (): ServiceError => new ServiceError('ask_upstream_error', {}, { retryable: true }, RETRY_S);

/** Turns a failure of a model into the error that callers see. */
function toldAs({ kind, retryAfter }: ModelFailure): ServiceError {
  switch (kind) {
    case 'limited':
      return new ServiceError('ask_upstream_rate_limited', {}, {}, retryAfter ?? RETRY_S);
    case 'unreachable':
      return new ServiceError('ask_upstream_unreachable', {}, {}, retryAfter ?? RETRY_S);
    case 'refused_request':
      return new ServiceError('ask_upstream_error', {}, { retryable: false });
    case 'trouble':
      return new ServiceError('ask_upstream_error', {}, { retryable: true }, retryAfter ?? RETRY_S);
  }
}

/**
 * Turns any error of a model call into the one that callers see. A connection that ends within an answer leaves it
 * incomplete.
 * @param started whether the model had begun to answer.
 */
export function serviceErrorOf(protocol: ModelProtocol, error: unknown, started: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof SyntaxError) return malformed();
  const failure = protocol.failureOf(error);
  if (failure === null || (failure.kind === 'unreachable' && started)) return started ? incomplete() : malformed();
  return toldAs(failure);
}

/** Whether an immediate second try may help: not when the model asks to wait or will never answer. */
export const isWorthAnother = ({ code, context }: ServiceError): boolean =>
  code === 'ask_upstream_unreachable' ||
  code === 'ask_answer_incomplete' ||
  (code === 'ask_upstream_error' && context.retryable === true);
