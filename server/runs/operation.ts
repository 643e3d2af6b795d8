import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { type Reserved, reserveLocations } from '../fetch/batch.ts';
import type { BatchBody, BatchResult } from '../fetch/batch-schema.ts';
import { textWithoutOwners } from '../fetch/owner-withholding.ts';
import { namesIn, selectFields } from '../fetch/selection.ts';
import { fileWork, idOfCharge, submitOnce } from '../idempotency/submission.ts';
import { jobOf } from '../jobs/job-kind.ts';
import { waitingRefusal, withWaitingLimit } from '../jobs/waiting-limit.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import { readLocator } from '../locator.ts';
import { chooseRelease } from '../release/choice.ts';
import type { Claim } from '../state/idempotency.ts';
import type { RunError, RunRow } from '../state/runs/records.ts';
import { runJob } from './run-job.ts';
import type { RunAccepted, RunBody } from './schema.ts';

export const RUN_LIMIT_MS = 20_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds that a waiting run keeps its reservation. A later start must reserve the credits again. */
const RESERVED_MS = 24 * 60 * 60 * 1000;
const ENDPOINT = 'runs';
const RUN_ID = /^run_[a-z2-7]{26}$/;

/** How a run stands. */
interface RunStanding {
  readonly run_id: string;
  readonly kind: string;
  readonly status: RunRow['status'];
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly error: RunError | null;
}

/** A run, and the whole of it as callers see it. */
interface WrittenRun extends RunStanding {
  /** JSON text, with the request and the result as they are stored: nobody parses a megabyte to write it again. */
  readonly text: string;
}

async function fileRun(
  ctx: Ctx,
  body: RunBody,
  { results, reservation }: Reserved,
  { id, claim }: { readonly id: string; readonly claim: Claim | null },
): Promise<void> {
  const now = ctx.clock.now();
  const refusals = results.filter(entry => entry !== undefined);
  await ctx.state.runs.submit(
    {
      id,
      accountId: accountOf(ctx).id,
      kind: body.kind,
      request: JSON.stringify(body.request),
      refusals: JSON.stringify(refusals),
      reservation,
      claim,
      done: refusals.length,
      total: body.request.locations.length,
      now,
      expiresAt: now + KEPT_MS,
    },
    withWaitingLimit(ctx, jobOf(runJob, id, { run_id: id }, accountOf(ctx).id)),
  );
}

/**
 * POST /v1/runs: a batch that is answered in the background. It is checked like a batch, and its credits are reserved,
 * before it is accepted. With a key it is submitted once in 24 hours.
 * @param body already of the right shape.
 * @throws ServiceError as fetchBatch; rate_limited when too many runs of the account wait.
 */
export async function submitRun(ctx: Ctx, body: RunBody, idempotencyKey: string | null = null): Promise<RunAccepted> {
  const locators = body.request.locations.map((location, index) => readLocator(location, index));
  const names = selectFields(ctx.catalog, body.request);
  const held: Ctx = { ...ctx, deadline: ctx.clock.now() + RESERVED_MS };
  const submit = async (chargeId: string, claim: Claim | null) => {
    const id = idOfCharge('run', chargeId);
    const isThere = async () => (await ctx.state.runs.run(accountOf(ctx).id, id, ctx.clock.now())) !== null;
    if (!claim?.isTakeover || !(await isThere())) {
      chooseRelease(ctx, body.request);
      const reserved = await reserveLocations(held, locators, names, { endpoint: ENDPOINT, chargeId });
      await fileWork({
        reservation: reserved.reservation,
        file: () => fileRun(ctx, body, reserved, { id, claim }),
        isThere,
        refusalOf: error => waitingRefusal(error, 'runs of this account wait to be started'),
      });
    }
    return { run_id: id, status: 'queued' as const, poll: `/v1/runs/${id}`, events: `/v1/runs/${id}/events` };
  };
  return submitOnce(ctx, { endpoint: ENDPOINT, key: idempotencyKey, body }, submit);
}

/** Reads the state of the account's run. @throws ServiceError run_not_found, also for runs of other accounts. */
export async function runStatus(ctx: Ctx, id: string): Promise<RunRow> {
  const run = RUN_ID.test(id) ? await ctx.state.runs.run(accountOf(ctx).id, id, ctx.clock.now()) : null;
  if (!run) throw new ServiceError('run_not_found');
  return run;
}

const iso = (ms: number) => new Date(ms).toISOString();

const standingOf = (run: RunRow): RunStanding => ({
  run_id: run.id,
  kind: run.kind,
  status: run.status,
  created_at: iso(run.createdAt),
  updated_at: iso(run.updatedAt),
  expires_at: iso(run.expiresAt),
  progress: { done: run.done, total: run.total },
  error: run.error,
});

/** GET /v1/runs: how the account's runs stand, newest first. Free. @throws ServiceError list_cursor_invalid. */
export async function listRuns(
  ctx: Ctx,
  services: ListServices,
  query: ListQuery,
): Promise<{ readonly runs: readonly RunStanding[]; readonly next_cursor: string | null }> {
  const { rows, next_cursor } = await listPage(ctx, services, 'runs', query, (account, part) =>
    ctx.state.runs.list(account, part, ctx.clock.now()),
  );
  return { runs: rows.map(standingOf), next_cursor };
}

/** Reads a run and the JSON texts of its request and, once it is done, of its result. @throws ServiceError run_not_found. */
async function storedRun(ctx: Ctx, id: string) {
  const run = await runStatus(ctx, id);
  if (run.release !== null) ctx.release.name(run.release);
  const texts = await ctx.state.runs.texts(run.accountId, id, ctx.clock.now());
  if (!texts) throw new ServiceError('run_not_found');
  const result = run.status === 'done' ? texts.result : null;
  return { run, request: texts.request, result: result && textWithoutOwners(result, ctx.engine.withheldSince()) };
}

/** GET /v1/runs/{run_id}. Free. @throws ServiceError run_not_found, also for runs of other accounts. */
export async function readRun(ctx: Ctx, id: string): Promise<WrittenRun> {
  const { run, request, result } = await storedRun(ctx, id);
  const standing = standingOf(run);
  const text = `${JSON.stringify(standing).slice(0, -1)},"request":${request},"result":${result ?? 'null'}}`;
  return { ...standing, text };
}

/** Credits that the account's run was charged; null before it has ended. */
export const runCredits = async (
  ctx: Ctx,
  { run_id: id, status }: Pick<WrittenRun, 'run_id' | 'status'>,
): Promise<number | null> =>
  status === 'done' || status === 'failed' ? ctx.state.runs.credits(accountOf(ctx).id, id) : null;

/**
 * Reads the results of a run, for its files.
 * @throws ServiceError run_not_found, run_not_ready, run_failed.
 */
export async function readRunResult(
  ctx: Ctx,
  id: string,
): Promise<{ readonly names: string[]; readonly result: BatchResult }> {
  const { run, request, result: text } = await storedRun(ctx, id);
  if (run.status === 'failed') throw new ServiceError('run_failed');
  if (text === null) throw new ServiceError('run_not_ready', { run_id: id });
  const result = JSON.parse(text) as BatchResult;
  const entry = result.results.find(one => one.ok);
  // The catalog may have changed since. Take the fields that were answered, or those asked for when none was answered.
  return {
    names: entry?.ok ? Object.keys(entry.fields) : namesIn(ctx.catalog, JSON.parse(request) as BatchBody),
    result,
  };
}
