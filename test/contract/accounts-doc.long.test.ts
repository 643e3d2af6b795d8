import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { secret } from '../security/logged.ts';
import { type ProviderProcess, person, startProvider } from '../server/auth/provider-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(root, 'docs/accounts.md'), 'utf8');

/** The commands of a section, one after another. */
function commandsOf(title: string): string {
  const section = text.split(/^## /m).find(part => part.startsWith(`${title}\n`));
  if (!section) throw new Error(`docs/accounts.md has no section ${title}`);
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(match => match[1]).join('\n');
}

let home: string;
let provider: ProviderProcess;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-accounts-'));
  provider = await startProvider();
});
afterAll(async () => {
  await provider.stop();
  rmSync(home, { recursive: true });
});

/** Runs commands in one shell from a checkout, each of which must succeed, and stops what they left running. */
async function run(script: string, env: Record<string, string> = {}) {
  const port = String(await freePort());
  const child = spawn(
    'bash',
    [
      '-c',
      `set -euo pipefail\ntrap 'kill $(jobs -p)' EXIT\n${script.replaceAll('8080', port)}\necho "session $SESSION"`,
    ],
    {
      cwd: root,
      env: { ...process.env, PLAT_HOME: home, PLAT_WORKERS: '1', PLAT_LOG: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  const code = await new Promise(resolve => child.once('close', resolve));
  for (const [token] of stdout.matchAll(/eyJ[\w.-]+/g)) secret(token);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return { stdout, stderr };
}

const TOKENS = commandsOf('Tokens, a limit, usage');

it('leads from nothing to somebody who is signed in with the embedded provider, and to what operators do', async () => {
  const embedded = commandsOf('With the embedded provider');
  const { stdout, stderr } = await run(`${embedded}\n${TOKENS}\n${commandsOf('What operators do')}`);
  expect(stderr).toContain('mail is not sent but written to files');
  // The first line with usage is of the session that a password opened, on the plan that an operator gave.
  expect(stdout).toContain('"plan":"growth","period"');
  expect(stdout).toContain('{"settings":{"monthly_credit_limit":5000}}');
  expect(stdout).toContain('"name":"laptop"');
  expect(stdout).toContain('"self_imposed_limit":5000');
  for (const said of ['on plan scale', 'sessions ended', ': disabled', ': enabled', 'revoked', ': deleted'])
    expect(stdout, said).toContain(said);
  expect(stdout).toMatch(/^session eyJ/m);
}, 300_000);

it('and with another provider', async () => {
  const script = `${commandsOf('With another provider')}\n${TOKENS}`
    .replace('https://login.example.org', provider.issuer)
    .replace('client-id-of-plat', 'plat-test');
  const { stdout } = await run(script, { ID_TOKEN: await provider.signIn(person('ann')) });
  expect(stdout).toContain('"plan":"free","period"');
  expect(stdout).toContain('"name":"laptop"');
  expect(stdout).toContain('"self_imposed_limit":5000');
}, 300_000);
