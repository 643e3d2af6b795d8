import type { DatabaseSync } from 'node:sqlite';
import { readAllowance } from '../../server/credits/allowance.ts';
import { ServiceError } from '../../server/errors/registry.ts';
import { exportJob } from '../../server/exports/export-job.ts';
import { deliveryJob } from '../../server/field-requests/callbacks/delivery-job.ts';
import { requestBlocked } from '../../server/field-requests/callbacks/news.ts';
import { type JobKind, jobOf } from '../../server/jobs/job-kind.ts';
import { readRun } from '../../server/runs/operation.ts';
import { runJob } from '../../server/runs/run-job.ts';
import { periodOf } from '../../server/state/usage/period.ts';
import { isTrouble } from './database.ts';
import { LIMIT, type Model } from './model.ts';
import { ACCOUNTS, type PlanEvent } from './plan.ts';
import { asParty } from './scheduler.ts';
import { type Server, TICKING } from './server.ts';

/** What somebody asks once, without a key. */
type Inquiry = Extract<PlanEvent, { what: 'balance' | 'peek' | 'block' | 'operator' }>;

/** Asks a server, and judges what it answers. @param on `seen` is the store, read at once. */
export function inquire(
  event: Inquiry,
  { server, model, seen }: { readonly server: Server; readonly model: Model; readonly seen: DatabaseSync },
): void {
  const { services, party } = server;
  if (!services) return;
  const { state, clock } = services;
  const nth = (sql: string, n: number) => {
    const rows = seen.prepare(sql).all();
    return rows[n % Math.max(1, rows.length)];
  };
  const work = async () => {
    if (event.what === 'balance') {
      const ctx = server.contextOf(model.accounts[event.account]!);
      const { credits_used: used } = await readAllowance(ctx);
      if (used > LIMIT) model.fail(`an account is told of ${used} credits used`);
      const { usage, days } = await state.ledger.days(ctx.account!.id, periodOf(clock.now()), clock.now());
      const sum = days.reduce((credits, day) => credits + day.credits, 0);
      if (sum !== usage.spent + usage.held)
        model.fail(`days of ${sum} credits are a month of ${JSON.stringify(usage)}`);
    } else if (event.what === 'peek') {
      const account = model.accounts[event.account]!;
      const row = nth('select id, account_id from runs order by rowid', event.nth);
      if (!row) return;
      const run = await readRun(server.contextOf(account), String(row.id)).catch((error: unknown) => {
        if (error instanceof ServiceError) return null;
        throw error;
      });
      const kept = nth('select account_id, endpoint, key from idempotency order by rowid', event.nth);
      if (kept) {
        const named = { endpoint: String(kept.endpoint), key: String(kept.key), now: clock.now() };
        const own = seen.prepare('select 1 from idempotency where account_id = ? and endpoint = ? and key = ?');
        const isOwn = () => own.get(account.id, named.endpoint, named.key) !== undefined;
        const wasOwn = isOwn();
        const mine = await state.idempotency.stored({ ...named, accountId: account.id });
        if (mine !== null && !wasOwn && !isOwn()) model.fail(`account ${event.account} read the answer of another one`);
      }
      if (run && row.account_id !== account.id) model.fail(`account ${event.account} read the run of another one`);
    } else if (event.what === 'block') {
      const row = nth('select id from field_requests order by rowid', event.nth);
      if (!row) return;
      const step = { id: String(row.id), by: 'operator', reason: 'it cannot be had', now: clock.now() };
      await state.fieldRequests.move({ ...step, from: ['received'], to: 'blocked', news: requestBlocked });
    } else {
      if (event.does === 'add') {
        // Both want the same: it is done once, in the turn of the one who waits for less.
        for (const nth of [event.nth, event.nth + 1]) {
          const { id } = model.accounts[nth % ACCOUNTS]!;
          await state.jobs.enqueue(jobOf(TICKING, `shared-${event.nth % 2}`, {}, id));
        }
        return;
      }
      const id = String(nth('select id from jobs order by rowid', event.nth)?.id);
      model.operatorActed = true;
      const job = await state.jobs.job(id);
      if (!job) return;
      const kind = [runJob, deliveryJob, exportJob].find(({ name }) => name === job.kind) as JobKind | undefined;
      if (event.does === 'cancel')
        await state.jobs.cancel(id, kind?.ended?.(job, { how: 'cancelled', error: 'by an operator' }, clock));
      else if (event.does === 'retry') await state.jobs.retry(id, 2);
      else {
        await Promise.all([state.jobs.tally(), state.jobs.jobs({ limit: 5, status: 'waiting', kind: job.kind })]);
        const alike = job.key === null ? [job] : await state.jobs.jobs({ limit: 5, key: job.key });
        if (alike.some(({ key }) => key !== job.key)) model.fail(`jobs of key ${job.key} are listed with others`);
      }
    }
  };
  asParty(party, work).catch((error: unknown) => {
    if (!isTrouble(error)) model.fail(`${event.what}: ${(error as Error).stack}`);
  });
}
