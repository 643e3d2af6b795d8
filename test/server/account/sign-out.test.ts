import { afterEach, beforeEach, expect, it } from 'vitest';
import { tidy } from '../../../server/state/housekeeping.ts';
import { FakeClock } from '../fake-clock.ts';
import { Browser, sessionOn } from '../provider/browser.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { callMcp, letIn } from './agent.ts';

const ANN = { email: 'someone@example.org', password: 'correct horse battery' };
const hashed = quickHash(ANN.password);

/** oidc-provider looks at the machine's time. */
class RealClock extends FakeClock {
  ahead = 0;
  override now(): number {
    return Date.now() + this.ahead;
  }
}

describeDoors('signing out', kind => {
  const opened: Fixture[] = [];
  let one: Fixture;
  let two: Fixture;
  let clock: RealClock;
  beforeEach(async () => {
    const place = await kind.place();
    clock = new RealClock();
    for (let i = 0; i < 2; i++) opened.push(await openFixture({ state: await kind.open(place), clock }));
    [one, two] = opened as [Fixture, Fixture];
    const user = await one.state.users.open(ANN.email, null);
    await one.state.users.setPassword(user.id, hashed);
    await one.state.users.verify(user.id, clock.now());
  });
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });

  const signIn = async (browser = new Browser(one.app, ISSUER)) => {
    let visit = await browser.open('/sign-in');
    if (visit.text.includes('name="password"')) visit = await browser.send(ANN);
    return { browser, session: sessionOn(visit) };
  };
  const usage = async ({ app }: Fixture, session: string) => {
    const reply = await app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${session}` } });
    return reply.statusCode === 200 ? 200 : (reply.json().detail.error as string);
  };
  const signOut = async (session: string, browser: Browser | null, payload?: object) => {
    const cookie = [...(browser?.cookies ?? [])].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const reply = await one.app.inject({
      method: 'POST',
      url: '/v1/users/me/sign-out',
      headers: { authorization: `Bearer ${session}`, cookie },
      ...(payload ? { payload } : {}),
    });
    return { status: reply.statusCode, cookies: [reply.headers['set-cookie'] ?? []].flat() };
  };

  it('ends the session and the sign-in of its browser at once, on every server, and no other', async () => {
    const { browser, session } = await signIn();
    const { session: second } = await signIn(browser);
    const { session: elsewhere } = await signIn();
    const left = await signOut(session, browser);
    expect(left.status).toBe(204);
    expect(left.cookies.join()).toMatch(/_session=;.*expires=Thu, 01 Jan 1970/i);
    for (const fixture of [two, one]) {
      expect(await usage(fixture, session)).toBe('auth_revoked');
      // The same browser had another tab.
      expect(await usage(fixture, second)).toBe('auth_revoked');
      expect(await usage(fixture, elsewhere)).toBe(200);
      expect(await usage(fixture, fixture.token)).toBe(200);
    }
    expect((await signOut(session, null)).status).toBe(401);
    // The cookie, kept by somebody, opens nothing.
    expect((await browser.open('/sign-in')).text).toContain('name="password"');
    expect(await usage(two, (await signIn(browser)).session)).toBe(200);
  });

  it('ends a session without a browser, and forgets it when its time is over', async () => {
    const session = await one.session();
    const other = await one.session();
    expect((await signOut(session, null, { everywhere: false })).status).toBe(204);
    expect(await usage(two, session)).toBe('auth_revoked');
    expect(await usage(two, other)).toBe(200);
    clock.ahead = 3_700_000;
    await tidy(one.state, clock.now());
    expect(await usage(two, session)).toBe('auth_expired');
  });

  it('on the page ends the ID tokens too', async () => {
    const { browser, session } = await signIn();
    await browser.open('/sign-out?client_id=plat');
    expect((await browser.send({ logout: 'yes' })).text).toContain('Signed out');
    for (const fixture of [two, one]) expect(await usage(fixture, session)).toBe('auth_revoked');
  });

  it('everywhere ends all sessions and agents, and somebody can sign in again at once', async () => {
    const { browser, session } = await signIn();
    const { session: elsewhere, browser: other } = await signIn();
    const issued = await one.session();
    const agent = await letIn(one, ANN);
    expect(await callMcp(two, agent.access_token)).toBe(200);
    expect((await signOut(session, browser, { everywhere: true })).status).toBe(204);
    for (const fixture of [two, one]) {
      for (const ended of [session, elsewhere, issued]) expect(await usage(fixture, ended)).toBe('auth_revoked');
      expect(await callMcp(fixture, agent.access_token)).toBe(401);
      expect(await usage(fixture, fixture.token)).toBe(200);
    }
    expect((await other.open('/sign-in')).text).toContain('name="password"');
    expect(await usage(two, await one.session())).toBe(200);
    const trail = await one.state.audit.entries({ accountId: one.account.id, action: 'sessions_ended', limit: 2 });
    expect(trail).toMatchObject([{ actor: `account ${one.account.id}`, detail: { reason: 'owner' } }]);
  });

  it('is for sessions: an API token revokes itself, and an unknown key is refused', async () => {
    expect((await signOut(one.token, null)).status).toBe(403);
    expect((await signOut(await one.session(), null, { all: true })).status).toBe(422);
  });
});
