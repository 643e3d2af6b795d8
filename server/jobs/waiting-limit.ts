import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { PLANS } from '../plans.ts';
import { type NewJob, TooManyWaiting } from '../state/jobs/queue.ts';

/** Seconds after which an account whose jobs all wait may try again: about as long as one of them takes. */
const AGAIN_SECONDS = 30;

/** Refuses a job when the account has as many of its kind waiting as its plan allows. */
export const withWaitingLimit = (ctx: Ctx, job: NewJob): NewJob => ({
  ...job,
  mostWaiting: PLANS[accountOf(ctx).plan].waitingJobs,
});

/** What a caller is told when a job was refused for the others that wait. @param what waits, in the plural. */
export const waitingRefusal = (error: unknown, what: string): unknown =>
  error instanceof TooManyWaiting
    ? new ServiceError('rate_limited', { what: `More than ${error.most} ${what}` }, {}, AGAIN_SECONDS)
    : error;
