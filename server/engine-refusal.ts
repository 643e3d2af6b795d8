import { EngineBusy, WorkerStopped } from '../query/engine/engine-interface.ts';
import { type ErrorCode, ServiceError } from './errors.ts';

/**
 * Why the engine did not answer, as callers are told: by the code of an endpoint where too many wait, by the same one for all
 * where the worker stopped. Every other error is returned as it is.
 * @param busy that code. @param parameters of its message.
 */
export function engineRefusal(
  error: unknown,
  busy: ErrorCode,
  parameters: Readonly<Record<string, string>> = {},
): unknown {
  if (error instanceof EngineBusy) return new ServiceError(busy, parameters);
  return error instanceof WorkerStopped ? new ServiceError('worker_stopped') : error;
}
