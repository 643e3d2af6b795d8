import type { ClientMetadata } from 'oidc-provider';
import { ALGORITHM } from './keys.ts';

/** Where the sign-in that /sign-in begins comes back to. */
export const BACK_PATH = '/signed-in';
/** Where logins of the device flow are approved. */
export const DEVICE_PATH = '/device';

/** Plat itself as a client of its provider. It keeps no secret, because PKCE does what a secret would. */
export const ownClient = (issuer: string, clientId: string): ClientMetadata => ({
  client_id: clientId,
  client_name: 'Plat',
  application_type: 'web',
  redirect_uris: [`${issuer}${BACK_PATH}`, `${issuer}${DEVICE_PATH}`],
  post_logout_redirect_uris: [`${issuer}/sign-in`],
  token_endpoint_auth_method: 'none',
  id_token_signed_response_alg: ALGORITHM,
});
