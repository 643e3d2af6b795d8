import type { Command } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';
import { shownAccount } from './named.ts';

/** `plat account list`. */
export const accountListCommand: Command = {
  name: 'account list',
  example: 'plat account list',
  summary: 'List accounts by e-mail address: plan, status, since when, who vouches for their owners',
  options: [],
  run: (_args, _options, terminal) =>
    withState(async state => {
      const rows = (await state.accountRecords.list()).map(shownAccount);
      if (terminal.json) terminal.out(JSON.stringify(rows));
      else
        for (const { account, plan, status, created_at, issuer } of rows)
          terminal.out([account, plan, status, created_at, issuer ?? 'no sign-in yet'].join('  '));
      return 0;
    }),
};
