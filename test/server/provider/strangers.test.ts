// Who has not signed in writes nothing to the state store by beginning authorizations.
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { throttled } from '../../../server/rate/throttle.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { Browser, sessionOn } from './browser.ts';
import { quickHash } from './quick-hash.ts';

const EMAIL = 'ann@example.org';
const PASSWORD = 'correct horse battery';
const BACK = 'http://127.0.0.1:9/back';
const REQUESTS = process.env.PLAT_TEST === 'long' ? 1_000 : 200;

/** oidc-provider looks at the machine's time. */
class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

const THIRD = { client_id: 'third', redirect_uris: [BACK], token_endpoint_auth_method: 'none' } as const;

describeDoors('authorizations that strangers begin', kind => {
  let fixture: Fixture;
  let written: string[];
  beforeEach(async () => {
    const state = await kind.open(await kind.place());
    written = [];
    /** The records of the provider, mail codes and attempts, with what each call writes noted. */
    const noted = <T extends object>(part: T, name: string, writes: readonly (keyof T)[]): T =>
      Object.assign(
        Object.create(part),
        Object.fromEntries(
          writes.map(method => [
            method,
            (...terms: unknown[]) => {
              written.push(`${name} ${JSON.stringify(terms)}`);
              return (part[method] as (...all: unknown[]) => unknown)(...terms);
            },
          ]),
        ),
      );
    fixture = await openFixture({
      state: {
        ...state,
        providerRecords: noted(state.providerRecords, 'record', ['put', 'consume', 'extend']),
        attempts: noted(state.attempts, 'attempt', ['count', 'take']),
        mailCodes: noted(state.mailCodes, 'code', ['add', 'take']),
      },
      clock: new RealClock(),
      clients: [THIRD],
    });
    const user = await state.users.open(EMAIL, null);
    await state.users.setPassword(user.id, quickHash(PASSWORD));
    await state.users.verify(user.id, Date.now());
    // The keys, which the first of all requests makes.
    await fixture.app.inject('/jwks');
    written.length = 0;
  });
  afterEach(() => fixture.app.close());
  const query = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: 'third',
      redirect_uri: BACK,
      response_type: 'code',
      scope: 'openid email',
      state: 's',
      code_challenge: createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
  const browser = () => new Browser(fixture.app, ISSUER);

  it(`write nothing in ${REQUESTS} requests, until somebody gives a password`, async () => {
    const state = randomBytes(768).toString('base64url');
    const urls = [
      () => `/authorize?${query({ state })}`,
      () => '/sign-in',
      () => '/sign-out?client_id=plat',
      () => '/device?user_code=BCDF-GHJK',
    ];
    for (let i = 0; i < REQUESTS / 10; i++) await browser().open(urls[i % urls.length]!());
    for (let i = 0; i < (REQUESTS * 9) / 10; i++) {
      const reply = await fixture.app.inject(urls[i % urls.length]!());
      expect([200, 303], urls[i % urls.length]!()).toContain(reply.statusCode);
    }
    // Giving up writes nothing either.
    const leaving = browser();
    await leaving.open(`/authorize?${query()}`);
    expect((await leaving.send({ cancel: 'yes' })).url.searchParams.get('error')).toBe('access_denied');
    // Nor does the cookie of a session that is over.
    const over = browser();
    await over.open('/sign-in');
    await over.send({ email: EMAIL, password: PASSWORD });
    await fixture.state.providerRecords.removeUser((await fixture.state.users.byEmail(EMAIL))!.id);
    written.length = 0;
    const cookie = [...over.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    for (const url of urls) await fixture.app.inject({ url: url(), headers: { cookie } });
    expect(written).toEqual([]);
    const staying = browser();
    await staying.open('/sign-in');
    expect(sessionOn(await staying.send({ email: EMAIL, password: PASSWORD }))).toBeTruthy();
    expect(written.length).toBeGreaterThan(0);
  });

  it('hold what a browser keeps of a cookie, whatever they ask for, and refuse more as OAuth does', async () => {
    const noise = (bytes: number) => randomBytes(bytes).toString('base64url').slice(0, bytes);
    for (const [name, bytes] of [
      ['state', 1_025],
      ['nonce', 2_400],
      ['login_hint', 2_400],
    ] as const) {
      const { url } = await browser().open(`/authorize?${query({ [name]: noise(bytes) })}`);
      expect([url.origin, url.searchParams.get('error')]).toEqual([new URL(BACK).origin, 'invalid_request']);
    }
    const reply = await fixture.app.inject(`/authorize?${query({ state: noise(1_024), login_hint: noise(1_000) })}`);
    expect(reply.statusCode).toBe(303);
    for (const cookie of [reply.headers['set-cookie']].flat()) expect(String(cookie).length).toBeLessThan(4_096);
  });

  it('belong to the browser that began them, go on in two tabs, and work once', async () => {
    const [one, other] = [browser(), browser()];
    await one.open(`/authorize?${query({ state: 'first' })}`);
    const second = one.elsewhere('192.0.2.1');
    const page = one.at!.url.href;
    expect((await other.open(page)).status).toBe(400);
    await second.open(`/authorize?${query({ state: 'second' })}`);
    const consent = await one.send({ email: EMAIL, password: PASSWORD });
    expect(consent.text).toContain('name="allow"');
    const [stale] = [[...one.cookies]];
    const back = await one.send({ allow: 'yes' });
    expect(back.url.searchParams.get('state')).toBe('first');
    expect((await second.send({ email: EMAIL, password: PASSWORD })).text).toContain('name="allow"');
    // The consent that was given is over, whatever cookies are shown again.
    const replay = browser();
    for (const [name, cookie] of stale) replay.cookies.set(name, cookie);
    expect((await replay.open(consent.url.href)).status).toBe(400);
  });

  it('are so many for one client once somebody signed in, and no others wait for it', async () => {
    const here = browser();
    await here.open('/sign-in');
    await here.send({ email: EMAIL, password: PASSWORD });
    const { most } = LIMITS['authorization by a client'];
    for (let i = 0; i < most; i++)
      await throttled(fixture.state.attempts, fixture.clock, { 'authorization by a client': '127.0.0.1' });
    const refused = await here.open(`/authorize?${query()}`);
    expect(refused.url.searchParams.get('error')).toBe('temporarily_unavailable');
    const elsewhere = new Browser(fixture.app, ISSUER, '192.0.2.2');
    await elsewhere.open(`/authorize?${query()}`);
    expect((await elsewhere.send({ email: EMAIL, password: PASSWORD })).text).toContain('name="allow"');
  });
});
