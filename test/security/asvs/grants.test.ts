// OWASP ASVS 5.0, V10.4: codes that come twice, and grants that end however often they are renewed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { authorize, callMcp, codeFields, registerAgent, sendForm } from '../../server/account/agent.ts';
import { FakeClock } from '../../server/fake-clock.ts';
import { Browser } from '../../server/provider/browser.ts';
import { SOMEONE } from '../../server/provider/oauth-servers.ts';
import { quickHash } from '../../server/provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../../server/service-fixture.ts';
import { secret } from '../logged.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const hashed = quickHash(SOMEONE.password);

class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

let fixture: Fixture;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  fixture = await openFixture({ clock: new RealClock() });
  const user = await fixture.state.users.open(SOMEONE.email, null);
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
  const tokens: Tokens = (await sendForm(fixture, '/token', fields)).json;
  for (const token of [tokens.access_token, tokens.refresh_token]) secret(token ?? '');
  return tokens;
}

/** An agent that registered and was allowed: what it has to send for its tokens. */
async function allowed() {
  const { client_id } = (await registerAgent(fixture)).json;
  const { back, verifier } = await authorize(new Browser(fixture.app, ISSUER), SOMEONE, client_id);
  return codeFields(client_id, secret(back.get('code')!), verifier);
}

const opens = async (token: string) => (await callMcp(fixture, token)) === 200;

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
