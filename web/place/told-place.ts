import type { Answer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';

/** The place that a request names. */
function placeOf(request: ApiRequest | null): string {
  const { lat, lng, address } = Object(request?.body) as Readonly<Record<string, unknown>>;
  return JSON.stringify([lat, lng, address]);
}

/**
 * What is told of the place that a request names: while another topic of it is looked up, what was told last, so that its parcel stays
 * and the list of topics keeps the keyboard. Null where nothing is.
 */
export function toldPlace<T>(answer: Answer<T>, request: ApiRequest | null): T | null {
  if (answer.is === 'here') return answer.value;
  if (answer.is !== 'waiting' || !answer.last) return null;
  return placeOf(answer.last.request) === placeOf(request) ? answer.last.value : null;
}
