// OWASP API6:2023, unrestricted access to sensitive business flows: accounts, mail, tokens and plans for whoever automates them.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../server/mail/mailer.ts';
import { LIMITS } from '../../server/rate/throttle-limits.ts';
import { Browser } from '../server/provider/browser.ts';
import { ISSUER } from '../server/service-fixture.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { bearer, call, objectFor, openWorld, type World } from './world.ts';

describeDoors('accounts, mail and tokens that somebody automates', kind => {
  let world: World;
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
    world = await openWorld({ mailer, state: await kind.open(await kind.place()) });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await world.fixture.app.close();
  });

  const of = (name: string) => world.operations.find(operation => operation.name === name)!;

  it('mail goes to one address so often, and for one client so often, whatever addresses it names', async () => {
    const ask = async (email: string, from: string) => {
      const browser = new Browser(world.fixture.app, ISSUER, from);
      await browser.open('/password');
      return (await browser.send({ email })).status;
    };
    const client = LIMITS['mail for a client'].most;
    const statuses = [];
    for (let i = 0; i <= client; i++) statuses.push(await ask(`${i}@example.org`, '192.0.2.1'));
    expect(statuses).toEqual([...Array(client).fill(200), 429]);
    const address = LIMITS['mail to an address'].most;
    const sent = mails.length;
    for (let i = 0; i <= address; i++) statuses.push(await ask('one@example.org', `198.51.100.${i}`));
    expect(statuses.at(-1)).toBe(429);
    expect(mails).toHaveLength(sent + address);
    // A network of IPv6 that one subscriber has is one client.
    for (let i = 0; i < client; i++) await ask(`v6-${i}@example.org`, `2001:db8:0:1::${i}`);
    expect(await ask('last@example.org', '2001:db8:0:1:ffff::1')).toBe(429);
  });

  it('an account that somebody makes is on plan free, and nothing that it may call changes that', async () => {
    const { fixture } = world;
    const session = await fixture.session('new@example.org');
    for (const operation of world.operations) await call(world, operation, bearer(session));
    expect(await fixture.state.account('new@example.org')).toMatchObject({ plan: 'free' });
    const usage = await call(world, of('GET /v1/users/me/usage'), bearer(session));
    expect(usage.json).toMatchObject({ plan: 'free', credits_included: 1_000 });
    // A limit of one's own never widens the plan's.
    await call(world, of('PATCH /v1/users/me/settings'), bearer(session), { body: { monthly_credit_limit: 1e12 } });
    expect((await call(world, of('GET /v1/users/me/usage'), bearer(session))).json.effective_limit).toBe(1_000);
  });

  /** Active tokens of an account, and how often one is shown in a minute. */
  const MOST_ACTIVE = 100;
  const REVEALS_A_MINUTE = 10;

  it('tokens are so many, and shown again so often', async () => {
    const { ann, fixture } = world;
    const create = of('POST /v1/users/me/tokens');
    const ids = await objectFor(world, of('POST /v1/users/me/tokens/{id}/reveal'), ann);
    const active = async () => (await fixture.state.tokens(ann.account.id)).length;
    while ((await active()) < MOST_ACTIVE) await fixture.tokens.create(ann.account, { name: null, days: 1 });
    expect((await call(world, create, bearer(ann.session))).json.detail.error).toBe('tokens_too_many');
    const reveal = of('POST /v1/users/me/tokens/{id}/reveal');
    const statuses = [];
    for (let i = 0; i <= REVEALS_A_MINUTE; i++)
      statuses.push((await call(world, reveal, bearer(ann.session), { ids })).status);
    expect(statuses).toEqual([...Array(REVEALS_A_MINUTE).fill(200), 429]);
  });
});
