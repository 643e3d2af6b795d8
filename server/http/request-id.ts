import { randomUUID } from 'node:crypto';

/**
 * The id of a request: the caller's own when it is 1 to 128 characters of `A-Za-z0-9._:-`, otherwise a new UUID.
 * @param given the X-Request-ID header as received.
 */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID();
}
