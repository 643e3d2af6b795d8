import type { Command } from '../../query/engine/command.ts';
import { tokenStatus } from '../state/agents/token-rows.ts';
import { namedAccount, withState } from './open-state.ts';

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).concat('Z');

/** `plat token list`: never the tokens themselves. */
export const tokenListCommand: Command = {
  name: 'token list',
  example: 'plat token list --account you@example.org',
  summary: 'List the API tokens of an account, newest first: id, status, when issued, when they end',
  options: [{ flags: '--account <email>', description: 'E-mail address of the account (required).' }],
  run: (_args, { account: email }, terminal) =>
    withState(async state => {
      const account = await namedAccount(state, 'token list', email);
      const now = Date.now() / 1000;
      const rows = (await state.tokens(account.id)).map(row => ({
        id: row.jti,
        status: tokenStatus(row, now),
        issued_at: iso(row.issuedAt),
        expires_at: iso(row.expiresAt),
        revoked_at: row.revokedAt === null ? null : iso(row.revokedAt),
      }));
      if (terminal.json) terminal.out(JSON.stringify({ account: account.email, plan: account.plan, tokens: rows }));
      else if (rows.length === 0) terminal.err(`${account.email} has no tokens`);
      else
        for (const { id, status, issued_at, expires_at, revoked_at } of rows)
          terminal.out(
            `${id}  ${status.padEnd(7)}  issued ${issued_at}  ends ${expires_at}${revoked_at ? `  revoked ${revoked_at}` : ''}`,
          );
      return 0;
    }),
};
