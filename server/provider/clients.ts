import type { ClientMetadata } from 'oidc-provider';
import { ALGORITHM } from './keys.ts';

/** The path to which a sign-in begun at /sign-in returns. */
export const BACK_PATH = '/signed-in';
/** The path where logins of the device flow are approved. */
export const DEVICE_PATH = '/device';

/** Plat itself as a client of its provider. It has no secret, because PKCE takes its place. */
export const ownClient = (issuer: string, clientId: string): ClientMetadata => ({
  client_id: clientId,
  client_name: 'Plat',
  application_type: 'web',
  redirect_uris: [`${issuer}${BACK_PATH}`, `${issuer}${DEVICE_PATH}`],
  post_logout_redirect_uris: [`${issuer}/sign-in`],
  token_endpoint_auth_method: 'none',
  id_token_signed_response_alg: ALGORITHM,
});
