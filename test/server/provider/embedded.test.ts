import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { Browser, sessionOn } from './browser.ts';
import { quickHash } from './quick-hash.ts';

const EMAIL = 'ann@example.org';
const PASSWORD = 'correct horse battery';
const DAY_MS = 24 * 60 * 60 * 1000;

/** oidc-provider looks at the machine's time, which tests move with fake timers. */
class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

const THIRD = {
  client_id: 'third',
  client_name: 'A <third> party',
  redirect_uris: ['http://127.0.0.1:9/back'],
  token_endpoint_auth_method: 'none',
} as const;

describeDoors('the embedded provider', kind => {
  const opened: Fixture[] = [];
  const servers = async (count = 1) => {
    const place = await kind.place();
    for (let i = 0; i < count; i++)
      opened.push(await openFixture({ state: await kind.open(place), clock: new RealClock(), clients: [THIRD] }));
    const { state } = opened[0]!;
    const user = await state.users.open(EMAIL, null);
    await state.users.setPassword(user.id, quickHash(PASSWORD));
    await state.users.verify(user.id, Date.now());
    return opened;
  };
  afterEach(async () => {
    vi.useRealTimers();
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });
  const signIn = async (browser: Browser) => {
    await browser.open('/sign-in');
    return browser.send({ email: EMAIL, password: PASSWORD });
  };
  const usage = (fixture: Fixture, session: string) =>
    fixture.app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${session}` } });

  it('describes itself, with its issuer whatever a request calls it', async () => {
    const [one] = await servers();
    for (const path of ['openid-configuration', 'oauth-authorization-server']) {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
      const reply = await one!.app.inject({ url: `/.well-known/${path}`, headers });
      expect(reply.json()).toMatchObject({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/jwks`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
      });
      expect(reply.headers['x-request-id']).toBeTruthy();
    }
  });

  it('signs somebody in by e-mail address and password, on one server or another, and the ID token is a session', async () => {
    const [one, two] = await servers(2);
    const browser = new Browser(one!.app, ISSUER);
    const form = await browser.open('/sign-in');
    expect(form.text).not.toContain('<script');
    expect(form.headers['content-security-policy']).toContain("default-src 'none'");
    expect(form.headers['cache-control']).toBe('no-store');
    expect((await browser.send({ email: EMAIL, password: 'wrong' })).status).toBe(401);
    const session = sessionOn(await browser.send({ email: ` ${EMAIL.toUpperCase()} `, password: PASSWORD }));
    for (const fixture of [one!, two!]) expect((await usage(fixture, session)).statusCode).toBe(200);
    const { keys } = (await two!.app.inject('/jwks')).json();
    expect(keys.every((key: object) => !('d' in key))).toBe(true);
    const verified = await jwtVerify(session, createLocalJWKSet({ keys }), { issuer: ISSUER, audience: 'plat' });
    expect(verified.payload).toMatchObject({ email: EMAIL, email_verified: true, sign_in_provider: 'password' });
    // A second time the browser is known, by the other server too.
    const again = new Browser(two!.app, ISSUER);
    for (const [name, cookie] of browser.cookies) again.cookies.set(name, cookie);
    expect(decodeJwt(sessionOn(await again.open('/sign-in'))).sub).toBe(verified.payload.sub);
  });

  it('signs somebody in who has begun in two tabs, and tells only that browser', async () => {
    const [one] = await servers();
    const tab = new Browser(one!.app, ISSUER);
    await tab.open('/sign-in');
    const other = tab.elsewhere('192.0.2.1');
    await other.open('/sign-in?to=console');
    // One cookie of the browser is of the sign-in that it began last.
    for (const name of ['plat_sign_in', 'plat_sign_in.sig']) tab.cookies.set(name, other.cookies.get(name)!);
    const text = (await tab.send({ email: EMAIL, password: PASSWORD })).text;
    expect(text).toContain('You are signed in');
    expect(text).toContain('data-next="/console"');
    expect((await one!.app.inject('/signed-in?code=1&state=2')).statusCode).toBe(400);
    await other.send({ email: EMAIL, password: PASSWORD });
    other.forget('plat_sign_in');
    expect((await other.open('/signed-in?code=1&state=2')).text).toContain('You are signed in');
    // Of as many characters as the true state, and of more bytes.
    const stranger = new Browser(one!.app, ISSUER);
    await stranger.open('/sign-in');
    expect((await stranger.open(`/signed-in?code=1&state=${'%C3%A9'.repeat(43)}`)).status).toBe(400);
  });

  it('gives a code once, to who began with its verifier', async () => {
    const [one] = await servers();
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: 'third',
      redirect_uri: THIRD.redirect_uris[0],
      response_type: 'code',
      scope: 'openid email',
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const browser = new Browser(one!.app, ISSUER);
    await browser.open(`/authorize?${query}`);
    const consent = await browser.send({ email: EMAIL, password: PASSWORD });
    expect(consent.text).toContain('A &lt;third&gt; party');
    expect(consent.headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:9;");
    const back = await browser.send({ allow: 'yes' });
    expect(back.url.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/back\?/);
    expect(back.url.searchParams.get('iss')).toBe(ISSUER);
    const exchange = async (code_verifier: string) =>
      one!.app.inject({
        method: 'POST',
        url: '/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'third',
          redirect_uri: THIRD.redirect_uris[0],
          code: back.url.searchParams.get('code')!,
          code_verifier,
        }).toString(),
      });
    expect((await exchange(randomBytes(32).toString('base64url'))).json().error).toBe('invalid_grant');
    const answers = await Promise.all([exchange(verifier), exchange(verifier), exchange(verifier)]);
    expect(answers.map(answer => answer.statusCode).sort()).toEqual([200, 400, 400]);
    // It is no session: its audience is the client.
    const token = answers.find(answer => answer.statusCode === 200)!.json().id_token;
    expect((await usage(one!, token)).json().detail.error).toBe('auth_invalid');
    // Refusing leads back without a code; no code_challenge is refused.
    const other = new Browser(one!.app, ISSUER);
    await other.open(`/authorize?${query}`);
    expect((await other.send({ cancel: 'yes' })).url.searchParams.get('error')).toBe('access_denied');
    query.delete('code_challenge');
    expect((await other.open(`/authorize?${query}`)).url.searchParams.get('error')).toBe('invalid_request');
  });

  it('signs with keys that rotate, and sessions of the old one go on', async () => {
    const [one, two] = await servers(2);
    const before = sessionOn(await signIn(new Browser(one!.app, ISSUER)));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29.5 * DAY_MS });
    // The next key is published a day ahead.
    expect((await one!.app.inject('/jwks')).json().keys).toHaveLength(2);
    const browser = new Browser(two!.app, ISSUER);
    const during = sessionOn(await signIn(browser));
    expect(decodeProtectedHeader(during).kid).toBe(decodeProtectedHeader(before).kid);
    vi.setSystemTime(Date.now() + DAY_MS / 2 - 60_000);
    const last = sessionOn(await browser.open('/sign-in'));
    vi.setSystemTime(Date.now() + 10 * 60_000);
    const after = sessionOn(await browser.open('/sign-in'));
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(last).kid);
    for (const session of [last, after]) expect((await usage(one!, session)).statusCode).toBe(200);
  });

  it('keeps nothing in the database that opens anything', async () => {
    const [one] = await servers();
    const put = vi.spyOn(one!.state.providerRecords, 'put');
    const browser = new Browser(one!.app, ISSUER);
    const session = sessionOn(await signIn(browser));
    const kept = JSON.stringify(put.mock.calls);
    expect(new Set(put.mock.calls.map(([record]) => record.kind))).toEqual(
      new Set(['Interaction', 'Session', 'Grant', 'AuthorizationCode', 'AccessToken']),
    );
    for (const secret of [PASSWORD, session, EMAIL, ...[...browser.cookies.values()].map(({ value }) => value)])
      expect(kept).not.toContain(secret);
  });

  it('signs out', async () => {
    const [one] = await servers();
    const browser = new Browser(one!.app, ISSUER);
    const shown = await signIn(browser);
    const link = /href="(\/sign-out[^"]*)"/.exec(shown.text)![1]!.replaceAll('&amp;', '&');
    expect((await browser.open(link)).text).not.toContain('<script');
    expect((await browser.send({ logout: 'yes' })).text).toContain('Signed out');
    expect((await browser.open('/sign-in')).text).toContain('name="password"');
  });

  it('answers what it cannot do without a fault', async () => {
    const [one] = await servers();
    const ask = async (method: 'GET' | 'POST' | 'HEAD' | 'PUT', url: string, type?: string, payload?: string) =>
      (await one!.app.inject({ method, url, headers: type ? { 'content-type': type } : {}, payload })).statusCode;
    const FORM = 'application/x-www-form-urlencoded';
    expect(await ask('HEAD', '/jwks')).toBe(200);
    expect(await ask('PUT', '/token')).toBe(405);
    expect(await ask('GET', '/token')).toBe(405);
    expect(await ask('POST', '/token')).toBe(400);
    expect(await ask('POST', '/token', FORM, 'x='.repeat(40_000))).toBe(413);
    expect(
      await ask('POST', '/token', FORM, `grant_type=authorization_code&client_id=plat&code=${'x'.repeat(20_000)}`),
    ).toBe(400);
    expect(await ask('POST', '/token', 'application/json', '{}')).toBe(400);
    expect(await ask('GET', '/authorize')).toBe(400);
    expect(await ask('GET', '/authorize?client_id=nobody&response_type=code')).toBe(400);
    expect(await ask('GET', '/authorize/unknown')).toBe(400);
    expect(await ask('GET', '/sign-in/unknown')).toBe(400);
    expect(await ask('POST', '/sign-in/unknown', FORM, 'email=a')).toBe(400);
    expect(await ask('GET', '/signed-in?code=1&state=2')).toBe(400);
    expect(await ask('GET', '/userinfo')).toBe(401);
    expect(await ask('POST', '/sign-in/unknown', 'text/plain', 'a')).toBe(415);
  });
});
