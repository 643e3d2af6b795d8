// OWASP API5:2023, broken function level authorization: every operation of the OpenAPI document by every kind of credential.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../server/errors/registry.ts';
import { openState } from '../../server/state/open.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { type Credential, credentials } from './credentials.ts';
import { ROUTES } from './routes.ts';
import { call, isGood, missingEntry, openWorld, type World } from './world.ts';

describeDoors('who may call what', kind => {
  let world: World;
  let kinds: Credential[];
  beforeAll(async () => {
    const { home, url } = await kind.place();
    world = await openWorld({ state: await openState(home, url) });
    kinds = await credentials(world);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('every operation has an entry that says who may call it, and no entry is of none', () => {
    const names = world.operations.map(({ name }) => name);
    expect(names.filter(name => !Object.hasOwn(ROUTES, name)).map(missingEntry)).toEqual([]);
    expect(Object.keys(ROUTES).filter(name => !names.includes(name))).toEqual([]);
  });

  it('the document says of every operation who may call it', () => {
    const said = { anybody: [], accounts: [{ bearer: [] }, { session: [] }], sessions: [{ session: [] }] };
    for (const { name, described, entry } of world.operations)
      expect(described.security, name).toEqual(said[entry.callers]);
  });

  it('every credential is let in or refused as the table says, before anything of the body is judged', async () => {
    for (const operation of world.operations)
      for (const { name, headers, answers } of kinds) {
        const { callers, refuses } = operation.entry;
        const code = refuses?.[name] ?? answers[callers];
        const where = `${operation.name} with ${name}`;
        if (code === null) {
          const { status, text } = await call(world, operation, headers);
          expect(
            isGood(operation, status) || (status < 500 && status !== 401 && status !== 403),
            `${where}: ${status} ${text}`,
          ).toBe(true);
          continue;
        }
        const { status, json } = await call(world, operation, headers, { body: '{ not JSON' });
        expect([status, json.detail?.error], where).toEqual([ERRORS[code as ErrorCode].status, code]);
      }
  });

  it('what is refused everywhere else opens the tools of /mcp, so that it is a good one of its kind', async () => {
    const listing = (headers: Readonly<Record<string, string>>) =>
      world.fixture.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      });
    const open = new Set(['an API token', 'a session', 'an OAuth token for /mcp']);
    for (const { name, headers } of kinds) {
      const { statusCode } = await listing(headers);
      if (open.has(name)) expect(statusCode, name).toBe(200);
      else expect([401, 403], name).toContain(statusCode);
    }
  });

  it('what no operation is stays closed: other methods, and paths that such services often have', async () => {
    const { app } = world.fixture;
    for (const url of [
      '/admin',
      '/v1/admin',
      '/v1/users',
      '/v1/users/1',
      '/v1/accounts',
      '/metrics',
      '/debug',
      '/.env',
    ])
      for (const method of ['GET', 'POST'] as const) {
        const reply = await app.inject({
          method,
          url,
          headers: kinds.find(({ name }) => name === 'a session')!.headers,
        });
        expect(reply.statusCode, `${method} ${url}`).toBe(404);
      }
    for (const { path } of world.operations)
      for (const method of ['PUT', 'OPTIONS', 'TRACE'] as const) {
        if (world.operations.some(one => one.path === path && one.method === method)) continue;
        const reply = await app.inject({ method: method as 'PUT', url: path.replace(/\{\w+\}/g, 'x') });
        expect([404, 405], `${method} ${path}`).toContain(reply.statusCode);
      }
  });
});
