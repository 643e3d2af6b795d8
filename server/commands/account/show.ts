import type { Command } from '../../../query/engine/command.ts';
import { tokenStatus } from '../../state/agents/token-rows.ts';
import { periodOf } from '../../state/usage/period.ts';
import { namedAccount, withState } from '../open-state.ts';
import { ACCOUNT_OPTION, shownAccount } from './named.ts';

/** `plat account show`. */
export const accountShowCommand: Command = {
  name: 'account show',
  example: 'plat account show --account you@example.org',
  summary: 'Show an account: plan, status, sign-in, active tokens, credits of this month',
  options: [ACCOUNT_OPTION],
  run: (_args, { account: email }, terminal) =>
    withState(async state => {
      const { id } = await namedAccount(state, 'account show', email);
      const now = Date.now();
      const row = (await state.accountRecords.list()).find(account => account.id === id)!;
      const tokens = (await state.tokens(id)).filter(token => tokenStatus(token, now / 1000) === 'active');
      const { spent, held } = await state.ledger.usage(id, periodOf(now), now);
      const shown = { ...shownAccount(row), active_tokens: tokens.length, credits_used: spent + held };
      if (terminal.json) terminal.out(JSON.stringify(shown));
      else for (const [name, value] of Object.entries(shown)) terminal.out(`${name}: ${value ?? '-'}`);
      return 0;
    }),
};
