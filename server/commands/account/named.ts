import type { Terminal } from '../../../query/engine/command.ts';
import type { AccountRow } from '../../state/sign-in/account-records.ts';
import type { StateStore } from '../../state/store.ts';
import { requireEmail } from '../email.ts';
import { namedAccount, withState } from '../open-state.ts';

/** The flag that names an account. */
export const ACCOUNT_OPTION = {
  flags: '--account <email>',
  description: 'E-mail address of the account (required).',
} as const;

const iso = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());

/** An account as commands print it with --json. */
export const shownAccount = (row: AccountRow) => ({
  account: row.email,
  id: row.id,
  plan: row.plan,
  status: row.disabledAt === null ? 'active' : 'disabled',
  created_at: iso(row.createdAt),
  disabled_at: iso(row.disabledAt),
  monthly_credit_limit: row.monthlyCreditLimit,
  issuer: row.issuer,
  subject: row.subject,
});

/** Does work on the account that `--account` names, and prints how it stands after it. */
export function onAccount(
  command: string,
  email: unknown,
  terminal: Terminal,
  work: (state: StateStore, accountId: string) => Promise<string>,
): Promise<number> {
  requireEmail(command, email);
  return withState(async state => {
    const { id } = await namedAccount(state, command, email);
    const said = await work(state, id);
    const row = (await state.accountRecords.list()).find(account => account.id === id);
    if (terminal.json)
      terminal.out(JSON.stringify(row ? shownAccount(row) : { account: email, id, status: 'deleted' }));
    else terminal.out(`${email}: ${said}`);
    return 0;
  });
}
