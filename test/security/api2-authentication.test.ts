// OWASP API2:2023, broken authentication: every kind of credential, what gives it away and what ends it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashPassword } from '../../server/provider/password.ts';
import { signInServices, signInWithPassword } from '../../server/provider/sign-in.ts';
import { type Tries, throttled } from '../../server/rate/throttle.ts';
import { LIMITS } from '../../server/rate/throttle-limits.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { credentials } from './credentials.ts';
import { bearer, openWorld, type World } from './world.ts';

describeDoors('credentials', kind => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ state: await kind.open(await kind.place()) });
  });
  afterEach(() => world.fixture.app.close());

  const usage = (headers: Record<string, string>, query = '') =>
    world.fixture.app.inject({ url: `/v1/users/me/usage${query}`, headers });

  it('a refused credential says its code and nothing of itself, with the challenge of its status', async () => {
    for (const { name, headers, answers } of await credentials(world)) {
      const reply = await usage(headers);
      if (answers.accounts === null) {
        expect(reply.statusCode, name).toBe(200);
        continue;
      }
      const { detail } = reply.json();
      expect(detail.error, name).toBe(answers.accounts);
      const text = Object.values(headers).join().split(' ').at(-1)!;
      if (text.length > 8) expect(reply.body + JSON.stringify(reply.headers), name).not.toContain(text);
      expect(reply.headers['www-authenticate'] !== undefined, name).toBe(reply.statusCode === 401);
    }
  });

  it('a token in a query, in a cookie or in a form opens nothing', async () => {
    const { token } = world.ann;
    for (const reply of [
      await usage({}, `?access_token=${token}`),
      await usage({}, `?token=${token}`),
      await usage({ cookie: `token=${token}; authorization=Bearer ${token}` }),
      await world.fixture.app.inject({
        method: 'POST',
        url: '/v1/fetch',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `access_token=${token}`,
      }),
    ])
      expect(reply.json().detail.error).toBe('auth_missing');
  });

  it('one character of a token that is another makes it none, wherever it stands', async () => {
    for (const text of [world.ann.token, world.ann.session])
      for (const at of [3, text.indexOf('.') + 9, text.lastIndexOf('.') + 5]) {
        const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
        const reply = await usage(bearer(changed));
        expect([reply.statusCode, reply.json().detail.error], String(at)).toEqual([401, 'auth_invalid']);
      }
  });

  it('passwords are guessed a few times only, from wherever, and what is refused tells nobody who is there', async () => {
    const { state, clock } = world.fixture;
    const user = await state.users.open('ann@example.org', null);
    await state.users.setPassword(user.id, await hashPassword('correct horse battery'));
    const services = signInServices(state, clock);
    const guess = (email: string, ip: string) =>
      signInWithPassword(services, { email, password: 'wrong', ip, signal: new AbortController().signal });
    const known = await guess('ann@example.org', '192.0.2.1');
    expect(known).toEqual({ refused: 'wrong' });
    expect(await guess('nobody@example.org', '192.0.2.1')).toEqual(known);
    // All guesses of one client count, whatever the address; and all of one address, whoever the client. They are counted
    // without a password here, so that no guess takes a quarter of a second.
    const lockedOut = async (limits: Tries, email: string, ip: string) => {
      for (const [limit, whose] of Object.entries(limits) as [keyof typeof LIMITS, string][])
        for (let i = 0; i < LIMITS[limit].most; i++) await throttled(state.attempts, clock, { [limit]: whose });
      return 'seconds' in (await guess(email, ip));
    };
    expect(await lockedOut({ 'sign-in of a client': '192.0.2.2' }, 'other@example.org', '192.0.2.2')).toBe(true);
    const ofAddress = {
      'sign-in to an address': 'ann@example.org',
      'sign-in from a network': '192.0.2.3 ann@example.org',
    };
    expect(await lockedOut(ofAddress, 'ann@example.org', '192.0.2.3')).toBe(true);
  });
});

// Which lengths are taken: test/server/provider/choose-password.test.ts.
it('no password is kept that can be read back', async () => {
  const kept = await hashPassword('correct horse battery');
  expect(kept).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(kept).not.toContain('correct');
  expect(await hashPassword('correct horse battery')).not.toBe(kept);
});
