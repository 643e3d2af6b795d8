import type { Caller } from '../credential.ts';
import { ServiceError } from '../errors/registry.ts';
import type { EmbeddedProvider } from '../provider/embedded.ts';
import { MCP_SCOPE, resourceOf, WRITE_SCOPE } from '../provider/oauth/resource.ts';
import { AGENT_TERMS, SCOPES } from '../scopes.ts';
import { digestOf } from '../state/sign-in/digest.ts';

/** Verifies OAuth access tokens. */
export interface AccessTokens {
  /** Whose token it is. @throws ServiceError auth_invalid, user_disabled; state_unavailable. */
  verify(token: string): Promise<Caller>;
}

/**
 * Access tokens of the embedded provider for /mcp. They are looked up at each request, so that a revocation takes
 * effect at once.
 * @throws ServiceError auth_invalid, from its method, for a token that is unknown or for another resource.
 */
export function accessTokens(embedded: EmbeddedProvider): AccessTokens {
  const resource = resourceOf(embedded.issuer);
  return {
    async verify(token) {
      const { provider } = await embedded.openid();
      const found = await provider.AccessToken.find(token);
      if (!found || found.aud !== resource || !found.scopes.has(MCP_SCOPE)) throw new ServiceError('auth_invalid');
      // A refresh that ran beside the revocation may have stored its token after it.
      if (!(await embedded.grants.use(found.grantId!))) throw new ServiceError('auth_invalid');
      const account = await embedded.people.account(found.accountId);
      if (!account) throw new ServiceError('auth_invalid');
      const scopes = found.scopes.has(WRITE_SCOPE) ? SCOPES : AGENT_TERMS.scopes;
      const { creditsADay } = AGENT_TERMS;
      return {
        account,
        credential: {
          kind: 'grant',
          clientId: found.clientId!,
          grantId: digestOf(found.grantId!),
          scopes,
          creditsADay,
        },
      };
    },
  };
}
