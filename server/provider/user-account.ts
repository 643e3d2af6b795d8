import { EMBEDDED, type Holder } from '../state/sign-in/identities.ts';
import type { StateStore } from '../state/store.ts';

/** The account of somebody who is signed in at the embedded provider; null when there is none or it is disabled. */
export async function accountOfUser(state: StateStore, userId: string): Promise<Holder['account'] | null> {
  const user = await state.users.byId(userId);
  if (!user || user.verifiedAt === null) return null;
  const holder =
    (await state.identities.holder(EMBEDDED, userId)) ??
    (await state.identities.signIn({ issuer: EMBEDDED, subject: userId, email: user.email }));
  return holder.disabled ? null : holder.account;
}
