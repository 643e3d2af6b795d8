import { afterEach, expect, it, vi } from 'vitest';
import { MailRefused, type Message } from '../../../server/mail/mailer.ts';
import { throttled } from '../../../server/rate/throttle.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import { EMBEDDED } from '../../../server/state/sign-in/identities.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { Browser, sessionOn } from './browser.ts';
import { useQuickScrypt } from './quick-scrypt.ts';

const EMAIL = 'ann@example.org';
const PASSWORD = 'correct horse battery';
const HOUR_MS = 60 * 60 * 1000;

/** oidc-provider looks at the machine's time, which tests move with fake timers. */
class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

/** A moment from which on the windows that tries are counted in are young, so that none ends within a test. */
const stopTime = () => vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 1_000 });

useQuickScrypt();

describeDoors('choosing a password', kind => {
  const opened: Fixture[] = [];
  let mails: Message[];
  let refusal: Error | null;
  const servers = async (count = 1) => {
    const place = await kind.place();
    mails = [];
    refusal = null;
    const mailer = {
      leaves: false,
      send: async (message: Message) => {
        if (refusal) throw refusal;
        mails.push(message);
      },
      close: () => {},
    };
    for (let i = 0; i < count; i++)
      opened.push(await openFixture({ state: await kind.open(place), clock: new RealClock(), mailer }));
    return opened;
  };
  afterEach(async () => {
    vi.useRealTimers();
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });
  const ask = async (browser: Browser, email = EMAIL) => {
    await browser.open('/password');
    return browser.send({ email });
  };
  const link = () => /http\S+/.exec(mails.at(-1)!.text)![0];
  const choose = async (browser: Browser, password: string) => {
    await ask(browser);
    await browser.open(link());
    return browser.send({ password });
  };
  const signIn = async (browser: Browser, password: string) => {
    const visit = await browser.open('/sign-in');
    return visit.text.includes('name="password"') ? browser.send({ email: EMAIL, password }) : visit;
  };
  const usage = async (fixture: Fixture, session: string) => {
    const headers = { authorization: `Bearer ${session}` };
    const reply = await fixture.app.inject({ url: '/v1/users/me/usage', headers });
    return reply.json().detail?.error ?? reply.json().plan;
  };

  it('takes somebody from nothing to an account, and out of a forgotten password; sessions of before end', async () => {
    const [one, two] = await servers(2);
    const browser = new Browser(one!.app, ISSUER);
    expect((await ask(browser, ' Ann@Example.org ')).text).toContain('Look at your mail');
    expect(mails).toEqual([
      { to: EMAIL, subject: expect.any(String), text: expect.stringContaining(`${ISSUER}/password/new?code=`) },
    ]);
    expect(await one!.state.users.byEmail(EMAIL)).toBeNull();
    // Looking at a link, as software that guards mail does, does not use it up.
    await new Browser(two!.app, ISSUER).open(link());
    const form = await browser.open(link());
    expect(form.text).toContain(EMAIL);
    expect(form.headers['referrer-policy']).toBe('no-referrer');
    expect((await browser.send({ password: 'short' })).status).toBe(422);
    expect((await browser.send({ password: 'x'.repeat(129) })).status).toBe(422);
    const done = await browser.send({ password: PASSWORD });
    expect(await usage(two!, sessionOn(done))).toBe('free');
    expect(done.text).toContain('data-next="/console"');
    expect((await browser.open(link())).status).toBe(410);
    const session = sessionOn(await signIn(browser, PASSWORD));
    expect(await usage(two!, session)).toBe('free');

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    const other = new Browser(two!.app, ISSUER);
    await choose(other, 'another horse battery');
    expect(await usage(one!, session)).toBe('auth_revoked');
    // The browser that was signed in is not any more, and the old password is wrong.
    expect((await signIn(browser, PASSWORD)).status).toBe(401);
    vi.setSystemTime(Date.now() + 2_000);
    const fresh = sessionOn(await browser.send({ email: EMAIL, password: 'another horse battery' }));
    expect(await usage(one!, fresh)).toBe('free');
    const { account } = (await one!.state.identities.holder(EMBEDDED, (await one!.state.users.byEmail(EMAIL))!.id))!;
    const [entry] = await one!.state.audit.entries({ accountId: account.id, action: 'sessions_ended', limit: 1 });
    expect(entry).toMatchObject({ actor: `account ${account.id}`, detail: { reason: 'password' } });
  });

  it('says which tokens outlive a new password, and ends them for whoever set it', async () => {
    const [one, two] = await servers(2);
    const browser = new Browser(one!.app, ISSUER);
    expect(await usage(one!, sessionOn(await choose(browser, PASSWORD)))).toBe('free');
    const account = (await one!.state.account(EMAIL))!;
    const tokens = await Promise.all([1, 2].map(days => one!.tokens.create(account, { name: null, days })));
    const ended = await one!.tokens.create(account, { name: null, days: 3 });
    await one!.state.revokeToken(ended.row.jti, 1);
    const page = await choose(browser, 'another horse battery');
    expect(page.text).toContain('Your password is set');
    expect(page.text).toContain('2 API tokens and devices');
    // Neither another browser nor another page of this one can press the button.
    const proof = /name="proof" value="([^"]+)"/.exec(page.text)![1]!;
    const stranger = new Browser(two!.app, ISSUER);
    stranger.at = page;
    expect((await stranger.send({})).status).toBe(400);
    browser.at = page;
    expect((await browser.send({ proof: `${proof}x` })).status).toBe(400);
    for (const { token } of tokens) expect(await usage(two!, token)).toBe('free');
    browser.at = page;
    const session = sessionOn(await browser.send({}));
    for (const { token } of tokens) await expect.poll(() => usage(two!, token)).toBe('auth_invalid');
    expect(await usage(two!, session)).toBe('free');
    // Nothing is left to ask about.
    expect(sessionOn(await choose(browser, PASSWORD))).toBeTruthy();
  });

  it('takes over the account that a command made for the address', async () => {
    const [one] = await servers();
    const made = await one!.state.openAccount(EMAIL, 'growth');
    const browser = new Browser(one!.app, ISSUER);
    await choose(browser, PASSWORD);
    expect(await usage(one!, sessionOn(await signIn(browser, PASSWORD)))).toBe('growth');
    expect(await one!.state.tokens(made.id)).toEqual([]);
  });

  it('needs a link of the last hour, the newest or an older one, once', async () => {
    const [one] = await servers();
    const browser = new Browser(one!.app, ISSUER);
    await ask(browser);
    const first = link();
    await ask(browser);
    expect((await browser.open(first)).status).toBe(200);
    await browser.send({ password: PASSWORD });
    expect((await browser.open(link())).status).toBe(410);
    await ask(browser);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
    expect((await browser.open(link())).status).toBe(410);
    for (const code of ['', '?code=', `?code=${'x'.repeat(32)}`, `?code=${'x'.repeat(9_000)}`, '?code=a&code=b'])
      expect((await browser.open(`/password/new${code}`)).status, code).toBe(410);
  });

  it('sends to one address at a time, not too often, and says nothing about who has an account', async () => {
    stopTime();
    const [one, two] = await servers(2);
    const browser = new Browser(one!.app, ISSUER);
    for (const email of [
      '',
      'ann',
      'a@b@c',
      'a@b.org,c@d.org',
      '"a@b.org"<c@d.org>',
      'a@b.org\r\nBcc: c@d.org',
      `${'x'.repeat(300)}@b.org`,
    ])
      expect((await ask(browser, email)).status, email).toBe(422);
    expect(mails).toEqual([]);
    const unknown = await ask(browser, 'nobody@example.org');
    await choose(browser, PASSWORD);
    const known = await ask(browser);
    expect(known.text.replace(EMAIL, '')).toBe(unknown.text.replace('nobody@example.org', ''));
    const clock = { now: () => Date.now() };
    for (let i = 2; i < LIMITS['mail to an address'].most; i++)
      await throttled(one!.state.attempts, clock, { 'mail to an address': EMAIL });
    mails = [];
    const refused = await ask(new Browser(two!.app, ISSUER));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(mails).toEqual([]);
    expect((await ask(browser, 'other@example.org')).status).toBe(200);
  });

  it('says when mail cannot be sent', async () => {
    const [one] = await servers();
    const browser = new Browser(one!.app, ISSUER);
    refusal = new MailRefused(new Error('timeout'), true);
    const later = await ask(browser);
    expect([later.status, later.headers['retry-after']]).toEqual([503, '60']);
    refusal = new MailRefused(new Error('no such user'), false);
    expect((await ask(browser)).status).toBe(422);
  });

  it('tries of a password are counted over all servers, by address and client', async () => {
    stopTime();
    const [one, two] = await servers(2);
    const browser = new Browser(one!.app, ISSUER);
    await choose(browser, PASSWORD);
    const clock = { now: () => Date.now() };
    for (let i = 1; i < LIMITS['sign-in'].most; i++)
      await throttled(one!.state.attempts, clock, { 'sign-in': `127.0.0.1 ${EMAIL}` });
    expect((await signIn(new Browser(one!.app, ISSUER), 'wrong wrong wrong')).status).toBe(401);
    for (const { app } of [one!, two!]) {
      const refused = await signIn(new Browser(app, ISSUER), PASSWORD);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    // Somebody elsewhere is not kept out by it, and here it is over after a quarter of an hour.
    const elsewhere = new Browser(two!.app, ISSUER, '192.0.2.1');
    expect((await signIn(elsewhere, PASSWORD)).text).toContain('You are signed in');
    vi.setSystemTime(Date.now() + LIMITS['sign-in'].lengthMs);
    expect((await signIn(new Browser(one!.app, ISSUER), PASSWORD)).text).toContain('You are signed in');
  });
});
