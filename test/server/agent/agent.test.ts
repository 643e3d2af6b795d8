import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Command, Terminal } from '../../../query/engine/command.ts';
import { loginCommand } from '../../../server/agent/commands/login.ts';
import { logoutCommand } from '../../../server/agent/commands/logout.ts';
import { mcpCommand } from '../../../server/agent/commands/mcp.ts';
import { mcpInstallCommand } from '../../../server/agent/commands/mcp-install.ts';
import { logInByDevice } from '../../../server/agent/service-client.ts';
import { userCodeHash } from '../../../server/device/operation.ts';
import { connect, type Client as Http } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const PLAT = fileURLToPath(new URL('../../../plat', import.meta.url));

let fixture: Fixture;
let http: Http;
let home: string;
/** Begun first: it waits five seconds for its turn. */
let device: ReturnType<typeof logInByDevice>;
const shown: { user_code: string; verification_uri_complete: string }[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  http = await connect(fixture);
  device = logInByDevice(http.base, 'plat on a test', async started => {
    shown.push(started);
    // The user, on the page that test/server/device looks at.
    await fixture.state.deviceCodes.decide(
      userCodeHash(started.user_code),
      fixture.account.id,
      true,
      fixture.clock.now(),
    );
  });
  // Looked at last; one that fails before says so then.
  device.catch(() => {});
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-agent-'));
  mkdirSync(join(home, 'bin'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('PLAT_URL', `${http.base}/`);
  // Keyrings of whoever runs the tests are left alone.
  vi.stubEnv('PATH', `${join(home, 'bin')}:${process.env.PATH}`);
  program('secret-tool', 'exit 1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function program(name: string, script: string): void {
  const file = join(home, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

async function run(command: Command, options: Record<string, string | boolean> = {}, json = false) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = { json, interactive: false, out: line => out.push(line), err: line => err.push(line) };
  return { code: await command.run([], options, terminal), out: out.join('\n'), err: err.join('\n') };
}

/** A connect code of a new attempt, and what its owner reads of it. */
async function attempt() {
  const session = await fixture.session();
  const bearer = { authorization: `Bearer ${session}` };
  const { json: terms } = await http.get('/v1/onboarding/terms');
  const body = { terms_version: terms.version, terms_sha256: terms.sha256 };
  const { json } = await http.post('/v1/users/me/onboarding', body, bearer);
  const read = async () =>
    (await fixture.app.inject({ url: `/v1/users/me/onboarding/${json.attempt_id}`, headers: bearer })).json();
  return { code: json.connect_code as string, read };
}

it('sets an agent up from a connect code to a proven first call, over stdio of both generations', async () => {
  const { code, read } = await attempt();
  const logins = join(home, '.config', 'plat', 'logins.json');
  expect(await run(loginCommand, { connectCode: code })).toMatchObject({
    code: 0,
    out: expect.stringContaining(logins),
  });
  expect(statSync(logins).mode & 0o777).toBe(0o600);
  await expect(run(loginCommand, { connectCode: code })).rejects.toThrow('exchanged already');

  const cursor = join(home, '.cursor', 'mcp.json');
  const printed = await run(mcpInstallCommand);
  for (const text of [cursor, '"mcpServers"', '[mcp_servers.plat]', 'Nothing was written'])
    expect(printed.out).toContain(text);
  mkdirSync(join(home, '.cursor'));
  const before = { other: 1, mcpServers: { mine: { command: 'x' } } };
  writeFileSync(cursor, JSON.stringify(before), { mode: 0o640 });
  const agent = 'cursor,codex';
  expect((await run(mcpInstallCommand, { agent, write: true, skill: true })).code).toBe(0);
  const written = JSON.parse(readFileSync(cursor, 'utf8'));
  expect(written).toMatchObject(before);
  expect(written.mcpServers.plat).toEqual({ command: expect.any(String), args: ['mcp', '--url', http.base] });
  expect(statSync(cursor).mode & 0o777).toBe(0o640);
  expect(readFileSync(join(home, '.codex', 'skills', 'plat', 'SKILL.md'), 'utf8')).toMatch(/^---\nname: plat/);
  expect((await run(mcpInstallCommand, { agent, write: true, skill: true })).out).toContain('nothing to change');

  const server = {
    command: PLAT,
    args: ['mcp'],
    env: { ...process.env, PLAT_URL: http.base } as Record<string, string>,
  };
  const params = { name: 'service_fetch', arguments: { req: { lat: 44.8, lng: -68.7, fields: ['elevation'] } } };
  const first = new FirstClient({ name: 'test', version: '1' });
  const second = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  // As in CI: not logged in, with a token in the environment.
  const env = { ...server.env, HOME: join(home, 'nobody'), PLAT_TOKEN: fixture.token };
  const unattended = new StdioClientTransport({ ...server, env });
  const attended: Transport = new FirstTransport(server);
  const received: object[] = [];
  // Heard from the pipe: the SDK drops progress that it reads together with the result.
  attended.onmessage = message => received.push(message);
  await Promise.all([first.connect(attended), second.connect(unattended)]);
  const { tools } = await first.listTools();
  expect((await second.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  for (const called of [await first.callTool(params), await second.callTool(params)])
    expect(called.structuredContent).toMatchObject({ fields: { elevation: { value: 12.5 } } });
  const locations = [1, 2, 3].map(i => ({ lat: 44 + i / 10, lng: -68 }));
  const batch = { name: 'service_fetch_batch', arguments: { req: { locations, fields: ['elevation'] } } };
  await first.callTool(batch, undefined, { onprogress: () => {} });
  const told = received.filter(message => 'method' in message && message.method === 'notifications/progress');
  expect(told[0]).toMatchObject({ params: { progress: 1, total: 3 } });
  expect((await second.listResources()).resources.map(({ uri }) => uri)).toContain('service://catalog');
  await Promise.all([first.close(), second.close()]);

  expect(await read()).toMatchObject({
    status: 'complete',
    clients: ['codex', 'cursor'],
    skill_installed: true,
    first_call: { fields: ['elevation'] },
  });
  const { token } = JSON.parse(readFileSync(logins, 'utf8'))[http.base];
  expect((await run(logoutCommand)).out).toBe(`Logged out of ${http.base}`);
  expect(readFileSync(logins, 'utf8')).not.toContain(token);
  const usage = { url: '/v1/users/me/usage', headers: { authorization: `Bearer ${token}` } };
  expect((await fixture.app.inject(usage)).statusCode).toBe(401);
  expect((await run(logoutCommand)).out).toContain('not logged in');
});

it('keeps a login in the keyring of the desktop where there is one, and shows it to no process list', async () => {
  program(
    'secret-tool',
    `file="${home}/keyring"; echo "$@" >> "${home}/arguments"
case "$1" in store) cat > "$file";; lookup) cat "$file";; clear) rm -f "$file";; esac`,
  );
  const { code } = await attempt();
  const { out } = await run(loginCommand, { connectCode: code }, true);
  expect(JSON.parse(out).kept_in).toBe('the keyring of the desktop');
  const { token } = JSON.parse(readFileSync(join(home, 'keyring'), 'utf8'));
  expect(readFileSync(join(home, 'arguments'), 'utf8')).not.toContain(token);
  expect(() => statSync(join(home, '.config'))).toThrow();
  expect((await run(logoutCommand, {}, true)).out).toContain('"revoked":true');
});

it('says what is missing', async () => {
  expect(await run(mcpCommand)).toMatchObject({ code: 1, err: expect.stringContaining('plat login') });
  vi.stubEnv('PLAT_TOKEN', 'a.b.c');
  await expect(run(mcpCommand)).rejects.toThrow(/refuses the token/);
  vi.stubEnv('PLAT_URL', 'http://127.0.0.1:1');
  await expect(run(loginCommand)).rejects.toThrow('http://127.0.0.1:1 does not answer');
});

it('leaves files of agents alone that it cannot read, and writes none unasked', async () => {
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  for (const text of ['{ // comment\n}', '[]', '{"mcpServers": 1}']) {
    writeFileSync(file, text);
    await expect(run(mcpInstallCommand, { agent: 'cursor', write: true })).rejects.toThrow('by hand');
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  await expect(run(mcpInstallCommand, { write: true })).rejects.toThrow('--write needs --agent');
  await expect(run(mcpInstallCommand, { agent: 'emacs' })).rejects.toThrow('there is no agent emacs');
  const toml = join(home, '.codex', 'config.toml');
  mkdirSync(join(home, '.codex'));
  writeFileSync(toml, 'model = "x"\n\n[mcp_servers.plat]\nurl = "old"\n\n[mcp_servers.other]\nurl = "kept"\n');
  await run(mcpInstallCommand, { agent: 'codex', write: true, remote: true });
  expect(readFileSync(toml, 'utf8')).toBe(
    `model = "x"\n\n[mcp_servers.plat]\nurl = "${http.base}/mcp"\n\n[mcp_servers.other]\nurl = "kept"\n`,
  );
});

it('logs in by device flow', async () => {
  const { token, attemptId } = await device;
  expect([attemptId, shown.length]).toEqual([null, 1]);
  const usage = { url: '/v1/users/me/usage', headers: { authorization: `Bearer ${token}` } };
  expect((await fixture.app.inject(usage)).statusCode).toBe(200);
});
