// Who tries the passwords of somebody else, from one machine or from hundreds, keeps nobody out and guesses little.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../server/mail/mailer.ts';
import { hashPassword } from '../../../server/provider/password.ts';
import { signInServices, signInWithPassword } from '../../../server/provider/sign-in.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import type { Attempts } from '../../../server/state/sign-in/attempts.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { Browser, type Visit } from './browser.ts';
import { useQuickScrypt } from './quick-scrypt.ts';

const EMAIL = 'ann@example.org';
const PASSWORD = 'correct horse battery';
const PROXY = '127.0.0.1';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const A_MINUTE = 1_000;
const here = new AbortController().signal;

/** oidc-provider looks at the machine's time, which tests move with fake timers. */
class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

useQuickScrypt();

describeDoors('the sign-in of somebody whose passwords are guessed', kind => {
  let fixture: Fixture;
  let mails: Message[];
  const open = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / DAY_MS) * DAY_MS + 1_000 });
    mails = [];
    const mailer = {
      leaves: false,
      send: async (message: Message) => {
        mails.push(message);
      },
      close: () => {},
    };
    const state = await kind.open(await kind.place());
    fixture = await openFixture({ state, clock: new RealClock(), mailer, trustedProxies: [PROXY] });
    const user = await state.users.open(EMAIL, null);
    await state.users.setPassword(user.id, await hashPassword(PASSWORD));
    await state.users.verify(user.id, Date.now());
  };
  afterEach(async () => {
    vi.useRealTimers();
    await fixture.app.close();
  });
  const from = (client: string) => new Browser(fixture.app, ISSUER, PROXY, client);
  const signIn = async (browser: Browser, password = PASSWORD): Promise<Visit> => {
    browser.forget('_session');
    await browser.open('/sign-in');
    return browser.send({ email: EMAIL, password });
  };
  const isIn = (visit: Visit) => visit.text.includes('You are signed in');
  /** Wrong passwords, a thousand a minute, from one client after the other. */
  const attack = async (clients: readonly string[], count = A_MINUTE) => {
    const browsers = new Map<string, Browser>();
    const statuses = new Map<number, number>();
    const first = from(clients[0]!);
    await first.open('/sign-in');
    for (let i = 0; i < count; i++) {
      const client = clients[i % clients.length]!;
      if (!browsers.has(client)) browsers.set(client, first.elsewhere(client));
      const { status } = await browsers.get(client)!.send({ email: EMAIL, password: `wrong password ${i}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      vi.setSystemTime(Date.now() + MINUTE_MS / A_MINUTE);
    }
    return Object.fromEntries(statuses);
  };

  it('goes on at another address and in the browser of before, whatever one machine tries', async () => {
    await open();
    const known = from('198.51.100.1');
    expect(isIn(await signIn(known))).toBe(true);
    const { most } = LIMITS['sign-in'];
    expect(await attack(['192.0.2.1'])).toEqual({ 401: most, 429: A_MINUTE - most });
    expect(isIn(await signIn(from('203.0.113.1')))).toBe(true);
    expect(isIn(await signIn(known))).toBe(true);
    // From the very network of the attack only the browser of before.
    expect((await signIn(from('192.0.2.1'))).status).toBe(429);
    expect(isIn(await signIn(known.elsewhere('192.0.2.1')))).toBe(true);
  });

  it('goes on while 500 machines try, until its own password changes', async () => {
    await open();
    const known = from('198.51.100.1');
    expect(isIn(await signIn(known))).toBe(true);
    const crowd = Array.from({ length: 500 }, (_, i) => `10.9.${i >> 8}.${i & 255}`);
    expect(await attack(crowd)).toEqual({ 401: A_MINUTE });
    expect(isIn(await signIn(from('203.0.113.1')))).toBe(true);
    expect(isIn(await signIn(known))).toBe(true);
    const ran = await attack(crowd, 700);
    expect(ran[429]).toBeGreaterThan(0);
    expect(isIn(await signIn(from('203.0.113.2')))).toBe(true);
    // The browser has attempts of its own. Who steals its cookie takes no more than these away, and has no more.
    const stolen = known.elsewhere(crowd[0]!);
    for (let i = 1; i < LIMITS['sign-in from a known browser'].most; i++)
      expect((await signIn(stolen, 'wrong')).status, String(i)).toBe(401);
    expect((await signIn(stolen)).status).toBe(429);
    expect(isIn(await signIn(known))).toBe(true);
    vi.setSystemTime(Date.now() + LIMITS['sign-in from a known browser'].lengthMs);
    expect(isIn(await signIn(known))).toBe(true);
    // The cookie holds for the password with which it came, and for its account.
    const { users } = fixture.state;
    const { id } = (await users.byEmail(EMAIL))!;
    await users.setPassword(id, await hashPassword('another horse battery'));
    const crowded = known.elsewhere(crowd[0]!);
    for (let i = 0; i < LIMITS['sign-in'].most; i++) await signIn(crowded, 'mistyped');
    expect((await signIn(crowded, 'another horse battery')).status).toBe(429);
  });

  it('a browser that makes its cookie itself, or has that of another account, is as unknown as any', async () => {
    await open();
    const other = await fixture.state.users.open('eve@example.org', null);
    await fixture.state.users.setPassword(other.id, await hashPassword(PASSWORD));
    await fixture.state.users.verify(other.id, Date.now());
    const eve = from('192.0.2.1');
    await eve.open('/sign-in');
    expect(isIn(await eve.send({ email: other.email, password: PASSWORD }))).toBe(true);
    const forged = from('192.0.2.1');
    for (const [name, cookie] of eve.cookies)
      forged.cookies.set(name, { ...cookie, value: cookie.value.replace(other.id, (await user()).id) });
    for (const browser of [eve, forged]) {
      vi.setSystemTime(Date.now() + LIMITS['sign-in'].lengthMs);
      const tries = [];
      for (let i = 0; i < LIMITS['sign-in'].most; i++) tries.push((await signIn(from('192.0.2.1'), 'wrong')).status);
      expect(tries.at(-1)).toBe(401);
      expect((await signIn(browser)).status).toBe(429);
    }
  });
  const user = async () => (await fixture.state.users.byEmail(EMAIL))!;

  it('gets a link for another password, however many others asked for one', async () => {
    await open();
    const ask = async (client: string) => {
      const browser = from(client);
      await browser.open('/password');
      return browser.send({ email: EMAIL });
    };
    for (let i = 0; i < 40; i++) await ask('192.0.2.1');
    expect(mails).toHaveLength(LIMITS['mail to an address from a client'].most);
    expect((await ask('203.0.113.1')).text).toContain('Look at your mail');
    for (let i = 0; i < 40; i++) await ask(`10.9.0.${i}`);
    expect(mails).toHaveLength(LIMITS['mail to an address'].most);
    // Who is refused now has a link that works: until the window ends.
    vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS - 1);
    expect((await ask('203.0.113.1')).status).toBe(429);
    const browser = from('203.0.113.1');
    // Nobody else's wrong codes stand in the way.
    for (let i = 0; i < 100; i++) await browser.open(`/password/new?code=${i}`);
    await browser.open(/http\S+/.exec(mails.at(-1)!.text)![0]);
    expect((await browser.send({ password: 'another horse battery' })).text).toContain('You are signed in');
    // And the browser is known from then on.
    await attack(['203.0.113.1'], 20);
    expect(isIn(await signIn(browser, 'another horse battery'))).toBe(true);
  });
});

describe('guesses of a password', () => {
  /** Attempts counted in memory, because a day of them would take a store a minute. */
  const counting = (): Attempts => {
    const windows = new Map<string, number>();
    const keyOf = (key: string, now: number, lengthMs: number) => `${key} ${Math.floor(now / lengthMs)}`;
    const counted = (key: string, now: number, lengthMs: number) => windows.get(keyOf(key, now, lengthMs)) ?? 0;
    const count = (key: string, now: number, lengthMs: number) => {
      windows.set(keyOf(key, now, lengthMs), counted(key, now, lengthMs) + 1);
      return counted(key, now, lengthMs);
    };
    return {
      count: async (...terms) => count(...terms),
      counted: async (...terms) => counted(...terms),
      take: async (key, now, lengthMs, most) => (counted(key, now, lengthMs) < most ? count(key, now, lengthMs) : null),
      prune: async () => 0,
    };
  };

  it('are 4,400 a day for an account at most, as docs/accounts.md says, whatever network each comes from', async () => {
    await using fixture = await openFixture();
    const clock = new FakeClock();
    clock.time = Math.ceil(clock.time / DAY_MS) * DAY_MS;
    const services = signInServices({ ...fixture.state, attempts: counting() }, clock);
    let guesses = 0;
    let network = 0;
    for (let hour = 0; hour < 24; hour++, clock.time += HOUR_MS) {
      let refusals = 0;
      while (refusals < 200) {
        const ip = `2001:db8:${(network++).toString(16)}::1`;
        const answer = await signInWithPassword(services, { email: EMAIL, password: 'wrong', ip, signal: here });
        if ('refused' in answer && answer.refused === 'wrong') guesses++;
        else refusals++;
      }
    }
    expect(guesses).toBe(LIMITS['sign-in from networks'].most + 24 * LIMITS['sign-in to an address'].most);
    expect(guesses).toBe(4_400);
  });

  it('come from one client wherever in its /64 network it sits, and from one network in a /48', async () => {
    await using fixture = await openFixture();
    const services = signInServices(fixture.state, fixture.clock);
    const guess = (ip: string) => signInWithPassword(services, { email: EMAIL, password: 'wrong', ip, signal: here });
    for (let i = 0; i < LIMITS['sign-in'].most; i++)
      expect(await guess(`2001:db8:0:1::${i.toString(16)}`)).toEqual({ refused: 'wrong' });
    expect(await guess('2001:db8:0:1:ffff::1')).toMatchObject({ refused: 'wait' });
    // An address of IPv4 is itself, also in the form of IPv6.
    for (let i = 0; i < LIMITS['sign-in'].most; i++)
      expect(await guess(i % 2 ? '::ffff:192.0.2.1' : '192.0.2.1')).toEqual({ refused: 'wrong' });
    expect(await guess('::ffff:c000:201')).toMatchObject({ refused: 'wait' });
    expect(await guess('::ffff:192.0.2.2')).toEqual({ refused: 'wrong' });
  });
});
