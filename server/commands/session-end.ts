import type { Command } from '../../query/engine/command.ts';
import { commandLine } from '../state/audit.ts';
import { ACCOUNT_OPTION, onAccount } from './account/named.ts';

/** `plat session end`. */
export const sessionEndCommand: Command = {
  name: 'session end',
  example: 'plat session end --account you@example.org',
  summary: 'End all sessions of an account on every server (auth_revoked); its API tokens stay',
  options: [ACCOUNT_OPTION],
  run: async (_args, { account: email }, terminal) =>
    onAccount('session end', email, terminal, async (state, id) => {
      await state.identities.endSessions(id, Date.now(), 'operator', commandLine());
      return 'sessions ended';
    }),
};
