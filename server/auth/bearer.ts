import { ServiceError } from '../errors/registry.ts';

/**
 * Reads the token of the Authorization headers of a request. Case does not matter in `Bearer` (RFC 9110, 11.1).
 * @param headers every Authorization header as received; undefined or empty when there is none.
 * @throws ServiceError auth_missing, or auth_malformed when it is not exactly one `Bearer <token>`.
 */
export function bearerToken(headers: readonly string[] | undefined): string {
  if (!headers || headers.length === 0) throw new ServiceError('auth_missing');
  const match = headers.length === 1 ? /^Bearer ([^\s,]+)$/i.exec(headers[0]!) : null;
  if (!match) throw new ServiceError('auth_malformed');
  return match[1]!;
}
