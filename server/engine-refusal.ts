import { EngineBusy, WorkerStopped } from '../query/engine/engine-interface.ts';
import { ServiceError } from './errors/registry.ts';

/**
 * Why the engine did not answer, as callers are told: in the words of an endpoint where too many wait, in the same ones for all
 * where the worker stopped. Every other error is returned as it is.
 * @param busy those words.
 */
export function engineRefusal(error: unknown, busy: () => ServiceError): unknown {
  if (error instanceof EngineBusy) return busy();
  return error instanceof WorkerStopped ? new ServiceError('worker_stopped') : error;
}
