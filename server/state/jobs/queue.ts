import type { Transaction } from 'kysely';
import type { Changes } from '../changes/changes.ts';
import type { Tables } from '../tables.ts';
import type { JobStatus } from './status.ts';

/**
 * A change of the state that belongs to the start or the end of a job and is made in the same transaction. Parts of the
 * state make effects (`siteScreened(...)`), and the runner of jobs passes them on.
 */
export type Effect = (tx: Transaction<Tables>, changes: Changes) => Promise<void>;

/** A new job. */
export interface NewJob {
  /** Its kind, by name. */
  readonly kind: string;
  /**
   * Of jobs of one kind with the same key only one waits or runs. Null for a job that may have any number beside it.
   */
  readonly key: string | null;
  /**
   * Whose job it is: accounts have their turns one after the other. Null for nobody's; those together have turns like one
   * account.
   */
  readonly account: string | null;
  /** Most jobs of the kind that its account may have waiting, with this one. Absent for any number. */
  readonly mostWaiting?: number;
  /** JSON for its handler. */
  readonly data: object;
  /** Most attempts, including those whose process died. */
  readonly attempts: number;
  /** Milliseconds before the second attempt. Doubled for each further one, with jitter, up to `mostMs`. */
  readonly retryMs: number;
  readonly mostMs: number;
  /** Milliseconds from now before it may start. */
  readonly delayMs?: number;
}

/** Thrown when an account has as many waiting jobs of a kind as it may have. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
  readonly most: number;

  /** @param most jobs that may wait. */
  constructor(most: number) {
    super(`more than ${most} jobs of one account would wait`);
    this.most = most;
  }
}

/** The added job, or the one that already existed under its key. */
export interface Enqueued {
  readonly id: string;
  readonly fresh: boolean;
}

/** The right to do a job. It ends with its lease, unless a heartbeat renews it. */
export interface JobClaim {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly account: string | null;
  readonly data: object;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Number of the last allowed attempt. A later one must only fail the job. */
  readonly lastAttempt: number;
  /** Identifies this claim among all claims of the job. */
  readonly token: string;
}

/** A job as an operator sees it. Times are epoch milliseconds. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly account: string | null;
  readonly status: JobStatus;
  readonly data: object;
  readonly attempt: number;
  readonly lastAttempt: number;
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Why the last attempt failed; null if it did not. */
  readonly error: string | null;
  readonly createdAt: number;
  /** Earliest start. */
  readonly startAfter: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Jobs of one kind and status. */
export interface JobTally {
  readonly kind: string;
  readonly status: 'waiting' | 'running' | 'failed';
  readonly count: number;
  /** When the first of them could have been begun, in epoch milliseconds. */
  readonly since: number;
}

interface JobFilter {
  readonly kind?: string;
  readonly status?: JobStatus;
  readonly key?: string;
  /** Most rows returned, newest first. */
  readonly limit: number;
}

/**
 * The jobs of a state store: pg-boss in PostgreSQL, Plat's own tables in SQLite. One claim at a time works on a job. A
 * claim is lost when its lease ended and another took the job, or when the job was cancelled. A lost claim changes
 * nothing any more.
 */
export interface JobQueue {
  /** Milliseconds without a heartbeat after which the process of a claim counts as dead. */
  readonly leaseMs: number;
  /**
   * Adds a job. One that already waits under the key goes to the account that has fewer waiting, so that nobody waits for
   * all the jobs of another account.
   * @throws TooManyWaiting when the job is new and its account has as many waiting as it may have.
   */
  enqueue(job: NewJob): Promise<Enqueued>;
  /** Enqueues within a transaction of the state store. The job exists once it commits. */
  enqueueIn(tx: Transaction<Tables>, job: NewJob): Promise<Enqueued>;
  /**
   * Claims a job of the kind that is due, or whose process died; null when there is none. Accounts have their turns one
   * after the other: it is the oldest job of the account whose last claim is longest ago.
   * @param except accounts that may have no turn now, null for the jobs of nobody.
   */
  claim(kind: string, except?: readonly (string | null)[]): Promise<JobClaim | null>;
  /** @returns false when the claim was lost. */
  heartbeat(claim: JobClaim): Promise<boolean>;
  /** Reports progress, which is also a heartbeat. @returns false when the claim was lost. */
  progress(claim: JobClaim, done: number, total: number): Promise<boolean>;
  /** Ends a job with its effect, in one transaction. @returns false, with nothing changed, when the claim was lost. */
  finish(claim: JobClaim, effect?: Effect): Promise<boolean>;
  /**
   * Ends a failed attempt. The job waits for its next attempt, or has failed for good.
   * @param last whether no further attempt can help.
   * @param ended the effect for when the job has failed for good.
   */
  fail(claim: JobClaim, error: string, last: boolean, ended?: Effect): Promise<'waiting' | 'failed' | 'lost'>;
  /**
   * Returns a job unfinished: it waits again at once, with one more attempt. @returns false when the claim was lost.
   */
  handBack(claim: JobClaim): Promise<boolean>;
  /** Cancels a job that waits or runs. @returns false when it has ended or does not exist. */
  cancel(id: string, ended?: Effect): Promise<boolean>;
  /** Gives a failed or cancelled job more attempts. @returns false for others, or when its key waits or runs again. */
  retry(id: string, attempts: number): Promise<boolean>;
  job(id: string): Promise<JobRow | null>;
  jobs(filter: JobFilter): Promise<JobRow[]>;
  /** Counts what waits, runs, or failed and is still kept. */
  tally(): Promise<JobTally[]>;
  /**
   * Enqueues a job each time a cron expression (five fields, UTC) is due, under the schedule's key; several servers
   * together do so once. Times that passed while no server ran yield one job. A second call replaces the schedule.
   */
  schedule(job: NewJob & { readonly key: string }, cron: string, now: number): Promise<void>;
  unschedule(kind: string, key: string): Promise<void>;
  /** Enqueues due jobs. @returns their kinds. */
  enqueueDue(now: number): Promise<string[]>;
  /** Finds dead processes where `claim` does not, and deletes jobs that ended long ago. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

/** How long an ended job is kept for display. */
export const ENDED_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The topic that workers of a kind of jobs listen to. */
export const topicOf = (kind: string): string => `jobs/${kind}`;
