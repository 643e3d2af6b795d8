import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tidy } from '../../../server/state/housekeeping.ts';
import { idempotencyIn } from '../../../server/state/idempotency.ts';
import packedAnswers from '../../../server/state/migrations/0011-packed-answers.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import type { Tables } from '../../../server/state/tables.ts';
import { describeStores, type StatePlace } from './state-stores.ts';
import { tablesOf } from './tables-of.ts';

const NOTHING = { reservation: null, cost: 0, now: 0 };
const HOUR = 3_600_000;

const request = (accountId: string, i: number, now = i) => ({
  accountId,
  endpoint: 'fetch/batch',
  key: `key-${i}`,
  bodyHash: 'h',
  now,
  leaseUntil: now + 1_000,
  expiresAt: now + HOUR,
});

describeStores('stored answers', kind => {
  let place: StatePlace;
  let db: Kysely<Tables>;
  const accounts: string[] = [];
  beforeEach(async () => {
    place = await kind.place();
    const state = await kind.open(place);
    accounts.splice(0);
    for (const email of ['a@b', 'c@d']) accounts.push((await state.openAccount(email, 'build')).id);
    db = tablesOf(place);
  });
  afterEach(() => db.destroy());

  const file = async (records: ReturnType<typeof idempotencyIn>, accountId: string, i: number, answer: string) => {
    const found = await records.begin(request(accountId, i));
    if (found.kind !== 'execute') throw new Error(`Found ${found.kind}`);
    expect(await records.complete(found.claim, answer, NOTHING)).toBeNull();
  };
  const kept = (accountId: string) =>
    db
      .selectFrom('idempotency')
      .select(['key', 'answer', 'answer_bytes'])
      .where('account_id', '=', accountId)
      .orderBy('expires_at')
      .execute();
  const sumOf = async (accountId: string) =>
    Number(
      (await db.selectFrom('kept_answers').select('bytes').where('account_id', '=', accountId).executeTakeFirst())
        ?.bytes,
    );

  it('are packed, and come back as they were', async () => {
    const records = idempotencyIn(db);
    const answer = JSON.stringify({ results: Array(500).fill({ ok: true, note: 'Größe ≥ 1' }) });
    await file(records, accounts[0]!, 1, answer);
    const [row] = await kept(accounts[0]!);
    expect(row!.answer!.length).toBeLessThan(answer.length / 10);
    expect(Number(row!.answer_bytes)).toBe(row!.answer!.length);
    expect(gunzipSync(row!.answer!).toString()).toBe(answer);
    expect(await records.begin(request(accounts[0]!, 1))).toEqual({ kind: 'replay', response: answer });
  });

  it('of one account stay within their bytes: the oldest are forgotten, those of others are not', async () => {
    const records = idempotencyIn(db, 10_000);
    const noise = () => randomBytes(700).toString('base64');
    const [mine, other] = accounts as [string, string];
    for (let i = 0; i < 5; i++) await file(records, other, i, noise());
    const running = await records.begin(request(mine, 999, 0));
    expect(running.kind).toBe('execute');
    for (let i = 0; i < 40; i++) await file(records, mine, i, noise());
    const rows = (await kept(mine)).filter(row => row.answer !== null);
    const sum = rows.reduce((total, row) => total + Number(row.answer_bytes), 0);
    expect(sum).toBeLessThanOrEqual(10_000);
    expect(sum).toBeGreaterThan(8_000);
    expect(await sumOf(mine)).toBe(sum);
    expect(rows.map(row => row.key)).toEqual(
      Array.from({ length: rows.length }, (_, i) => `key-${40 - rows.length + i}`),
    );
    expect(await kept(other)).toHaveLength(5);
    // What runs is not forgotten, and a key that was is free again.
    expect(await records.begin(request(mine, 999, 0))).toEqual({ kind: 'running' });
    expect((await records.begin(request(mine, 0))).kind).toBe('execute');
  });

  it('that expire are taken off the sum, in rounds and at the next use of their key', async () => {
    const records = idempotencyIn(db);
    for (let i = 0; i < 120; i++) await file(records, accounts[0]!, i, `{"n": ${i}}`);
    expect((await records.begin(request(accounts[0]!, 3, 3 + HOUR))).kind).toBe('execute');
    const before = await sumOf(accounts[0]!);
    expect(before).toBeGreaterThan(0);
    expect(await records.prune(119 + HOUR)).toBe(100);
    expect(await records.prune(119 + HOUR)).toBe(19);
    expect(await sumOf(accounts[0]!)).toBe(0);
  });

  it('of before they were packed are replayed', async () => {
    const [mine] = accounts as [string, string];
    await db.schema.alterTable('idempotency').addColumn('response', 'text').execute();
    const found = await idempotencyIn(db).begin(request(mine, 1));
    expect(found.kind).toBe('execute');
    await sql`update idempotency set response = '{"old": "ö"}'`.execute(db);
    await db.schema.dropIndex('idempotency_kept').execute();
    await db.schema.alterTable('idempotency').dropColumn('answer').execute();
    await db.schema.alterTable('idempotency').dropColumn('answer_bytes').execute();
    await db.schema.dropTable('kept_answers').execute();
    await packedAnswers.up(db as never);
    expect(await idempotencyIn(db).begin(request(mine, 1))).toEqual({ kind: 'replay', response: '{"old": "ö"}' });
    expect(await sumOf(mine)).toBeGreaterThan(0);
  });
});

it('the space of what was forgotten is given back to the disk, also by a file that was made without', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-space-'));
  const path = join(home, 'state.sqlite');
  const old = new DatabaseSync(path);
  old.exec('create table something (a text); insert into something values (1)');
  expect(old.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 0 });
  old.close();
  let state = await openSqlite(path);
  const { id } = await state.openAccount('a@b', 'build');
  const noise = randomBytes(300_000).toString('base64');
  for (let i = 0; i < 60; i++) {
    const found = await state.idempotency.begin(request(id, i));
    if (found.kind !== 'execute') throw new Error(`Found ${found.kind}`);
    await state.idempotency.complete(found.claim, noise, NOTHING);
  }
  await state.close();
  const full = statSync(path).size;
  expect(full).toBeGreaterThan(60 * 300_000);
  state = await openSqlite(path);
  await tidy(state, 2 * HOUR);
  await state.close();
  expect(statSync(path).size).toBeLessThan(full / 3);
  const after = new DatabaseSync(path);
  expect(after.prepare('select a from something').get()).toEqual({ a: '1' });
  expect(after.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  after.close();
  rmSync(home, { recursive: true });
});
