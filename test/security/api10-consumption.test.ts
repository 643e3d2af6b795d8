// OWASP API10:2023, unsafe consumption of APIs: an identity provider that answers anything is refused, bounded and asked seldom.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../query/engine/settings.ts';
import { configuredSessions } from '../../server/provider/configured-sessions.ts';
import { openSqlite } from '../../server/state/sqlite.ts';
import { SECRET } from '../server/service-fixture.ts';

let answer: RequestListener = () => {};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url!);
  answer(request, response);
});
let issuer: string;
let key: { readonly sign: (claims: { iat?: number; exp?: number }) => Promise<string>; readonly jwk: JWK };
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  key = {
    jwk: { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' },
    sign: (claims: { iat?: number; exp?: number }) =>
      new SignJWT({ iss: issuer, aud: 'plat', sub: 'ann', email: 'ann@example.org', email_verified: true, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? '1h')
        .sign(privateKey),
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(async () => {
  asked.length = 0;
  for (const state of opened.splice(0)) await state.close();
});

const HOUR_LATER = Math.floor(Date.now() / 1000) + 3_600;
const WAY = { sign_in_provider: 'password' };
const DISCOVERY = '/.well-known/openid-configuration';

async function verify(claims: object = WAY) {
  const state = await openSqlite(':memory:');
  opened.push(state);
  const settings = readSettings({ PLAT_OIDC_ISSUER: issuer, PLAT_OIDC_AUDIENCE: 'plat' });
  const { sessions } = configuredSessions(settings, { state, secret: SECRET, clock: Date, log: () => {} });
  const token = await key.sign(claims);
  const outcomes = [];
  for (let i = 0; i < 2; i++)
    outcomes.push(
      await sessions.verify(token).then(
        () => 'let in',
        (error: { code?: string }) => error.code ?? String(error),
      ),
    );
  expect(outcomes[1]).toBe(outcomes[0]);
  return outcomes[0];
}

const json =
  (body: unknown): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(body));
const good: RequestListener = (request, response) =>
  json(request.url === DISCOVERY ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [key.jwk] })(request, response);
/** Goes on for as long as it is listened to. */
const endless: RequestListener = (_, response) => {
  response.on('error', () => {});
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

it('a provider that answers as it should lets somebody in, and is asked once', async () => {
  answer = good;
  expect(await verify()).toBe('let in');
  expect(asked).toEqual([DISCOVERY, '/keys']);
});

it.each<[string, RequestListener, string]>([
  ['a page', (_, response) => response.end('<html>'), 'account_store_misconfigured'],
  ['nothing', (_, response) => response.end(), 'account_store_misconfigured'],
  ['null', json(null), 'account_store_misconfigured'],
  ['a list', json([1]), 'account_store_misconfigured'],
  [
    'another issuer',
    json({ issuer: 'https://other.example', jwks_uri: 'https://other.example/k' }),
    'account_store_misconfigured',
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'sign_in_unavailable',
  ],
  ['500', (_, response) => response.writeHead(500).end(), 'sign_in_unavailable'],
  ['without an end', endless, 'sign_in_unavailable'],
  ['by dropping', request => request.socket.destroy(), 'sign_in_unavailable'],
])('one that describes itself by %s', async (_, listener, code) => {
  answer = listener;
  expect(await verify()).toBe(code);
  expect(asked).toEqual([DISCOVERY]);
});

it.each<[string, RequestListener]>([
  ['a page', (_, response) => response.end('<html>')],
  ['no keys', json({})],
  ['keys that are none', json({ keys: [1, null, 'x'] })],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['204', (_, response) => response.writeHead(204).end()],
  ['without an end', endless],
])('one that gives %s for its keys is unavailable', async (_, listener) => {
  answer = (request, response) => (request.url === DISCOVERY ? good : listener)(request, response);
  expect(['sign_in_unavailable', 'auth_invalid']).toContain(await verify());
});

it('claims of any kind are judged, and none is believed for what it is not', async () => {
  answer = good;
  for (const [claims, outcome] of [
    [{ sign_in_provider: { toString: 'password' } }, 'provider_not_allowed'],
    [{ sign_in_provider: ['password'] }, 'provider_not_allowed'],
    [{ ...WAY, email: ['ann@example.org'] }, 'email_unverified'],
    [{ ...WAY, email: 'ann@example.org\u0000' }, 'email_unverified'],
    [{ ...WAY, email_verified: 1 }, 'email_unverified'],
    [{ ...WAY, sub: 'x'.repeat(300) }, 'auth_invalid'],
    [{ ...WAY, sub: 'a\nb' }, 'auth_invalid'],
    [{ ...WAY, aud: ['plat', 'other'], azp: 'other' }, 'auth_invalid'],
    [{ ...WAY, aud: 'other' }, 'auth_invalid'],
    [{ ...WAY, iss: 'https://other.example' }, 'auth_invalid'],
    [{ ...WAY, iat: HOUR_LATER }, 'auth_invalid'],
    [{ ...WAY, nbf: HOUR_LATER }, 'auth_invalid'],
    [{ ...WAY, exp: HOUR_LATER - 7_200 }, 'auth_expired'],
  ] as const)
    expect(await verify(claims), JSON.stringify(claims)).toBe(outcome);
});
