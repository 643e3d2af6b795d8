// OWASP ASVS 5.0, V6.2 and V7.3: which passwords are taken, how pages ask for them, and how long a browser stays signed in.
import { dictionary } from '@zxcvbn-ts/language-common';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../../server/mail/mailer.ts';
import { passwordHolds } from '../../../server/provider/password.ts';
import { weakness } from '../../../server/provider/weak-password.ts';
import { FakeClock } from '../../server/fake-clock.ts';
import { Browser, sessionOn } from '../../server/provider/browser.ts';
import { useQuickScrypt } from '../../server/provider/quick-scrypt.ts';
import { type Fixture, ISSUER, openFixture } from '../../server/service-fixture.ts';
import { heard, takeHeard } from '../logged.ts';

const EMAIL = 'ann.smith@example.org';
const PASSWORD = 'correct horse battery';
const DAY_MS = 24 * 60 * 60 * 1000;

useQuickScrypt();

class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

let fixture: Fixture;
let mails: Message[];
beforeEach(async () => {
  mails = [];
  const mailer = {
    leaves: false,
    send: async (message: Message) => {
      mails.push(message);
    },
    close: () => {},
  };
  fixture = await openFixture({ mailer, clock: new RealClock() });
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture[Symbol.asyncDispose]();
});

/** The page on which somebody chooses a password, from the link of their mail. */
async function choosing() {
  const browser = new Browser(fixture.app, ISSUER);
  await browser.open('/password');
  await browser.send({ email: EMAIL });
  await browser.open(/http\S+/.exec(mails.at(-1)!.text)![0]);
  return browser;
}

it('the common passwords of leaks are refused in words, and the link stays good for another one', async () => {
  const common = dictionary['passwords-common'].filter(({ length }) => length >= 8);
  expect(common.length).toBeGreaterThan(10_000);
  for (const password of [...common.slice(0, 3_000), ...common.slice(-10)])
    expect(await weakness(password, EMAIL, ISSUER), password).toContain('leaked');
  expect(await weakness('PassWord', EMAIL, ISSUER)).toContain('leaked');
  const browser = await choosing();
  const refused = await browser.send({ password: 'password1' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('among those that were leaked');
  expect(await fixture.state.users.byEmail(EMAIL)).toBeNull();
  expect((await browser.send({ password: PASSWORD })).text).toContain('You are signed in');
});

it('a password made of one’s address or the name of the service is refused', async () => {
  for (const password of [
    'ann.smith@example.org',
    'smith12345',
    'Plat2026',
    'plat-plat-plat!',
    'example.org1!',
    'smithplat123',
  ])
    expect(await weakness(password, EMAIL, 'https://maps.example.org'), password).toContain('address');
  expect(await weakness('Maps12345', EMAIL, 'https://maps.example.org')).toContain('name of the service');
  for (const password of ['platinum rings and gold', PASSWORD, 'a smith of words, quietly'])
    expect(await weakness(password, EMAIL, ISSUER), password).toBeNull();
});

it('a password of 8 to 128 characters of any kind is taken as it was typed: no rule of kinds, nothing cut or folded', async () => {
  for (const password of [
    'kjwqzvxh',
    '84620957',
    '        ~',
    'наушники',
    '👍🎉🦊🌲🚲📻🧩🪁',
    `x${'ab c'.repeat(31)}yz`,
  ])
    expect(await weakness(password, EMAIL, ISSUER), password).toBeNull();
  const long = `${'a long one, '.repeat(10)}12345678`;
  expect(long).toHaveLength(128);
  const browser = await choosing();
  expect((await browser.send({ password: long })).text).toContain('You are signed in');
  const { password: kept } = (await fixture.state.users.byEmail(EMAIL))!;
  expect(await passwordHolds(kept, long)).toBe(true);
  for (const other of [long.slice(0, 127), long.slice(0, 72), long.toUpperCase(), `${long} `, long.trimEnd().slice(1)])
    expect(await passwordHolds(kept, other), other).toBe(false);
});

it('pages hide what is typed as a password, name it to password managers and keep nobody from pasting', async () => {
  const browser = await choosing();
  const { text: choose, headers } = browser.at!;
  await browser.open('/sign-in');
  const { text: signIn } = browser.at!;
  for (const [text, autocomplete] of [
    [choose, 'new-password'],
    [signIn, 'current-password'],
  ] as const) {
    expect(text).toMatch(new RegExp(`<input type="password" name="password" autocomplete="${autocomplete}"`));
    expect(text).toContain('autocomplete="username"');
    expect(text).not.toMatch(/\son\w+=|autocomplete="off"|<script/i);
    // Nobody is asked for a hint or the name of a pet.
    expect(text).not.toMatch(/hint|secret question|mother/i);
  }
  expect(headers['content-security-policy']).not.toContain('script-src');
});

it('a browser is signed out after fourteen days without a visit, and after thirty whatever it does', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const browser = await choosing();
  await browser.send({ password: PASSWORD });
  const signedIn = async () => (await browser.open('/sign-in')).text.includes('You are signed in');
  const signIn = async () => {
    await browser.open('/sign-in');
    sessionOn(await browser.send({ email: EMAIL, password: PASSWORD }));
  };
  const later = (days: number) => vi.setSystemTime(Date.now() + days * DAY_MS);
  for (const [days, still] of [
    [13, true],
    [13, true],
    [5, false],
  ] as const) {
    later(days);
    expect(await signedIn(), String(days)).toBe(still);
  }
  await signIn();
  later(15);
  expect(await signedIn()).toBe(false);
});

it('who signs in, and who is refused, is a line of the log without address and password', async () => {
  takeHeard();
  await (await choosing()).send({ password: PASSWORD });
  const browser = new Browser(fixture.app, ISSUER);
  await browser.open('/sign-in');
  await browser.send({ email: EMAIL, password: 'not this one' });
  await browser.send({ email: EMAIL, password: PASSWORD });
  const text = takeHeard();
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
  const of = (msg: string) => lines.find(line => line.msg === msg);
  expect(of('a sign-in with a password was refused')).toMatchObject({
    reason: 'wrong',
    client: '127.0.0.1',
    request_id: expect.any(String),
    time: expect.anything(),
  });
  const { id } = (await fixture.state.users.byEmail(EMAIL))!;
  for (const way of ['somebody chose a password and signed in', 'somebody signed in with a password'])
    expect(of(way)).toMatchObject({ user: id, client: '127.0.0.1' });
  expect(text).not.toContain(EMAIL);
  heard(text);
});
