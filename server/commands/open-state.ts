import { UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import type { Account } from '../state/account.ts';
import type { StateStore } from '../state/store.ts';

/** Does work on the state store that the settings name, and closes it. */
export async function withState<T>(work: (state: StateStore) => Promise<T>): Promise<T> {
  const { home, stateUrl } = readSettings(process.env);
  const { openState } = await import('../state/open.ts');
  const state = await openState(home, stateUrl);
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/**
 * The account that a flag names.
 * @param email value of `--account`.
 * @throws UsageError when it was not given; Error when there is no such account.
 */
export async function namedAccount(state: StateStore, command: string, email: unknown): Promise<Account> {
  if (typeof email !== 'string' || email === '')
    throw new UsageError(`${command}: expected --account with an e-mail address`);
  const account = await state.account(email);
  if (!account) throw new Error(`No account ${email}; \`plat token create --account ${email}\` makes one`);
  return account;
}
