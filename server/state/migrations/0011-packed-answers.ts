import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { packed } from '../packed-text.ts';

interface Before {
  idempotency: {
    id: string;
    account_id: string;
    expires_at: number;
    response: string | null;
    answer: Uint8Array | null;
    answer_bytes: number;
  };
  kept_answers: { account_id: string; bytes: number };
}

export default {
  async up(db: Kysely<Before>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema.alterTable('idempotency').addColumn('answer', bytes).execute();
    await db.schema
      .alterTable('idempotency')
      .addColumn('answer_bytes', 'bigint', column => column.notNull().defaultTo(0))
      .execute();
    for (;;) {
      const row = await db
        .selectFrom('idempotency')
        .select(['id', 'response'])
        .where('response', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      if (!row) break;
      const answer = await packed(row.response!);
      await db
        .updateTable('idempotency')
        .set({ answer, answer_bytes: answer.length, response: null })
        .where('id', '=', row.id)
        .execute();
    }
    await db.schema.alterTable('idempotency').dropColumn('response').execute();
    await db.schema
      .createTable('kept_answers')
      .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
      .addColumn('bytes', 'bigint', column => column.notNull())
      .execute();
    await sql`insert into kept_answers (account_id, bytes)
      select account_id, sum(answer_bytes) from idempotency group by account_id`.execute(db);
    await db.schema
      .createIndex('idempotency_kept')
      .on('idempotency')
      .columns(['account_id', 'expires_at'])
      .where('answer_bytes' as never, '>', 0)
      .execute();
  },
} satisfies Migration;
