import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noticeSummaryJob } from '../../../server/account/notice-summary-job.ts';
import { userCodeHash } from '../../../server/device/operation.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { type Mailer, MailRefused, type Message } from '../../../server/mail/mailer.ts';
import { outboxMailer } from '../../../server/mail/outbox.ts';
import { Watch } from '../../../server/state/outage/watch.ts';
import { watchedStore } from '../../../server/state/outage/watched-store.ts';
import { FakeClock } from '../fake-clock.ts';
import { doNext, servicesOf } from '../field-requests/working.ts';
import { Browser } from '../provider/browser.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { letIn, sendForm } from './agent.ts';

const ANN = { email: 'someone@example.org', password: 'correct horse battery' };
const hashed = quickHash(ANN.password);
const DAY_MS = 24 * 60 * 60 * 1000;

/** oidc-provider looks at the machine's time. */
class RealClock extends FakeClock {
  ahead = 0;
  override now(): number {
    return Date.now() + this.ahead;
  }
}

describeStores('mails about what is added to an account', kind => {
  let fixture: Fixture;
  let clock: RealClock;
  let mails: Message[];
  const open = async (
    mailer: Mailer = { leaves: true, send: async mail => void mails.push(mail), close: () => {} },
  ) => {
    clock = new RealClock();
    fixture = await openFixture({ state: await kind.open(await kind.place()), clock, mailer });
    const user = await fixture.state.users.open(ANN.email, null);
    await fixture.state.users.setPassword(user.id, hashed);
    await fixture.state.users.verify(user.id, clock.now());
  };
  beforeEach(() => {
    mails = [];
  });
  afterEach(() => fixture.app.close());

  const create = async (session: string, name?: string) => {
    const reply = await fixture.app.inject({
      method: 'POST',
      url: '/v1/users/me/tokens',
      headers: { authorization: `Bearer ${session}` },
      payload: name === undefined ? {} : { name },
    });
    expect(reply.statusCode).toBe(201);
    await Promise.all(fixture.outliving);
    return reply.json() as { token: string };
  };
  const logIn = async (name: string) => {
    const { app, state } = fixture;
    const start = { method: 'POST', url: '/v1/mcp/device/start', payload: { client_name: name } } as const;
    const started = (await app.inject(start)).json() as { device_code: string; user_code: string };
    await state.deviceCodes.decide(userCodeHash(started.user_code), fixture.account.id, true, clock.now());
    const poll = { method: 'POST', url: '/v1/mcp/device/poll', payload: { device_code: started.device_code } } as const;
    const { token } = (await app.inject(poll)).json() as { token: string };
    await Promise.all(fixture.outliving);
    return token;
  };

  it('say what was added and when, and how to revoke it, and hold no secret', async () => {
    await open();
    const session = await fixture.session();
    const { token } = await create(session, 'see https://evil.example/“x');
    const device = await logIn('a lap\u202etop');
    const agent = await letIn(fixture, ANN, 'A helper');
    await expect.poll(() => mails.length).toBe(3);
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
      `${ANN.email}: An API token was added to your Plat account`,
      `${ANN.email}: A device was added to your Plat account`,
      `${ANN.email}: An agent was added to your Plat account`,
    ]);
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    for (const [i, name] of ['see https[:]//evil[.]example/"x', 'a lap top', 'A helper'].entries()) {
      expect(mails[i]!.text).toContain(`It calls itself “${name}”.`);
      expect(mails[i]!.text).toContain(today);
      expect(mails[i]!.text).toContain(`${ISSUER}/console`);
    }
    const secrets = [token, device, session, agent.access_token, agent.refresh_token, agent.client_id];
    for (const secret of secrets) expect(JSON.stringify(mails)).not.toContain(secret);
  });

  it('come once for an agent, however often it gets tokens', async () => {
    await open();
    const browser = new Browser(fixture.app, ISSUER);
    const { client_id, refresh_token } = await letIn(fixture, ANN, 'A helper', browser);
    await sendForm(fixture, '/token', { grant_type: 'refresh_token', client_id, refresh_token });
    await browser.open('/sign-in');
    await create(await fixture.session());
    await expect.poll(() => mails.length).toBe(2);
    expect(mails.filter(({ subject }) => subject.startsWith('An agent'))).toHaveLength(1);
    const trail = await fixture.state.audit.entries({ action: 'grant_added', limit: 9 });
    expect(trail).toHaveLength(1);
  });

  it('are ten a day at most, and the last says so', async () => {
    await open();
    const session = await fixture.session();
    for (let i = 0; i < 12; i++) await create(session, `token ${i}`);
    expect(mails).toHaveLength(10);
    expect(mails.map(({ text }) => text.includes('the last message of today'))).toEqual([
      ...Array(9).fill(false),
      true,
    ]);
    clock.ahead = DAY_MS;
    await create(await fixture.session(), 'the next day');
    expect(mails).toHaveLength(11);
  });

  it('are summed up once when the day is over, by the store that a server opens and the clock of the job', async () => {
    await open();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const session = await fixture.session();
    for (let i = 0; i < 12; i++) await create(session, `token ${i}`);
    await logIn('a laptop');
    expect(mails).toHaveLength(10);
    const state = watchedStore(fixture.state, new Watch({ error: () => {}, warn: () => {} }));
    const upkeep = async (hours: number, mailer: Mailer) => {
      clock.ahead = hours * 3_600_000;
      await state.jobs.enqueue(jobOf(noticeSummaryJob, 'schedule', {}, null));
      const services = { ...servicesOf(fixture, { mailer }), state };
      expect(await doNext(services, noticeSummaryJob)).toMatchObject({ status: 'done' });
    };
    const mailer: Mailer = { leaves: true, send: async mail => void mails.push(mail), close: () => {} };
    await upkeep(0, mailer);
    expect(mails).toHaveLength(10);
    // A mail server that is away for an hour loses nothing.
    const away = async () => Promise.reject(new MailRefused(new Error('away'), true));
    await upkeep(24, { ...mailer, send: away });
    await upkeep(25, mailer);
    await upkeep(26, mailer);
    expect(mails).toHaveLength(11);
    const { to, subject, text } = mails.at(-1)!;
    expect([to, subject]).toEqual([ANN.email, `More was added to your Plat account on ${day}`]);
    expect(text).toContain('these were added to your account: 1 device and 2 API tokens.');
    expect(text).toContain(`${ISSUER}/console`);
  });

  it('fail nothing when they cannot be sent, and stay files where no mail server is named', async () => {
    await open({ leaves: true, send: () => Promise.reject(new Error('no server')), close: () => {} });
    await create(await fixture.session(), 'unheard');
    await fixture.app.close();
    const home = mkdtempSync(join(tmpdir(), 'plat-notices-'));
    try {
      await open(outboxMailer(home, { now: Date.now }));
      await create(await fixture.session(), 'written');
      const [file] = readdirSync(join(home, 'outbox'));
      expect(readFileSync(join(home, 'outbox', file!), 'utf8')).toContain('“written”');
      await fixture.app.close();
      // A folder that cannot be made.
      writeFileSync(join(home, 'file'), '');
      await open(outboxMailer(join(home, 'file'), { now: Date.now }));
      await create(await fixture.session(), 'nowhere');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
