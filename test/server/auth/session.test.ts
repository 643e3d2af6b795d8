import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { configuredSessions } from '../../../server/provider/configured-sessions.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, openFixture, SECRET } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { type ProviderProcess, person, startProvider } from './provider-process.ts';

/** For how long keys of the provider are not asked for again, and a session's signature is not computed again. */
const COOLDOWN_MS = 30_000;
const SIGNATURE_HOLDS_MS = 10 * 60_000;

let provider: ProviderProcess;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

/** The provider's time is real, and so is this one's until it is moved. */
class RealClock extends FakeClock {
  ahead = 0;
  override now(): number {
    return Date.now() + this.ahead;
  }
}

describeDoors('sessions of an external provider', kind => {
  let fixture: Fixture;
  let clock: RealClock;
  let said: string[];
  const open = async (env: Record<string, string> = {}) => {
    clock = new RealClock();
    said = [];
    const state = await kind.open(await kind.place());
    const settings = readSettings({ PLAT_OIDC_ISSUER: provider.issuer, PLAT_OIDC_AUDIENCE: 'plat-test', ...env });
    const log = (message: string) => said.push(message);
    const { sessions } = configuredSessions(settings, { state, secret: SECRET, clock, log });
    fixture = await openFixture({ state, clock, sessions });
  };
  afterEach(async () => {
    vi.useRealTimers();
    await fixture.app.close();
  });
  const usage = async (token: string) => {
    const reply = await fixture.app.inject({
      url: '/v1/users/me/usage',
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: reply.statusCode, code: reply.json().detail?.error as string | undefined, reply };
  };

  it('let in by issuer, audience, signature and time, and become accounts on plan free', async () => {
    await open();
    const { reply } = await usage(await provider.signIn(person('ann')));
    expect(reply.json()).toMatchObject({ plan: 'free', credits_used: 0 });
    expect(await fixture.state.account('ann@example.org')).toMatchObject({ plan: 'free' });
    expect(said).toEqual([]);
  });

  it('are one account by issuer and subject; the first with its address takes an account of a command over, once', async () => {
    await open();
    const made = await fixture.state.openAccount('shared@example.org', 'growth');
    const holder = async (sub: string) => {
      expect((await usage(await provider.signIn(person(sub, { email: 'Shared@example.org' })))).status).toBe(200);
      return (await fixture.state.identities.holder(provider.issuer, sub))!.account;
    };
    const first = await holder('first');
    expect(first).toEqual(made);
    expect(await holder('first')).toEqual(made);
    const second = await holder('second');
    expect(second.id).not.toBe(made.id);
    expect(second).toMatchObject({ plan: 'free', email: 'shared@example.org#2' });
    const entries = await fixture.state.audit.entries({ action: 'account_taken_over', limit: 9 });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ accountId: made.id, detail: { issuer: provider.issuer } });
  });

  it('of one person that come at once make one account', async () => {
    await open();
    const tokens = await Promise.all([1, 2, 3].map(() => provider.signIn(person('many'))));
    const replies = await Promise.all([...tokens, ...tokens].map(usage));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const opened = await fixture.state.audit.entries({ action: 'account_opened', limit: 99 });
    expect(opened.filter(entry => entry.detail.issuer === provider.issuer)).toHaveLength(1);
  });

  it.each([
    ['provider_not_allowed', 403, { firebase: { sign_in_provider: 'github.com' } }],
    ['provider_not_allowed', 403, { firebase: undefined }],
    ['provider_not_allowed', 403, { firebase: { sign_in_provider: ['password'] } }],
    ['email_unverified', 403, { email_verified: false }],
    ['email_unverified', 403, { email_verified: 'true' }],
    ['email_unverified', 403, { email: undefined }],
    ['email_unverified', 403, { email: 'two@at@example.org' }],
  ] as const)('%s: %i for %j', async (code, status, claims) => {
    await open();
    expect(await usage(await provider.signIn(person('odd', claims)))).toMatchObject({ status, code });
    expect(await fixture.state.identities.holder(provider.issuer, 'odd')).toBeNull();
  });

  it('say how somebody signed in where the setting says: by name, by path, the first that is there', async () => {
    await open({ PLAT_OIDC_PROVIDER_CLAIM: 'https://plat.example/way, sign_in_provider', PLAT_OIDC_PROVIDERS: 'okta' });
    const ways = { firebase: undefined, sign_in_provider: 'google.com', 'https://plat.example/way': 'okta' };
    expect((await usage(await provider.signIn(person('a', ways)))).status).toBe(200);
    const other = { ...ways, 'https://plat.example/way': undefined };
    const { code, reply } = await usage(await provider.signIn(person('a', other)));
    expect(code).toBe('provider_not_allowed');
    expect(reply.json().detail.message).toBe('Signing in by google.com is not allowed here; allowed: okta.');
  });

  it('end: expired, revoked, and with the account disabled', async () => {
    await open();
    const token = await provider.signIn(person('ended'));
    expect((await usage(token)).status).toBe(200);
    const { account } = (await fixture.state.identities.holder(provider.issuer, 'ended'))!;
    await fixture.state.identities.endSessions(account.id, clock.now(), 'test');
    const revoked = await usage(token);
    expect(revoked).toMatchObject({ status: 401, code: 'auth_revoked' });
    expect(revoked.reply.headers['www-authenticate']).toContain('invalid_token');
    await fixture.state.accountRecords.disable(account.id, clock.now(), 'test');
    expect(await usage(token)).toMatchObject({ status: 403, code: 'user_disabled' });
    await fixture.state.accountRecords.enable(account.id, clock.now(), 'test');
    expect(await usage(token)).toMatchObject({ status: 401, code: 'auth_revoked' });
    clock.ahead = 3_700_000;
    expect(await usage(token)).toMatchObject({ status: 401, code: 'auth_expired' });
    const unseen = await provider.signIn(person('unseen'));
    expect(await usage(unseen)).toMatchObject({ status: 401, code: 'auth_expired' });
  });

  it('of another client, of other keys, without a signature, or of another kind are auth_invalid', async () => {
    await open();
    const { privateKey } = await generateKeyPair('RS256');
    const good = await provider.signIn(person('forged'));
    const [header, claims, signature] = good.split('.') as [string, string, string];
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const forge = (named: string) =>
      new SignJWT(JSON.parse(Buffer.from(claims, 'base64url').toString()))
        .setProtectedHeader({ alg: 'RS256', kid: named })
        .sign(privateKey);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
    const other = Buffer.from(JSON.stringify({ alg: 'RS256', kid, typ: 'at+jwt' })).toString('base64url');
    for (const token of [
      await provider.signIn(person('forged'), 'another'),
      await forge(kid),
      await forge('unknown'),
      none,
      `${header}.${claims}.`,
      `${other}.${claims}.${signature}`,
    ])
      expect(await usage(token), token).toMatchObject({ status: 401, code: 'auth_invalid' });
    expect((await usage(good)).status).toBe(200);
  });

  it('go on over a rotation of keys, and a flood of unknown keys asks the provider once', async () => {
    await open();
    expect((await usage(await provider.signIn(person('rotated')))).status).toBe(200);
    await provider.rotate();
    const fresh = await provider.signIn(person('rotated'));
    // The keys were fetched a moment ago: not asked for again until the cooldown is over.
    expect((await usage(fresh)).code).toBe('auth_invalid');
    expect(await provider.hits()).toEqual({ jwks: 0, discovery: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + COOLDOWN_MS + 1 });
    const { privateKey } = await generateKeyPair('RS256');
    const flood = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: `k${i}` }).sign(privateKey),
      ),
    );
    const codes = await Promise.all(flood.map(async token => (await usage(token)).code));
    // Whose tokens are refused so often is told to wait, a second later.
    expect(new Set(codes)).toEqual(new Set(['auth_invalid', 'rate_limited']));
    expect(codes.filter(code => code === 'auth_invalid').length).toBeGreaterThan(1);
    expect(await provider.hits()).toEqual({ jwks: 1, discovery: 0 });
    expect((await usage(fresh)).status).toBe(200);
    expect(await provider.hits()).toEqual({ jwks: 1, discovery: 0 });
  });

  it('end when their key is withdrawn: a signature that was computed is believed for ten minutes', async () => {
    await open();
    const token = await provider.signIn(person('withdrawn'));
    expect((await usage(token)).status).toBe(200);
    await provider.rotate();
    const began = Date.now();
    const at = async (later: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: began + later });
      const { status, code } = await usage(token);
      return [status, code];
    };
    expect(await at(SIGNATURE_HOLDS_MS - 10_000)).toEqual([200, undefined]);
    expect(await provider.hits()).toEqual({ jwks: 0, discovery: 0 });
    // Then it is computed again, with keys that are no older than that.
    expect(await at(SIGNATURE_HOLDS_MS + 10_000)).toEqual([401, 'auth_invalid']);
    expect(await provider.hits()).toEqual({ jwks: 1, discovery: 0 });
    expect(await at(SIGNATURE_HOLDS_MS + 20_000)).toEqual([401, 'auth_invalid']);
  });
});

describeDoors('a provider that is not there', kind => {
  const ask = async (issuer: string) => {
    const said: string[] = [];
    const clock = new RealClock();
    const state = await kind.open(await kind.place());
    const settings = readSettings({ PLAT_OIDC_ISSUER: issuer, PLAT_OIDC_AUDIENCE: 'plat-test' });
    const log = (message: string) => said.push(message);
    const { sessions } = configuredSessions(settings, { state, secret: SECRET, clock, log });
    const fixture = await openFixture({ state, clock, sessions });
    const token = await provider.signIn(person('lost'));
    const replies = [];
    for (let i = 0; i < 3; i++)
      replies.push(
        await fixture.app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${token}` } }),
      );
    const own = await fixture.app.inject({
      url: '/v1/users/me/usage',
      headers: { authorization: `Bearer ${fixture.token}` },
    });
    await fixture.app.close();
    expect(own.statusCode).toBe(200);
    expect(said).toHaveLength(1);
    return replies.map(reply => [reply.statusCode, reply.json().detail.error, reply.headers['retry-after']]);
  };

  it('is 503 sign_in_unavailable, asked once in five seconds', async () => {
    expect(await ask('http://127.0.0.1:1')).toEqual(Array(3).fill([503, 'sign_in_unavailable', '5']));
  });

  it('or names itself otherwise is 500 account_store_misconfigured', async () => {
    expect(await ask(`${provider.issuer}/`)).toEqual(Array(3).fill([500, 'account_store_misconfigured', undefined]));
  });
});

it('an external provider needs an audience', () => {
  const settings = readSettings({ PLAT_OIDC_ISSUER: 'https://issuer.example' });
  expect(() => configuredSessions(settings, {} as never)).toThrow(/PLAT_OIDC_AUDIENCE/);
  for (const url of ['http://issuer.example', 'https://u:p@issuer.example', 'issuer.example', 'https://a/?b'])
    expect(() => readSettings({ PLAT_OIDC_ISSUER: url }), url).toThrow(RangeError);
});
