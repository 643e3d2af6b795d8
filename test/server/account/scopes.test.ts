import type { FastifyContextConfig } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endpointOf, ROUTE_SCOPES } from '../../../server/auth/route-scopes.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import type { Metrics } from '../../../server/metrics/metrics.ts';
import { OPERATIONS } from '../../../server/operations/registry.ts';
import type { Scope } from '../../../server/scopes.ts';
import { FakeClock } from '../fake-clock.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { letIn } from './agent.ts';

const ANN = { email: 'someone@example.org', password: 'correct horse battery' };
const PLACE = { lat: 44.8, lng: -68.77 };
const DAY_MS = 24 * 60 * 60 * 1000;

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override time = Date.now();
}

describeStores('what a token may do', kind => {
  const opened: Fixture[] = [];
  const routes = new Map<string, FastifyContextConfig>();
  let one: Fixture;
  let two: Fixture;
  beforeEach(async () => {
    const place = await kind.place();
    const clock = new MachineClock();
    // What follows requests sees the application before its routes.
    const metrics = {
      follow: (app: Fixture['app']) =>
        app.addHook('onRoute', ({ method, url, config = {} }) => {
          for (const name of [method].flat()) if (name !== 'HEAD') routes.set(endpointOf(name, url), config);
        }),
    } as unknown as Metrics;
    const terms = { clock, plan: 'scale', metrics } as const;
    for (let i = 0; i < 2; i++) opened.push(await openFixture({ ...terms, state: await kind.open(place) }));
    [one, two] = opened as [Fixture, Fixture];
  });
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });

  const tokenOf = async (scopes: readonly Scope[], creditsADay: number | null = null) =>
    (await one.tokens.create(one.account, { name: null, days: 1, limits: { scopes, creditsADay } })).token;
  const send = async ({ app }: Fixture, token: string, endpoint: string, payload?: object) => {
    const [method, url] = endpoint.split(' ') as ['GET', string];
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
    const reply = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    const body = /^data: (.+)$/m.exec(reply.body)?.[1] ?? reply.body;
    const json = body.startsWith('{') ? JSON.parse(body) : null;
    return { status: reply.statusCode, headers: reply.headers, detail: json?.detail, json };
  };

  it('is said for every endpoint that takes tokens, and each refuses those that lack a scope', async () => {
    const bearers = Object.fromEntries(
      await Promise.all((['read', 'spend', 'write'] as const).map(async scope => [scope, await tokenOf([scope])])),
    ) as Record<Scope, string>;
    const all = await tokenOf(['read', 'spend', 'write']);
    // Every route that takes tokens is in the table, and nothing else is.
    const open = [...routes].filter(([, { protected: isProtected, sessionOnly }]) => isProtected && !sessionOnly);
    const scopes = { ...ROUTE_SCOPES, ...Object.fromEntries(OPERATIONS.map(each => [each.route, each.scopes])) };
    expect(Object.keys(scopes).sort()).toEqual(open.map(([name]) => name).sort());
    for (const [endpoint, required] of Object.entries(scopes)) {
      if (endpoint.endsWith(' /mcp')) continue;
      const path = endpoint.replace(/\{fmt\}/, 'csv').replace(/\{\w+\}/, '0');
      for (const [scope, token] of Object.entries(bearers)) {
        const { status, detail } = await send(one, token, path, path.startsWith('GET') ? undefined : {});
        const isShort = required.some(needed => needed !== scope);
        expect([endpoint, scope, detail?.error === 'scope_insufficient']).toEqual([endpoint, scope, isShort]);
        if (isShort) expect([status, detail.required]).toEqual([403, required]);
      }
      expect((await send(one, all, path, path.startsWith('GET') ? undefined : {})).detail?.error).not.toBe(
        'scope_insufficient',
      );
    }
    for (const { forms } of TOOLS)
      for (const { route } of forms) if (route !== null) expect(Object.keys(scopes)).toContain(route);
  });

  it('ends itself whatever it may do', async () => {
    const { row, token } = await one.tokens.create(one.account, {
      name: null,
      days: 1,
      limits: { scopes: ['read'], creditsADay: 0 },
    });
    expect((await send(two, token, `DELETE /v1/users/me/tokens/${row.jti}`)).status).toBe(204);
  });

  it('is spent to its budget on all servers together, until midnight UTC', async () => {
    one.clock.time = Math.floor(one.clock.time / DAY_MS) * DAY_MS + 1_000;
    const token = await tokenOf(['read', 'spend'], 5);
    const fetchOf = (fixture: Fixture, fields: string[]) =>
      send(fixture, token, 'POST /v1/fetch', { ...PLACE, fields });
    // What is absent costs as much; what fails costs nothing and is put back.
    one.engine.answers.set('slope_degrees', { status: 'failed', value: null, error: 'x', retryable: true });
    for (const fixture of [one, two]) expect((await fetchOf(fixture, ['elevation', 'flood_note'])).status).toBe(200);
    expect((await fetchOf(one, ['slope_degrees'])).json.partial_failures).toHaveLength(1);
    const refused = await fetchOf(two, ['elevation', 'flood_note']);
    expect([refused.status, refused.detail]).toMatchObject([
      402,
      { error: 'token_budget_exhausted', credits_a_day: 5, credits_remaining: 1, credits_required: 2 },
    ]);
    expect(new Date(refused.headers['retry-after']!).getTime() % DAY_MS).toBe(0);
    expect((await fetchOf(two, ['elevation'])).status).toBe(200);
    expect((await send(one, one.token, 'POST /v1/fetch', { ...PLACE, fields: ['elevation'] })).status).toBe(200);
    one.clock.time += DAY_MS;
    expect((await fetchOf(one, ['elevation', 'flood_note'])).status).toBe(200);
  });

  it('is read and spend for an agent, which is told how to ask for more and then has it', async () => {
    const user = await one.state.users.open(ANN.email, null);
    await one.state.users.setPassword(user.id, quickHash(ANN.password));
    await one.state.users.verify(user.id, one.clock.now());
    const call = (token: string, name: string, req: object) =>
      send(one, token, 'POST /mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: `service_${name}`, arguments: { req } },
      });
    const run = { kind: 'fetch_batch', request: { locations: [PLACE], fields: ['elevation'] } };
    const agent = await letIn(one, ANN, 'A helper');
    expect((await call(agent.access_token, 'runs', { run_id: 'run_0' })).status).toBe(200);
    const refused = await call(agent.access_token, 'runs', run);
    expect([refused.status, refused.detail.error]).toEqual([403, 'scope_insufficient']);
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope", .*scope="mcp write"$/);
    // Who lacks credits alone is not asked to let anybody write.
    const geocode = await call(await tokenOf(['read']), 'geocode', { address: '1 Main St' });
    expect([geocode.status, geocode.headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="mcp"$/),
    ]);
    const more = await letIn(one, ANN, 'A writer', undefined, { scope: 'mcp write' });
    expect((await call(more.access_token, 'runs', run)).json.result.structuredContent.status).toBe('queued');
    const { json } = await send(one, await one.session(), 'GET /v1/users/me/grants');
    const scopes = Object.fromEntries(
      json.grants.map((grant: { name: string; scopes: string[] }) => [grant.name, grant.scopes]),
    );
    expect(scopes).toMatchObject({ 'A helper': ['read', 'spend'], 'A writer': ['read', 'spend', 'write'] });
  });
});
