import type { EventEmitter } from 'node:events';
import Provider, {
  type AdapterFactory,
  type ClientMetadata,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { html, Markup } from '../http/markup.ts';
import { ownClient } from './clients.ts';
import { cookieSignatures } from './cookie-signatures.ts';
import { BROWSER_SESSION, BROWSER_SESSION_SECONDS, SESSION_SECONDS } from './id-token.ts';
import { ALGORITHM } from './keys.ts';
import { type OauthTerms, oauthConfiguration } from './oauth/features.ts';
import type { RefreshAnswers } from './oauth/refresh-answer.ts';
import { contentSecurityPolicy, page, sourceOf } from './pages/page.ts';
import type { People } from './people.ts';

/** Seconds for which a browser stays signed in altogether. */
const LONGEST_SECONDS = 30 * 24 * 60 * 60;

/** Codes of errors of a connection that the client has ended. */
const LEFT: readonly string[] = ['ECONNRESET', 'EPIPE'];

/** Paths below the issuer. Authorizations lead to the sign-in pages at SIGN_IN_PATH. */
export const OPENID_PATHS = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  end_session: '/sign-out',
  registration: '/register',
  revocation: '/revoke',
} as const;
export const SIGN_IN_PATH = '/sign-in';

/** The features of the provider. All others are off. */
const FEATURES: NonNullable<Configuration['features']> = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  userinfo: { enabled: true },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => {
      ctx.body = page(
        'Sign out',
        html`${new Markup(form)}<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
      );
    },
    postLogoutSuccessSource: ctx => {
      ctx.body = page('Signed out', html`<p><a href="${SIGN_IN_PATH}">Sign in</a></p>`);
    },
  },
};

/**
 * Names of cookies. Over https their prefixes have browsers take them from this host alone, and encrypted; those of one
 * sign-in go to its own paths only, which `__Host-` does not allow.
 */
const cookieNames = (issuer: string) => {
  const isHttps = issuer.startsWith('https:');
  const bound = isHttps ? '__Secure-' : '';
  return {
    session: `${isHttps ? '__Host-' : ''}_session`,
    interaction: `${bound}_interaction`,
    resume: `${bound}_interaction_resume`,
  };
};

/** The parts of an OpenID provider. */
interface OpenidTerms {
  readonly issuer: string;
  /** Client id of Plat itself, which needs no consent. */
  readonly audience: string;
  /** Private keys; the first one signs. */
  readonly keys: readonly JWK[];
  /** Signs cookies. */
  readonly cookieKey: Buffer;
  readonly adapter: AdapterFactory;
  readonly people: People;
  readonly refreshes: Pick<RefreshAnswers, 'middleware'>;
  /** Clients beside Plat itself. */
  readonly clients?: readonly ClientMetadata[] | undefined;
  readonly oauth: Pick<OauthTerms, 'client' | 'mayFetch'>;
  /** Receives faults that no client caused. */
  readonly log: (error: Error) => void;
}

/** Answers a client that may not use a grant type by the code for it (RFC 6749, 5.2), not as a request out of form. */
async function answeredByRfc6749(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { client, params } = ctx.oidc ?? {};
  const body = ctx.body as { error?: string } | undefined;
  const grantType = params?.grant_type;
  if (
    body?.error === 'invalid_request' &&
    typeof grantType === 'string' &&
    client?.grantTypeAllowed(grantType) === false
  )
    body.error = 'unauthorized_client';
}

/** Configures oidc-provider: authorization code with PKCE, ID tokens of one hour, e-mail address and password. */
export function openOpenid({
  issuer,
  audience,
  keys,
  cookieKey,
  adapter,
  people,
  refreshes,
  clients = [],
  oauth,
  log,
}: OpenidTerms) {
  const { features, ttl, ...agents } = oauthConfiguration({ issuer, audience, ...oauth });
  const provider = new Provider(issuer, {
    adapter,
    clients: [ownClient(issuer, audience), ...clients],
    ...agents,
    // Agents run on their user's machine: they may return to any port of loopback, or to a scheme of their own.
    clientDefaults: { id_token_signed_response_alg: ALGORITHM, application_type: 'native' },
    jwks: { keys: [...keys] },
    cookies: { keys: cookieSignatures(cookieKey) as never, names: cookieNames(issuer) },
    routes: OPENID_PATHS,
    responseTypes: ['code'],
    scopes: ['openid', 'email', ...agents.scopes],
    claims: { openid: ['sub', 'sign_in_provider', BROWSER_SESSION], email: ['email', 'email_verified'] },
    // The ID token need not be asked for claims that the sign-in already showed.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: SESSION_SECONDS,
      IdToken: SESSION_SECONDS,
      Interaction: 60 * 60,
      // It ends when nobody comes for fourteen days, and thirty days after the sign-in however often somebody comes.
      Session: (_ctx, { loginTs }) =>
        Math.max(
          1,
          Math.min(BROWSER_SESSION_SECONDS, (loginTs ?? Infinity) + LONGEST_SECONDS - Math.floor(Date.now() / 1000)),
        ),
      ...ttl,
    },
    features: { ...FEATURES, ...features } as NonNullable<Configuration['features']>,
    interactions: { url: (_ctx, { uid }) => `${SIGN_IN_PATH}/${uid}` },
    clientBasedCORS: () => false,
    async findAccount(_ctx, id, token) {
      const claims = await people.claims(id);
      const browser = (token as { readonly sessionUid?: string } | undefined)?.sessionUid;
      return claims ? { accountId: id, claims: () => ({ sub: id, ...claims, [BROWSER_SESSION]: browser }) } : undefined;
    },
    async loadExistingGrant({ oidc }) {
      const {
        client,
        result,
        session,
        provider: { Grant },
      } = oidc;
      const id = result?.consent?.grantId ?? session!.grantIdFor(client!.clientId);
      const held = id ? await Grant.find(id) : undefined;
      if (held || client!.clientId !== audience) return held;
      const grant = new Grant({ clientId: audience, accountId: session!.accountId! });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.set('content-security-policy', contentSecurityPolicy());
      ctx.type = 'html';
      ctx.body = page(
        'This did not work',
        html`<p>${description ?? error}</p><p><code>${error}</code></p><p><a href="${SIGN_IN_PATH}">Begin again</a></p>`,
      );
    },
  });
  // By default it allows pages of every origin. The server has already decided which are allowed.
  provider.use(async (ctx, next) => {
    const isCors = Boolean(ctx.response.get('access-control-allow-origin'));
    await next();
    if (!isCors) ctx.remove('access-control-allow-origin');
  });
  provider.use((ctx, next) =>
    ctx.path === OPENID_PATHS.token
      ? refreshes.middleware(ctx as KoaContextWithOIDC, () => answeredByRfc6749(ctx as KoaContextWithOIDC, next))
      : next(),
  );
  provider.use(async (ctx, next) => {
    await next();
    const { params } = (ctx as KoaContextWithOIDC).oidc ?? {};
    // Otherwise the browser would not send the form on. Its address is one that the client registered.
    const source = params?.response_mode === 'form_post' && ctx.type === 'text/html' && sourceOf(params.redirect_uri);
    if (source) {
      const policy = ctx.response.get('content-security-policy');
      ctx.set('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${source}`));
    }
  });
  // Its URL comes from the settings, not from the request: the mount sets these headers.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => log(error));
  (provider as EventEmitter).on('error', (error: NodeJS.ErrnoException) => {
    // A client that leaves before it has its answer is no fault.
    if (!LEFT.includes(error.code ?? '')) log(error);
  });
  return provider;
}
