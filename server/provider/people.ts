import type { Account } from '../state/account.ts';
import { EMBEDDED } from '../state/sign-in/identities.ts';
import type { StateStore } from '../state/store.ts';
import { claimsOf } from './id-token.ts';

/** The people who sign in on the pages of the embedded provider, by the id in its sessions and tokens. */
export interface People {
  /** Claims of an ID token beside the registered ones; null when there is no such person. */
  claims(id: string): Promise<{ readonly email: string; readonly email_verified: boolean } | null>;
  /** The account of a person; null when there is none or it is disabled. */
  account(id: string): Promise<Account | null>;
}

/** People who have an e-mail address and a password here. */
export const ownPeople = (state: StateStore): People => ({
  async claims(id) {
    const user = await state.users.byId(id);
    return user && claimsOf(user);
  },
  async account(id) {
    const user = await state.users.byId(id);
    if (!user || user.verifiedAt === null) return null;
    const holder =
      (await state.identities.holder(EMBEDDED, id)) ??
      (await state.identities.signIn({ issuer: EMBEDDED, subject: id, email: user.email }));
    return holder.disabled ? null : holder.account;
  },
});

/** People of an external provider, by the id of their account. @param issuer under which accounts are stored. */
export function peopleOf(state: StateStore, issuer: string): People {
  const account = async (id: string) => {
    const holder = await state.identities.ofAccount(issuer, id);
    return holder && !holder.disabled ? holder.account : null;
  };
  return {
    account,
    async claims(id) {
      const found = await account(id);
      return found && { email: found.email, email_verified: true };
    },
  };
}
