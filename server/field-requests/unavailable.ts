import { ServiceError } from '../errors/registry.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';

/** An outage of the store in the words of field requests. */
export const unavailable = (error: unknown): unknown =>
  error instanceof StateUnavailable ? new ServiceError('field_requests_unavailable') : error;

/**
 * Work whose outages are said in the words of field requests.
 * @throws ServiceError of field requests for an outage of the state store; whatever else the work throws.
 */
export async function inTheirWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}
