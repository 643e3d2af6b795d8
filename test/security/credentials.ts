import { createHmac } from 'node:crypto';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { createTokenService } from '../../server/auth/token.ts';
import { ALGORITHM } from '../../server/provider/keys.ts';
import { MCP_SCOPE, resourceOf } from '../../server/provider/oauth/resource.ts';
import { ISSUER, SECRET } from '../server/service-fixture.ts';
import { secret } from './logged.ts';
import type { Callers } from './routes.ts';
import { bearer, type World } from './world.ts';

/** A kind of credential, and what operations answer to it: null lets it in. */
export interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<Callers, string | null>>;
}

const HOUR = 60 * 60;
const DAY_MS = 24 * HOUR * 1000;
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** One of every kind of credential, good ones and bad ones. A new kind is one line here. */
export async function credentials({ fixture, ann }: World): Promise<Credential[]> {
  const { state, clock, tokens, embedded } = fixture;
  const now = Math.floor(clock.now() / 1000);
  const [key] = await embedded.keys.current();
  const { sub } = JSON.parse(Buffer.from(ann.session.split('.')[1]!, 'base64url').toString()) as { sub: string };
  /** An ID token that the provider's own key signs. */
  const idToken = async (claims: JWTPayload, typ = 'JWT') =>
    new SignJWT({
      iss: ISSUER,
      aud: embedded.audience,
      sub,
      iat: now,
      exp: now + HOUR,
      email: ann.account.email,
      email_verified: true,
      sign_in_provider: 'password',
      ...claims,
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: key!.kid!, typ })
      .sign(await importJWK(key!, ALGORITHM));

  /** An OAuth access token for the tools of /mcp, as a consent leads to. */
  const user = (await state.users.byEmail(ann.account.email))!;
  const { provider } = await embedded.openid();
  const grant = new provider.Grant({ accountId: user.id, clientId: embedded.audience });
  grant.addResourceScope(resourceOf(embedded.issuer), MCP_SCOPE);
  const access = new provider.AccessToken({
    accountId: user.id,
    client: (await provider.Client.find(embedded.audience))!,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: MCP_SCOPE,
  } as ConstructorParameters<typeof provider.AccessToken>[0]);
  access.setAudience(resourceOf(embedded.issuer));
  const agentToken = secret(await access.save());

  const revoked = await tokens.create(ann.account, { name: null, days: 1 });
  await state.revokeToken(revoked.row.jti, now);
  const before = createTokenService(SECRET, state, { now: () => clock.now() - 2 * DAY_MS });
  const expired = await before.create(ann.account, { name: null, days: 1 });
  const foreign = createTokenService('another secret than that of the server', state, clock);
  /** Of an account of its own, to which something is done. */
  const somebody = async (email: string, work: (id: string) => Promise<unknown>) => {
    const account = await state.openAccount(email, 'free');
    const held = { token: await tokens.issue(account), session: await fixture.session(email) };
    await fixture.app.inject({ url: '/v1/users/me/usage', headers: bearer(held.session) });
    await work(account.id);
    return held;
  };
  const disabled = await somebody('disabled@example.org', id => state.accountRecords.disable(id, clock.now(), 'test'));
  const deleted = await somebody('deleted@example.org', id => state.accountRecords.remove(id, clock.now(), 'test'));
  const ended = await somebody('ended@example.org', id => state.identities.endSessions(id, clock.now(), 'test'));
  const claims = ann.token.split('.')[1]!;
  const confused = `${base64({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  const { d: _, ...published } = key!;
  const publicSigned = createHmac('sha256', JSON.stringify(published)).update(confused).digest('base64url');

  const all = (code: string | null) => ({ anybody: null, accounts: code, sessions: code });
  const good = (name: string, text: string, sessions: string | null): Credential => ({
    name,
    headers: bearer(text),
    answers: { anybody: null, accounts: null, sessions },
  });
  const bad = (name: string, text: string, code: string): Credential => ({
    name,
    headers: bearer(text),
    answers: all(code),
  });
  return [
    { name: 'nothing', headers: {}, answers: all('auth_missing') },
    { name: 'another scheme', headers: { authorization: 'Basic YTpi' }, answers: all('auth_malformed') },
    { name: 'two tokens', headers: { authorization: `Bearer ${ann.token} x` }, answers: all('auth_malformed') },
    { name: 'a token in another header', headers: { 'x-api-key': ann.token }, answers: all('auth_missing') },
    bad('noise', 'noise', 'auth_invalid'),
    good('an API token', ann.token, 'auth_method_not_allowed'),
    bad('a revoked API token', revoked.token, 'auth_invalid'),
    bad('an expired API token', expired.token, 'auth_invalid'),
    bad('an API token that another secret signed', await foreign.issue(ann.account), 'auth_invalid'),
    bad('an API token without a signature', `${base64({ alg: 'none' })}.${claims}.`, 'auth_invalid'),
    bad('an API token that the public key signed', `${confused}.${publicSigned}`, 'auth_invalid'),
    bad('an API token of a disabled account', disabled.token, 'user_disabled'),
    bad('an API token of a deleted account', deleted.token, 'auth_invalid'),
    good('a session', ann.session, null),
    bad('an expired session', await idToken({ iat: now - 2 * HOUR, exp: now - HOUR }), 'auth_expired'),
    bad('a session from ahead of now', await idToken({ iat: now + HOUR, exp: now + 2 * HOUR }), 'auth_invalid'),
    bad('a session that was ended', ended.session, 'auth_revoked'),
    bad('a session of a disabled account', disabled.session, 'user_disabled'),
    bad('a session of a deleted account', deleted.session, 'auth_revoked'),
    bad('a session for another client', await idToken({ aud: 'third' }), 'auth_invalid'),
    bad('a session of another issuer', await idToken({ iss: 'https://other.example' }), 'auth_invalid'),
    bad('an access token of the provider', await idToken({}, 'at+jwt'), 'auth_invalid'),
    bad('an OAuth token for /mcp', agentToken, 'auth_invalid'),
    bad('a sign-in without a verified address', await idToken({ email_verified: false }), 'email_unverified'),
    bad('a sign-in in a way that is not let in', await idToken({ sign_in_provider: 'x.org' }), 'provider_not_allowed'),
  ];
}
