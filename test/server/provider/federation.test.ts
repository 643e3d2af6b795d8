import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { configuredSessions } from '../../../server/provider/configured-sessions.ts';
import { throttled } from '../../../server/rate/throttle.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import { createSafeClient } from '../../../server/upstream/safe-client.ts';
import { follow, type Person, type ProviderProcess, person, startProvider } from '../auth/provider-process.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture, SECRET } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { Browser, sessionOn, type Visit } from './browser.ts';

const AGENT = 'http://127.0.0.1:33418/callback';
const BACK = `${ISSUER}/signed-in`;
const RESOURCE = `${ISSUER}/mcp`;

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

let provider: ProviderProcess;
beforeAll(async () => {
  provider = await startProvider(BACK);
});
afterAll(() => provider.stop());

describeDoors('agents and devices where people sign in at an external provider', kind => {
  let fixture: Fixture;
  const open = async (env: Record<string, string> = {}) => {
    const clock = new MachineClock();
    const state = await kind.open(await kind.place());
    const settings = readSettings({ PLAT_OIDC_ISSUER: provider.issuer, PLAT_OIDC_AUDIENCE: 'plat-test', ...env });
    const client = createSafeClient({ networks: ['127.0.0.0/8'], nameServers: ['127.0.0.1:1'] });
    const services = { state, secret: SECRET, clock, log: () => {}, client };
    fixture = await openFixture({ state, clock, ...configuredSessions(settings, services) });
  };
  beforeEach(() => open());
  afterEach(() => fixture.app.close());

  const form = async (url: string, fields: Record<string, string>) => {
    const reply = await fixture.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    return { status: reply.statusCode, json: reply.body ? reply.json() : null };
  };
  /** Goes where a page leads to and comes back signed in there. */
  const through = async (browser: Browser, visit: Visit, who: Person): Promise<Visit> => {
    expect(visit.url.href).toContain(`${provider.issuer}/auth?`);
    await provider.expect(who);
    return browser.open((await follow(visit.url.href, BACK)).href);
  };
  const register = async () => {
    const payload = {
      client_name: 'An agent',
      redirect_uris: [AGENT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
    const reply = await fixture.app.inject({ method: 'POST', url: '/register', payload });
    return reply.json().client_id as string;
  };
  const authorization = (client_id: string, verifier: string) =>
    `/authorize?${new URLSearchParams({
      client_id,
      redirect_uri: AGENT,
      response_type: 'code',
      scope: 'mcp',
      state: 's',
      resource: RESOURCE,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })}`;
  /** Whether a token lists the tools. */
  const listing = async (token: string) => {
    const reply = await fixture.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
    return reply.statusCode;
  };
  const usage = async (token: string) =>
    (await fixture.app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${token}` } })).statusCode;

  it('an agent comes from a 401 to its tools, in the name of who signed in there', async () => {
    const refused = await fixture.app.inject({ method: 'POST', url: '/mcp', payload: {} });
    expect(refused.headers['www-authenticate']).toContain(`resource_metadata="${ISSUER}/.well-known/`);
    const metadata = (await fixture.app.inject('/.well-known/oauth-authorization-server')).json();
    expect(metadata).toMatchObject({ issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize` });
    const client_id = await register();
    const verifier = randomBytes(32).toString('base64url');
    const browser = new Browser(fixture.app, ISSUER);
    const away = await browser.open(authorization(client_id, verifier));
    expect(Object.fromEntries(away.url.searchParams)).toMatchObject({
      client_id: 'plat-test',
      redirect_uri: BACK,
      response_type: 'code',
      code_challenge_method: 'S256',
      nonce: expect.any(String),
    });
    const consent = await through(browser, away, person('ann'));
    expect(consent.text).toContain('An agent');
    const back = (await browser.send({ allow: 'yes' })).url.searchParams;
    expect([back.get('iss'), back.get('state')]).toEqual([ISSUER, 's']);
    const { json: tokens } = await form('/token', {
      grant_type: 'authorization_code',
      client_id,
      redirect_uri: AGENT,
      code: back.get('code')!,
      code_verifier: verifier,
      resource: RESOURCE,
    });
    expect(await listing(tokens.access_token)).toBe(200);
    expect(await usage(tokens.access_token)).toBe(401);
    const holder = (await fixture.state.identities.holder(provider.issuer, 'ann'))!;
    expect(holder.account.email).toBe('ann@example.org');
    const refresh = (refresh_token: string) =>
      form('/token', { grant_type: 'refresh_token', client_id, refresh_token });
    const next = (await refresh(tokens.refresh_token)).json;
    expect(await listing(next.access_token)).toBe(200);
    // What ends an account's sessions ends what it granted too.
    await fixture.state.identities.endSessions(holder.account.id, Date.now(), 'test');
    expect(await listing(next.access_token)).toBe(401);
    expect((await refresh(next.refresh_token)).json.error).toBe('invalid_grant');
  });

  it('a device is approved behind that sign-in, and its API token is of that account', async () => {
    const start = await fixture.app.inject({ method: 'POST', url: '/v1/mcp/device/start' });
    const { device_code, verification_uri_complete } = start.json();
    const browser = new Browser(fixture.app, ISSUER);
    const page = await through(browser, await browser.open(verification_uri_complete), person('bob'));
    expect(page.text).toContain('bob@example.org');
    await browser.send({ allow: 'yes' });
    const poll = await fixture.app.inject({ method: 'POST', url: '/v1/mcp/device/poll', payload: { device_code } });
    expect(await usage(poll.json().token)).toBe(200);
  });

  it('/sign-in leads there and shows its session; there are no passwords here', async () => {
    const browser = new Browser(fixture.app, ISSUER);
    const shown = await through(browser, await browser.open('/sign-in'), person('cleo'));
    expect(await usage(sessionOn(shown))).toBe(200);
    for (const url of ['/password', '/password/new']) expect((await fixture.app.inject(url)).statusCode, url).toBe(404);
    // A token that only signs in here is no session: sessions are the provider's.
    expect(await usage(await fixture.session())).toBe(401);
  });

  it('whoever is not let in by sessions is not let in here, and the page says why', async () => {
    for (const [who, status, said] of [
      [person('odd', { email_verified: false }), 403, 'not verified'],
      [person('odd', { firebase: { sign_in_provider: 'github.com' } }), 403, 'github.com is not allowed'],
    ] as const) {
      const browser = new Browser(fixture.app, ISSUER);
      const page = await through(browser, await browser.open('/sign-in'), who);
      expect([page.status, page.text.includes(said)], said).toEqual([status, true]);
    }
  });

  it('a way back of another browser, of another sign-in, used twice or without a code signs nobody in', async () => {
    const [one, two] = [new Browser(fixture.app, ISSUER), new Browser(fixture.app, ISSUER)];
    const [first, second] = [await one.open('/sign-in'), await two.open('/sign-in')];
    await provider.expect(person('dan'));
    const back = await follow(first.url.href, BACK);
    expect((await new Browser(fixture.app, ISSUER).open(back.href)).status).toBe(400);
    // The code of one sign-in with the state of another.
    const mixed = new URL(back);
    mixed.searchParams.set('state', second.url.searchParams.get('state')!);
    expect((await two.open(mixed.href)).text).not.toContain('name="session"');
    const denied = await one.open(`${BACK}?state=${first.url.searchParams.get('state')}&error=access_denied`);
    expect(denied.text).not.toContain('name="session"');
    expect((await one.open(back.href)).status).toBe(400);
    // An agent is told that nobody signed in.
    const agent = new Browser(fixture.app, ISSUER);
    const away = await agent.open(authorization(await register(), 'v'.repeat(43)));
    const told = await agent.open(`${BACK}?state=${away.url.searchParams.get('state')}&error=access_denied`);
    expect(told.url.searchParams.get('error')).toBe('access_denied');
  });

  it('one machine asks the provider only so often, and nobody else waits for it', async () => {
    const { most } = LIMITS['federation for a client'];
    const end = async (address: string) => {
      const browser = new Browser(fixture.app, ISSUER, address);
      const away = await browser.open('/sign-in');
      return (await browser.open(`${BACK}?state=${away.url.searchParams.get('state')}&code=x`)).status;
    };
    for (let i = 1; i < most; i++)
      await throttled(fixture.state.attempts, fixture.clock, { 'federation for a client': '192.0.2.1' });
    const statuses = [await end('192.0.2.1'), await end('192.0.2.1'), await end('192.0.2.2')];
    expect(statuses.map(status => status === 429)).toEqual([false, true, false]);
  });

  it('a confidential client shows its secret, and a provider that is gone is a page that says so', async () => {
    await fixture.app.close();
    const named = { PLAT_OIDC_AUDIENCE: 'confidential', PLAT_OIDC_CLIENT_SECRET: 'secret of the client' };
    await open(named);
    const browser = new Browser(fixture.app, ISSUER);
    const shown = await through(browser, await browser.open('/sign-in'), person('eve'));
    expect(await usage(sessionOn(shown))).toBe(200);
    await fixture.app.close();
    await open({ PLAT_OIDC_ISSUER: 'http://127.0.0.1:1' });
    const gone = await fixture.app.inject('/sign-in');
    expect([gone.statusCode, gone.headers['retry-after']]).toEqual([503, '5']);
    expect(await listing(fixture.token)).toBe(200);
  });

  it('a provider without a page to sign in on, as Firebase is, signs nobody in here, and API tokens go on', async () => {
    await fixture.app.close();
    let named = '';
    const pageless = createServer(async (request, response) => {
      const reply = await fetch(provider.issuer + request.url);
      const {
        issuer: _,
        authorization_endpoint: __,
        token_endpoint: ___,
        ...said
      } = (await reply.json()) as Record<string, unknown>;
      response.end(JSON.stringify(said.keys ? said : { ...said, issuer: named }));
    });
    await once(pageless.listen(0, '127.0.0.1'), 'listening');
    named = `http://127.0.0.1:${(pageless.address() as AddressInfo).port}`;
    await open({ PLAT_OIDC_ISSUER: named });
    for (const url of ['/sign-in', authorization(await register(), 'v'.repeat(43))]) {
      const visit = await new Browser(fixture.app, ISSUER).open(url);
      expect([visit.status, visit.text.includes('name="password"')], url).toEqual([503, false]);
    }
    expect(await listing(fixture.token)).toBe(200);
    pageless.closeAllConnections();
    pageless.close();
  });
});
