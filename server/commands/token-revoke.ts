import { type Command, UsageError } from '../../query/engine/command.ts';
import { commandLine } from '../state/audit.ts';
import type { StateStore } from '../state/store.ts';
import { namedAccount, withState } from './open-state.ts';

/** The id of a token that was given as its id or as its text. Who has the text may end it: no signature is asked for. */
async function idOf(given: string): Promise<string> {
  if (!given.includes('.')) return given;
  const { createDecoder } = await import('fast-jwt');
  try {
    const { jti } = createDecoder()(given) as { readonly jti?: unknown };
    if (typeof jti === 'string') return jti;
  } catch {
    // Said below.
  }
  throw new UsageError('token revoke: expected the id of a token (`plat token list`) or the token itself');
}

/** Ids to revoke: the one that was named, or all of an account that are active. */
async function idsToRevoke(state: StateStore, given: string | undefined, email: unknown): Promise<string[]> {
  if ((given === undefined) === (email === undefined))
    throw new UsageError('token revoke: expected either a token (its id or itself) or --account for all of an account');
  if (given === undefined) {
    const account = await namedAccount(state, 'token revoke', email);
    return (await state.tokens(account.id)).filter(row => row.revokedAt === null).map(row => row.jti);
  }
  const id = await idOf(given);
  if (!(await state.token(id))) throw new Error(`No token ${id} in this state store`);
  return [id];
}

/** `plat token revoke`. */
export const tokenRevokeCommand: Command = {
  name: 'token revoke',
  example: 'plat token revoke --account you@example.org',
  summary: 'Revoke an API token, or all of an account; running servers refuse it from then on',
  args: ['[token]'],
  options: [{ flags: '--account <email>', description: 'Revoke every token of this account instead.' }],
  run: ([given], { account: email }, terminal) =>
    withState(async state => {
      const at = Math.floor(Date.now() / 1000);
      const by = commandLine();
      const revoked: string[] = [];
      for (const id of await idsToRevoke(state, given, email))
        if (await state.revokeToken(id, at, by)) revoked.push(id);
      if (terminal.json) terminal.out(JSON.stringify({ revoked }));
      else if (revoked.length === 0) terminal.err('Nothing to revoke: it was revoked before');
      else for (const id of revoked) terminal.out(`${id} revoked`);
      return 0;
    }),
};
