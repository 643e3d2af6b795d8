import { type Command, UsageError } from '../../../query/engine/command.ts';
import { PLAN_NAMES, type Plan } from '../../plans.ts';
import { commandLine } from '../../state/audit.ts';
import { requireEmail } from '../email.ts';
import { withState } from '../open-state.ts';
import { ACCOUNT_OPTION, shownAccount } from './named.ts';

/** `plat account create`: for somebody who will sign in with this address, or for tokens. */
export const accountCreateCommand: Command = {
  name: 'account create',
  example: 'plat account create --account you@example.org --plan build',
  summary: 'Make an account; the first sign-in with its verified e-mail address takes it over',
  options: [
    ACCOUNT_OPTION,
    { flags: '--plan <plan>', description: `Plan: ${PLAN_NAMES.join(', ')}.`, fallback: 'free' },
  ],
  run: async (_args, { account: given, plan = 'free' }, terminal) => {
    const email = requireEmail('account create', given);
    if (!PLAN_NAMES.includes(plan as Plan))
      throw new UsageError(`account create: expected --plan to be one of ${PLAN_NAMES.join(', ')}, got ${plan}`);
    return withState(async state => {
      if (await state.account(email)) throw new Error(`There is an account ${email} already; it stays as it is`);
      const { id } = await state.openAccount(email, plan as Plan, commandLine());
      const row = (await state.accountRecords.list()).find(account => account.id === id)!;
      terminal.out(terminal.json ? JSON.stringify(shownAccount(row)) : `${row.email}: made on plan ${row.plan}`);
      return 0;
    });
  },
};
