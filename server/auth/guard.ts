import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller, Credential } from '../credential.ts';
import { ServiceError } from '../errors/registry.ts';
import { clientOf, ownerOf } from '../http/client.ts';
import type { Admission } from '../rate/admission.ts';
import type { GuestLimit } from '../rate/guest-limit.ts';
import { admitCounted, type Counted, type RateLimit } from '../rate/limit.ts';
import { inNameOf } from '../state/sqlite/in-name-of.ts';
import { bearerToken } from './bearer.ts';
import { type GuestService, looksLikeGuest } from './guest.ts';
import { endpointOf, requireScopes } from './route-scopes.ts';
import { looksLikeSession, type SessionService } from './session.ts';
import type { TokenService } from './token.ts';

/** A guest: nobody's account. */
interface Guest {
  readonly account: null;
  readonly credential: Credential & { readonly kind: 'guest' };
}
const GUEST: Guest = { account: null, credential: { kind: 'guest' } };

/** Every Authorization header of a request; Node keeps only the first one in `headers`. */
function authorizations(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization');
}

/**
 * Checks the token or session of every protected route before its body is read, counts the request, and limits how many
 * requests of one account (or, without a token, of one address) run at once.
 * @param limit null lets every request through.
 * @throws ServiceError, in its hooks, with the code of what is wrong with the token, the session or the rate.
 */
export function guardRoutes(
  app: FastifyInstance,
  {
    tokens,
    sessions,
    accessTokens,
    guests,
    guestLimit,
  }: {
    readonly tokens: TokenService;
    readonly sessions: SessionService;
    /** Of OAuth. */
    readonly accessTokens: { verify(token: string): Promise<Caller> };
    /** Null where no guests are let in. */
    readonly guests: GuestService | null;
    readonly guestLimit: GuestLimit;
  },
  limit: RateLimit | null,
  admission: Admission,
): void {
  app.decorateRequest('account', null);
  app.decorateRequest('credential', null);
  const judge = async (request: FastifyRequest, withoutState: boolean): Promise<Caller | Guest> => {
    try {
      const bearer = bearerToken(authorizations(request.raw.rawHeaders));
      if (looksLikeGuest(bearer)) {
        if (!request.routeOptions.config.guests || !guests?.verify(bearer)) throw new ServiceError('auth_invalid');
        return GUEST;
      }
      if (looksLikeSession(bearer)) return await sessions.verify(bearer);
      if (request.routeOptions.config.resource && !bearer.includes('.')) return await accessTokens.verify(bearer);
      return await tokens.verify(bearer, withoutState);
    } catch (error) {
      if (error instanceof ServiceError && error.kind.status === 401) return admission.refuseStranger(request, error);
      throw error;
    }
  };
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (!config.protected) {
      if (!config.unlimited) await admission.admitAddress(request, reply);
      return;
    }
    const withoutState = config.withoutState === true;
    const { account, credential } = await inNameOf(ownerOf(request), () => judge(request, withoutState));
    request.account = account;
    request.credential = credential;
    const owner = ownerOf(request);
    if (!account) {
      await admission.admitAddress(request, reply);
      admitCounted(reply, guestLimit(config.typing ? 'suggestion' : 'reading', clientOf(request.ip)));
      return;
    }
    await admission.admitAccount(owner, reply);
    const counted = (of: RateLimit): Promise<Counted> => {
      if (config.revokes) return of.revocation(owner);
      return config.typing ? of.suggestion(owner) : of.request(account, withoutState);
    };
    await inNameOf(owner, async () => {
      if (limit) admitCounted(reply, await counted(limit));
    }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'rate_limited') return admission.refuse(owner, error);
      throw error;
    });
    if (config.sessionOnly) {
      if (credential.kind !== 'session') throw new ServiceError('auth_method_not_allowed');
      return;
    }
    requireScopes(credential, endpointOf(request.method, request.routeOptions.url ?? ''), config.scopes);
  });
  // Here, because what reads the body does not keep the name.
  app.addHook('preHandler', (request, _reply, done) => inNameOf(ownerOf(request), done));
}
