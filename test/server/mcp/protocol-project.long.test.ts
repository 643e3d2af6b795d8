// The tools of the protocol's own project, in .mcp-clients/: the command line of its inspector against /mcp and `plat mcp`, and
// its conformance runner against /mcp.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { connect } from '../../contract/client.ts';
import { PLAT } from '../../plat.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const BIN = fileURLToPath(new URL('../../../.mcp-clients/node_modules/.bin/', import.meta.url));
const there = existsSync(join(BIN, 'mcp-inspector')) && existsSync(join(BIN, 'conformance'));
if (!there) console.warn('skipped: the inspector and the conformance runner are not there; run `make mcp-clients`');

const home = mkdtempSync(join(tmpdir(), 'plat-mcp-clients-'));
const NAMES = TOOLS.map(({ name }) => `service_${name}`).sort();
const AT = { lat: 44.8, lng: -68.7, fields: ['elevation'] };

describe('clients of the protocol’s own project', { tags: ['MCP-clients'] }, () => {
  let fixture: Fixture;
  let base: string;
  beforeAll(async () => {
    fixture = await openFixture();
    ({ base } = await connect(fixture));
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  const run = (program: string, args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
      const env = { ...process.env, HOME: home };
      execFile(process.execPath, [join(BIN, program), ...args], { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
    });

  /** How the inspector reaches the tools. */
  const transports: Readonly<Record<string, () => readonly string[]>> = {
    'streamable HTTP': () => [`${base}/mcp`, '--header', `Authorization: Bearer ${fixture.token}`],
    stdio: () => ['-e', `PLAT_URL=${base}`, '-e', `PLAT_TOKEN=${fixture.token}`, PLAT, 'mcp'],
  };

  it.each(Object.keys(transports))('the inspector lists, calls and reads over %s', async transport => {
    const inspect = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('mcp-inspector', ['--cli', ...transports[transport]!(), ...args]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    // Strict: no schema of a tool is one that other clients could not read.
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools.map(({ name }: { name: string }) => name).sort()).toEqual(NAMES);
    const call = ['--method', 'tools/call', '--tool-name', 'service_fetch', '--tool-arg'];
    const called = await inspect(...call, `req=${JSON.stringify(AT)}`);
    expect(called.structuredContent.fields.elevation.value).toBe(12.5);
    const read = await inspect('--method', 'resources/read', '--uri', 'service://terms');
    expect(read.contents[0].text).toContain('Terms for agents');
  });

  it('the inspector is told to log in where it brings no token, and what is wrong with a call', async () => {
    const stranger = await run('mcp-inspector', ['--cli', `${base}/mcp`, '--method', 'tools/list']);
    expect(stranger.code).toBeGreaterThan(0);
    expect(stranger.stderr + stranger.stdout).toContain('auth_required');
    const call = ['--method', 'tools/call', '--tool-name', 'service_fetch', '--tool-arg', 'req={"fields":["x"]}'];
    const wrong = await run('mcp-inspector', ['--cli', ...transports['streamable HTTP']!(), ...call]);
    expect(wrong.code).toBeGreaterThan(0);
    expect(wrong.stdout + wrong.stderr).toContain('invalid_locator');
  });

  /** The runner brings no token: what it asks is passed on with one. */
  const withToken = async (): Promise<Server> => {
    const { port } = new URL(base);
    const server = createServer((asked, answer) => {
      const headers = { ...asked.headers, authorization: `Bearer ${fixture.token}` };
      const { method, url: path } = asked;
      const passed = ask({ host: '127.0.0.1', port, path, method, headers }, reply => {
        answer.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(answer);
      });
      asked.pipe(passed);
      answer.once('close', () => passed.destroy());
      passed.once('error', () => answer.destroy());
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return server;
  };

  /** Scenarios that ask for no part of the runner's own example server. */
  const PASSED = [
    'dns-rebinding-protection',
    'ping',
    'resources-list',
    'server-initialize',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'tools-list',
  ];
  /** Of capabilities that /mcp does not say it has. */
  const UNDECLARED = /^(?:completion|logging|prompts|resources-(?:un)?subscribe|tools-call-with-logging)/;
  /** Tools and resources of the example server. */
  const EXAMPLE =
    /There is no tool test_|Tool 'json_schema_2020_12_tool' not found|Resource not found: test:\/\/(?:static|template)/;

  it('the conformance runner finds a server that does what it says it can, and refuses the rest in the protocol’s words', async () => {
    const proxy = await withToken();
    const out = join(home, 'conformance');
    const { port } = proxy.address() as AddressInfo;
    const ran = await run('conformance', [
      ...['server', '--url', `http://127.0.0.1:${port}/mcp`, '--suite', 'all', '-o', out],
    ]);
    proxy.closeAllConnections();
    proxy.close();
    const passed: string[] = [];
    for (const folder of existsSync(out) ? readdirSync(out) : []) {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)![1]!;
      const checks = JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')) as {
        status: string;
        errorMessage?: string;
      }[];
      const failures = checks.filter(({ status }) => status === 'FAILURE').map(check => check.errorMessage ?? '');
      if (failures.length === 0) passed.push(scenario);
      for (const failure of failures)
        expect(failure, scenario).toMatch(UNDECLARED.test(scenario) ? /-32601: Method not found/ : EXAMPLE);
    }
    expect(passed.sort(), ran.stderr).toEqual(PASSED);
  });
});
