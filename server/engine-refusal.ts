import { EngineBusy, WorkerStopped } from '../query/engine/engine-interface.ts';
import { ServiceError } from './errors/registry.ts';

/**
 * Turns an error of the engine into the one callers see: the endpoint's own code when too many requests wait, the same
 * code for all endpoints when the worker stopped. Every other error is returned unchanged.
 * @param busy makes the endpoint's own error.
 */
export function engineRefusal(error: unknown, busy: () => ServiceError): unknown {
  if (error instanceof EngineBusy) return busy();
  return error instanceof WorkerStopped ? new ServiceError('worker_stopped') : error;
}
