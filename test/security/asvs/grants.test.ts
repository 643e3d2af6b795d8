// OWASP ASVS 5.0, V10.4: codes that come twice, and grants that end however often they are renewed.
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../server/fake-clock.ts';
import { Browser } from '../../server/provider/browser.ts';
import { quickHash } from '../../server/provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../../server/service-fixture.ts';
import { secret } from '../logged.ts';

const EMAIL = 'someone@example.org';
const PASSWORD = 'correct horse battery';
const BACK = 'http://127.0.0.1:33418/callback';
const DAY_MS = 24 * 60 * 60 * 1000;
const hashed = quickHash(PASSWORD);

class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

let fixture: Fixture;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  fixture = await openFixture({ clock: new RealClock() });
  const user = await fixture.state.users.open(EMAIL, null);
  await fixture.state.users.setPassword(user.id, hashed);
  await fixture.state.users.verify(user.id, Date.now());
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture[Symbol.asyncDispose]();
});

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly error?: string;
}

async function asked(fields: Record<string, string>): Promise<Tokens> {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  const tokens = reply.json() as Tokens;
  for (const token of [tokens.access_token, tokens.refresh_token]) secret(token ?? '');
  return tokens;
}

/** An agent that registered and was allowed: what it has to send for its tokens. */
async function allowed() {
  const registered = await fixture.app.inject({
    method: 'POST',
    url: '/register',
    payload: {
      client_name: 'An agent',
      redirect_uris: [BACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  });
  const { client_id } = registered.json() as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    scope: 'mcp',
    resource: `${ISSUER}/mcp`,
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = new Browser(fixture.app, ISSUER);
  await browser.open(`/authorize?${query}`);
  await browser.send({ email: EMAIL, password: PASSWORD });
  const { url } = await browser.send({ allow: 'yes' });
  const code = secret(url.searchParams.get('code')!);
  return { grant_type: 'authorization_code', client_id, redirect_uri: BACK, code, code_verifier: verifier };
}

const opens = async (token: string) => {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  });
  return reply.statusCode === 200;
};

it('a code that comes a second time is refused, and ends the tokens that it led to', async () => {
  const exchange = await allowed();
  const { access_token, refresh_token } = await asked(exchange);
  expect(await opens(access_token)).toBe(true);
  expect((await asked(exchange)).error).toBe('invalid_grant');
  expect(await opens(access_token)).toBe(false);
  const { client_id } = exchange;
  expect((await asked({ grant_type: 'refresh_token', client_id, refresh_token })).error).toBe('invalid_grant');
});

it('a code lives a minute', async () => {
  const exchange = await allowed();
  vi.setSystemTime(Date.now() + 61_000);
  expect((await asked(exchange)).error).toBe('invalid_grant');
});

it('what somebody allowed ends after ninety days, however often its tokens are renewed, and after thirty unused', async () => {
  const renewals = async (days: readonly number[]) => {
    const exchange = await allowed();
    const { client_id } = exchange;
    let { refresh_token } = await asked(exchange);
    const errors: (string | undefined)[] = [];
    for (const more of days) {
      vi.setSystemTime(Date.now() + more * DAY_MS);
      const next = await asked({ grant_type: 'refresh_token', client_id, refresh_token });
      errors.push(next.error);
      refresh_token = next.refresh_token ?? refresh_token;
    }
    return errors;
  };
  expect(await renewals([29, 29, 29, 4])).toEqual([undefined, undefined, undefined, 'invalid_grant']);
  expect(await renewals([31])).toEqual(['invalid_grant']);
});
