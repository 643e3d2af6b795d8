import type { Account } from '../state/account.ts';
import { EMBEDDED } from '../state/sign-in/identities.ts';
import type { StateStore } from '../state/store.ts';
import { claimsOf } from './id-token.ts';

/** Who signs in on the pages of the embedded provider, by the id that its sessions and tokens name them with. */
export interface People {
  /** Claims of an ID token beside the registered ones; null when there is nobody of that id. */
  claims(id: string): Promise<{ readonly email: string; readonly email_verified: boolean } | null>;
  /** The account of somebody; null when there is none or it is disabled. */
  account(id: string): Promise<Account | null>;
}

/** People with an e-mail address and a password here. */
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

/** People of an external provider, by the id of their account. @param issuer as accounts are filed. */
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
