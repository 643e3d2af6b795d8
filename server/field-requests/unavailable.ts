import { ServiceError } from '../errors/registry.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';

/** Turns an outage of the state store into the error of field requests. */
export const unavailable = (error: unknown): unknown =>
  error instanceof StateUnavailable ? new ServiceError('field_requests_unavailable') : error;

/**
 * Runs work and turns its outages into the error of field requests.
 * @throws ServiceError field_requests_unavailable for an outage of the state store; whatever else the work throws.
 */
export async function inTheirWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}
