import type { Command } from '../../../query/engine/command.ts';
import { commandLine } from '../../state/audit.ts';
import { ACCOUNT_OPTION, onAccount } from './named.ts';

/** `plat account enable`. */
export const accountEnableCommand: Command = {
  name: 'account enable',
  example: 'plat account enable --account you@example.org',
  summary: 'Accept the tokens of a disabled account again; its owner signs in anew',
  options: [ACCOUNT_OPTION],
  run: async (_args, { account: email }, terminal) =>
    onAccount('account enable', email, terminal, async (state, id) =>
      (await state.accountRecords.enable(id, Date.now(), commandLine())) ? 'enabled' : 'was not disabled',
    ),
};
