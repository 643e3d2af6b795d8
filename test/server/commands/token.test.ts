import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Terminal } from '../../../query/engine/command.ts';
import { keptSecret } from '../../../server/auth/secret.ts';
import { createTokenService } from '../../../server/auth/token.ts';
import { commands } from '../../../server/commands.ts';
import { openState } from '../../../server/state/open.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-token-'));
  vi.stubEnv('PLAT_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

async function run(words: string, options: Record<string, string> = {}, json = false) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = { json, interactive: false, out: line => out.push(line), err: line => err.push(line) };
  const command = commands.find(({ name }) => words === name || words.startsWith(`${name} `))!;
  const args = words.slice(command.name.length).split(' ').filter(Boolean);
  const code = await command.run(args, options, terminal);
  return { code, out, err, document: json ? JSON.parse(out.join('')) : null };
}

const A = { account: 'a@example.org' };

it('tokens are listed by id and revoked by id or by themselves, and a running server refuses them', async () => {
  const texts = [];
  for (let i = 0; i < 3; i++) texts.push((await run('token create', A)).out[0]!);
  const state = await openState(home, '');
  const tokens = createTokenService(keptSecret(home, 'token'), state, Date);
  for (const text of texts) expect((await tokens.verify(text)).account.email).toBe(A.account);

  const { document } = await run('token list', A, true);
  expect(document).toMatchObject({ account: A.account, plan: 'free' });
  expect(document.tokens.map((row: { status: string }) => row.status)).toEqual(['active', 'active', 'active']);
  const listed = await run('token list', A);
  expect(listed.out).toHaveLength(3);
  for (const text of texts) expect(listed.out.join()).not.toContain(text);

  const { jti } = JSON.parse(Buffer.from(texts[0]!.split('.')[1]!, 'base64url').toString());
  expect((await run(`token revoke ${jti}`)).out).toEqual([`${jti} revoked`]);
  expect((await run(`token revoke ${texts[1]}`, {}, true)).document.revoked).toHaveLength(1);
  await new Promise(resolve => setTimeout(resolve, 10));
  for (const text of texts.slice(0, 2))
    await expect(tokens.verify(text)).rejects.toMatchObject({ code: 'auth_invalid' });
  expect((await tokens.verify(texts[2]!)).account.email).toBe(A.account);
  expect((await run(`token revoke ${jti}`)).err).toEqual(['Nothing to revoke: it was revoked before']);
  expect((await run('token revoke', A, true)).document.revoked).toHaveLength(1);
  const after = (await run('token list', A, true)).document.tokens as { status: string; revoked_at: string }[];
  expect(after.map(row => row.status)).toEqual(['revoked', 'revoked', 'revoked']);
  await state.close();

  const trail = (await run('audit', {}, true)).document as { action: string; actor: string; account: string }[];
  expect(trail.map(row => row.action).sort()).toEqual(
    ['account_opened', ...Array(3).fill('token_issued'), ...Array(3).fill('token_revoked')].sort(),
  );
  for (const row of trail) {
    expect(row.account).toBe(A.account);
    expect(row.actor).toContain(userInfo().username);
  }
  expect((await run('audit', { action: 'token_revoked', limit: '2' })).out).toHaveLength(2);
  expect((await run('audit', { since: '2999-01-01' })).out).toEqual([]);
});

it.each([
  ['token list', {}, /expected --account/],
  ['token list', { account: 'nobody@example.org' }, /No account nobody@example\.org/],
  ['token revoke', {}, /expected either a token/],
  ['token revoke x', A, /expected either a token/],
  ['token revoke a.b.c', {}, /expected the id of a token/],
  ['token revoke 4711', {}, /No token 4711/],
  ['audit', { limit: '0' }, /expected --limit/],
  ['audit', { since: 'soon' }, /expected --since/],
  ['audit', { action: 'toString' }, /expected --action/],
])('%s %j is refused and says what is expected', async (words, options, message) => {
  await expect((async () => run(words, options))()).rejects.toThrow(message);
});
