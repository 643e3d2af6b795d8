import { createHash } from 'node:crypto';
import type { Adapter } from 'oidc-provider';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../fake-clock.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { callMcp, letIn, sendForm } from './agent.ts';

const ANN = { email: 'someone@example.org', password: 'correct horse battery' };
const BOB = { email: 'bob@example.org', password: 'correct horse battery' };
const hashed = quickHash(ANN.password);
const DIGEST = /^[\w-]{43}$/;
const SCOPES = ['read', 'spend', 'write'];
/** What an agent may do unless it asks for more. */
const AGENT = { scopes: ['read', 'spend'], credits_a_day: 200 };

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override time = Date.now();
}

describeStores('what may act for an account', kind => {
  const opened: Fixture[] = [];
  let one: Fixture;
  let two: Fixture;
  let session: string;
  beforeEach(async () => {
    const place = await kind.place();
    const clock = new MachineClock();
    for (let i = 0; i < 2; i++) opened.push(await openFixture({ state: await kind.open(place), clock }));
    [one, two] = opened as [Fixture, Fixture];
    for (const { email } of [ANN, BOB]) {
      const user = await one.state.users.open(email, null);
      await one.state.users.setPassword(user.id, hashed);
      await one.state.users.verify(user.id, clock.now());
    }
    // A token of each fixture comes with it.
    for (const { jti } of await one.state.tokens(one.account.id)) await one.state.revokeToken(jti, 1);
    session = await one.session();
  });
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });

  const ask = async (
    { app }: Fixture,
    bearer: string,
    id = '',
    method: 'GET' | 'DELETE' = id === '' ? 'GET' : 'DELETE',
  ) => {
    const reply = await app.inject({
      method,
      url: `/v1/users/me/grants${id === '' ? '' : `/${id}`}`,
      headers: { authorization: `Bearer ${bearer}` },
    });
    const json = reply.body === '' ? null : reply.json();
    return { status: reply.statusCode, json, error: json?.detail?.error as string | undefined };
  };
  const logIn = async () => {
    const started = (
      await one.app.inject({ method: 'POST', url: '/v1/mcp/device/start', payload: { client_name: 'a laptop' } })
    ).json() as { device_code: string; user_code: string };
    const { userCodeHash } = await import('../../../server/device/operation.ts');
    await one.state.deviceCodes.decide(userCodeHash(started.user_code), one.account.id, true, one.clock.now());
    const poll = { method: 'POST', url: '/v1/mcp/device/poll', payload: { device_code: started.device_code } } as const;
    return (await two.app.inject(poll)).json() as { token: string; token_id: string };
  };
  const read = (fixture: Fixture, token: string) =>
    fixture.app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${token}` } });

  it('is listed: agents, devices and tokens, the newest first, with their last use on any server', async () => {
    const begun = Math.floor(Date.now() / 1000) * 1000;
    const agent = await letIn(one, ANN, 'A helper');
    // The provider dates agents by the clock of the machine.
    one.clock.time = Date.now() + 2_000;
    const device = await logIn();
    one.clock.time += 2_000;
    const { row } = await one.tokens.create(one.account, { name: null, days: 1 });
    expect((await ask(one, session)).json.grants.map((grant: { last_used_at: unknown }) => grant.last_used_at)).toEqual(
      [null, null, null],
    );
    expect(await callMcp(two, agent.access_token)).toBe(200);
    expect((await read(two, device.token)).statusCode).toBe(200);
    await Promise.all([two.tokens.noteUses(), two.embedded.grants.noteUses()]);
    const used = (ms: number) => new Date(ms).toISOString();
    const { grants } = (await ask(one, session)).json;
    expect(grants).toStrictEqual([
      {
        id: row.jti,
        kind: 'token',
        name: null,
        scopes: SCOPES,
        credits_a_day: null,
        created_at: used(row.issuedAt * 1000),
        last_used_at: null,
      },
      {
        id: device.token_id,
        kind: 'device',
        name: 'a laptop',
        ...AGENT,
        created_at: expect.any(String),
        last_used_at: used(Math.floor(one.clock.time / 1000) * 1000),
      },
      {
        id: expect.stringMatching(DIGEST),
        kind: 'mcp',
        name: 'A helper',
        ...AGENT,
        created_at: expect.any(String),
        last_used_at: used(one.clock.time),
      },
    ]);
    expect(Date.parse(grants[2].created_at)).toBeGreaterThanOrEqual(begun);
    expect(JSON.stringify(grants)).not.toContain(agent.client_id);
  });

  it('ends when it is revoked, with access and refresh tokens, on every server, and again', async () => {
    const agent = await letIn(one, ANN);
    const other = await letIn(one, ANN, 'Another agent');
    const device = await logIn();
    for (const fixture of [one, two]) {
      expect(await callMcp(fixture, agent.access_token)).toBe(200);
      expect((await read(fixture, device.token)).statusCode).toBe(200);
    }
    const { grants } = (await ask(one, session)).json as { grants: { id: string; kind: string; name: string }[] };
    const revoked = grants.filter(({ name }) => name !== 'Another agent');
    expect(revoked.map(grant => grant.kind).sort()).toEqual(['device', 'mcp']);
    for (const { id } of revoked) expect(await ask(one, session, id)).toMatchObject({ status: 204, json: null });
    for (const fixture of [two, one]) {
      expect(await callMcp(fixture, agent.access_token)).toBe(401);
      expect(await callMcp(fixture, other.access_token)).toBe(200);
      const { client_id, refresh_token } = agent;
      const refreshed = await sendForm(fixture, '/token', { grant_type: 'refresh_token', client_id, refresh_token });
      expect(refreshed).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
      await expect.poll(async () => (await read(fixture, device.token)).statusCode).toBe(401);
    }
    for (const { id } of revoked) expect((await ask(two, session, id)).status).toBe(204);
    expect((await ask(two, session)).json.grants.map((grant: { name: string }) => grant.name)).toEqual([
      'Another agent',
    ]);
    const trail = await one.state.audit.entries({ accountId: one.account.id, limit: 20 });
    expect(trail.map(({ action }) => action)).toEqual(expect.arrayContaining(['grant_revoked', 'token_revoked']));
  });

  it('ends even when a token of it is stored after the revocation', async () => {
    const { access_token: token } = await letIn(one, ANN);
    const [grant] = (await ask(one, session)).json.grants;
    const id = createHash('sha256').update(token).digest('base64url');
    const late = (await one.state.providerRecords.find('AccessToken', 'id', id, one.clock.now()))!;
    expect((await ask(one, session, grant.id)).status).toBe(204);
    await one.state.providerRecords.put(late);
    expect(await callMcp(two, token)).toBe(401);
  });

  it('is listed and revoked though its client could not register any more', async () => {
    const agent = await letIn(one, ANN);
    const { provider } = await one.embedded.openid();
    const { adapter } = provider.Client as unknown as { readonly adapter: Adapter };
    await adapter.upsert(
      agent.client_id,
      { ...(await adapter.find(agent.client_id)), client_name: 'x'.repeat(65) },
      60,
    );
    const [grant] = (await ask(two, session)).json.grants;
    expect(grant.name).toBe('An agent without a name');
    expect((await ask(two, session, grant.id)).status).toBe(204);
  });

  it("is nobody else's business", async () => {
    const agent = await letIn(one, ANN);
    const device = await logIn();
    const bob = await one.session(BOB.email);
    expect((await ask(one, bob)).json).toEqual({ grants: [] });
    const { grants } = (await ask(one, session)).json as { grants: { id: string }[] };
    for (const id of [...grants.map(grant => grant.id), 'nothing', 'x'.repeat(43), crypto.randomUUID()])
      expect(await ask(one, bob, id)).toMatchObject({ status: 404, error: 'grant_not_found' });
    expect(await callMcp(one, agent.access_token)).toBe(200);
    for (const id of ['', grants[0]!.id])
      expect(await ask(one, device.token, id)).toMatchObject({ status: 403, error: 'auth_method_not_allowed' });
    expect((await ask(one, agent.access_token)).status).toBe(401);
    expect((await ask(one, session)).json.grants).toHaveLength(2);
  });
});
