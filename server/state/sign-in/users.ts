import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';

/** A user of the embedded provider. */
export interface User {
  readonly id: string;
  readonly email: string;
  /** Hash of the password; null until one is set. */
  readonly password: string | null;
  /** Epoch milliseconds; null until the address is verified. */
  readonly verifiedAt: number | null;
}

/** Users of the embedded provider. Addresses are compared in lower case. */
export interface Users {
  byEmail(email: string): Promise<User | null>;
  byId(id: string): Promise<User | null>;
  /** The user of an address, created when there is none. @param password of a new user. */
  open(email: string, password: string | null): Promise<User>;
  /** Marks an address as verified. @param at epoch milliseconds. A second call changes nothing. */
  verify(id: string, at: number): Promise<void>;
  setPassword(id: string, password: string): Promise<void>;
}

const toUser = (row: Selectable<Tables['users']>): User => ({
  id: row.id,
  email: row.email,
  password: row.password,
  verifiedAt: row.verified_at,
});

/** Users over any Kysely database. */
export function usersIn(db: Kysely<Tables>): Users {
  const by = async (column: 'id' | 'email', value: string): Promise<User | null> => {
    const row = await db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
    return row ? toUser(row) : null;
  };
  return {
    byEmail: email => by('email', email.toLowerCase()),
    byId: id => by('id', id),
    async open(email, password) {
      const address = email.toLowerCase();
      await db
        .insertInto('users')
        .values({ id: randomUUID(), email: address, password, verified_at: null, created_at: Date.now() })
        .onConflict(conflict => conflict.column('email').doNothing())
        .execute();
      return (await by('email', address))!;
    },
    async verify(id, at) {
      await db
        .updateTable('users')
        .set({ verified_at: at })
        .where('id', '=', id)
        .where('verified_at', 'is', null)
        .execute();
    },
    async setPassword(id, password) {
      await db.updateTable('users').set({ password }).where('id', '=', id).execute();
    },
  };
}
