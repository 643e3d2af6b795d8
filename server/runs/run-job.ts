import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { answerReserved, openReserved } from '../fetch/batch.ts';
import type { BatchBody, BatchEntry } from '../fetch/batch-schema.ts';
import { selectFields } from '../fetch/selection.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { readLocator } from '../locator.ts';
import { chooseRelease, ReleaseChoice } from '../release/choice.ts';
import { type RunError, runDone, runFailed } from '../state/runs/records.ts';
import { Bill } from '../state/usage/bill.ts';

/** Milliseconds that a run may take after its start. */
const LIMIT_MS = 15 * 60 * 1000;

const asError = ({ code, message, retryable }: ServiceError): RunError => ({
  error: code,
  message,
  retryable,
});

/**
 * Answers a submitted batch. It has one attempt: when its server is stopped, the run fails and its credits are
 * released.
 */
export const runJob: JobKind<{ readonly run_id: string }> = {
  name: 'run',
  summary: 'Answers the locations of a run.',
  atOnce: 3,
  attempts: 1,
  retryMs: 1_000,
  mostMs: 1_000,
  async run(services, { data: { run_id: id }, signal, progress }) {
    const { state, clock } = services;
    const work = await state.runs.begin(id, clock.now());
    if (!work) return undefined;
    const [account] = await state.accountsOf([work.accountId]);
    if (!account) return runFailed(id, asError(new ServiceError('run_interrupted')), clock.now());
    const body = JSON.parse(work.request) as BatchBody;
    const ctx: Ctx = {
      ...services,
      account,
      credential: null,
      signal,
      deadline: clock.now() + LIMIT_MS,
      requestId: id,
      bill: new Bill(),
      release: new ReleaseChoice(services.engine),
    };
    try {
      chooseRelease(ctx, body);
    } catch (error) {
      // It was pruned after the run had been accepted.
      if (!(error instanceof ServiceError)) throw error;
      return runFailed(id, asError(error), clock.now());
    }
    const locators = body.locations.map((location, index) => readLocator(location, index));
    const names = selectFields(services.catalog, body);
    const refusals = JSON.parse(work.refusals) as BatchEntry[];
    const reserved = await openReserved(ctx, locators, refusals, work.reservation);
    // Reports progress in order, one write after the other.
    let said = Promise.resolve();
    const say = (done: number, total: number) => {
      said = said
        .then(() => state.runs.advance(id, done, clock.now()))
        .then(() => progress(done, total))
        .catch(() => {});
    };
    const { result, cost } = await answerReserved(ctx, locators, names, reserved, say);
    await said;
    return runDone(id, { result: JSON.stringify(result), release: ctx.release.source }, cost, clock.now(), {
      error: 'credits_exhausted',
      message: 'The credits that the run had reserved were gone when it was done.',
      retryable: true,
    });
  },
  ended: ({ data }, { how }, clock) =>
    runFailed(
      data.run_id,
      asError(how === 'failed' ? new ServiceError('location_failed') : new ServiceError('run_interrupted')),
      clock.now(),
    ),
};
