import type { Command } from '../../../query/engine/command.ts';
import { commandLine } from '../../state/audit.ts';
import { ACCOUNT_OPTION, onAccount } from './named.ts';

/** `plat account disable`. */
export const accountDisableCommand: Command = {
  name: 'account disable',
  example: 'plat account disable --account you@example.org',
  summary: 'Refuse the tokens and sessions of an account on every server, and end its sessions; nothing is lost',
  options: [ACCOUNT_OPTION],
  run: async (_args, { account: email }, terminal) =>
    onAccount('account disable', email, terminal, async (state, id) =>
      (await state.accountRecords.disable(id, Date.now(), commandLine())) ? 'disabled' : 'was disabled before',
    ),
};
