import type { Command } from '../../../query/engine/command.ts';
import { commandLine } from '../../state/audit.ts';
import { ACCOUNT_OPTION, onAccount } from './named.ts';

/** `plat account delete`. */
export const accountDeleteCommand: Command = {
  name: 'account delete',
  example: 'plat account delete --account you@example.org',
  summary: 'Delete an account for good with all that is personal; sums of credits stay under a number',
  options: [ACCOUNT_OPTION],
  run: async (_args, { account: email }, terminal) =>
    onAccount('account delete', email, terminal, async (state, id) => {
      await state.accountRecords.remove(id, Date.now(), commandLine());
      return `deleted; its sums stay under ${id}`;
    }),
};
