import type { Transaction } from 'kysely';
import type { Changes } from '../changes/changes.ts';
import type { Tables } from '../tables.ts';
import type { JobStatus } from './status.ts';

/**
 * What a job, its end or its beginning changes in the state: done in the transaction that ends or begins it, so that both
 * happen or neither. State concerns make effects (`siteScreened(...)`); whoever runs jobs hands them on.
 */
export type Effect = (tx: Transaction<Tables>, changes: Changes) => Promise<void>;

/** A job that shall be done. */
export interface NewJob {
  /** Its kind, by name. */
  readonly kind: string;
  /** Of two jobs of one kind with one key only one waits or runs; null for a job that is like no other. */
  readonly key: string | null;
  /** JSON; what its handler is told. */
  readonly data: object;
  /** How often it may be begun; beginnings whose process died count. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled each time, with jitter, up to `mostMs`. */
  readonly retryMs: number;
  readonly mostMs: number;
  /** Milliseconds from now before which it is not begun. */
  readonly delayMs?: number;
}

/** A job that was added, or the one that was there under its key. */
export interface Enqueued {
  readonly id: string;
  readonly fresh: boolean;
}

/** The right to do a job until its lease ends, unless it is renewed by a heartbeat. */
export interface JobClaim {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly data: object;
  /** Which beginning this is, from 1. */
  readonly attempt: number;
  /** The last one that is allowed. Past it the job is not to be done but to be failed. */
  readonly lastAttempt: number;
  /** Names this claim and no later one of the same job. */
  readonly token: string;
}

/** A job as an operator sees it. Times are epoch milliseconds. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly status: JobStatus;
  readonly data: object;
  readonly attempt: number;
  readonly lastAttempt: number;
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Why the last attempt failed; null otherwise. */
  readonly error: string | null;
  readonly createdAt: number;
  /** Before which it is not begun. */
  readonly startAfter: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

interface JobFilter {
  readonly kind?: string;
  readonly status?: JobStatus;
  readonly key?: string;
  /** At most so many, the newest first. */
  readonly limit: number;
}

/**
 * The jobs of a state store: pg-boss in PostgreSQL, tables of Plat's own in SQLite. A job is done by one claim at a time;
 * a claim that was lost (its lease ended and another took the job, or the job was cancelled) changes nothing any more.
 */
export interface JobQueue {
  /** Milliseconds without a heartbeat after which the process of a claim is taken for dead. */
  readonly leaseMs: number;
  enqueue(job: NewJob): Promise<Enqueued>;
  /** Within a transaction of the state store: the job is there when it commits. */
  enqueueIn(tx: Transaction<Tables>, job: NewJob): Promise<Enqueued>;
  /** A job of the kind that waits and is due, or whose process died; null when there is none. The oldest first. */
  claim(kind: string): Promise<JobClaim | null>;
  /** @returns false when the claim was lost. */
  heartbeat(claim: JobClaim): Promise<boolean>;
  /** Says how far it is, and is a heartbeat. @returns false when the claim was lost. */
  progress(claim: JobClaim, done: number, total: number): Promise<boolean>;
  /** Ends a job with its effect, both or neither. @returns false when the claim was lost: nothing changed. */
  finish(claim: JobClaim, effect?: Effect): Promise<boolean>;
  /**
   * Ends an attempt that failed: the job waits for the next one, or has failed for good.
   * @param last whether another attempt cannot help.
   * @param ended happens only when the job has failed for good.
   */
  fail(claim: JobClaim, error: string, last: boolean, ended?: Effect): Promise<'waiting' | 'failed' | 'lost'>;
  /** Gives a job back undone: it waits again at once, and may be begun once more. @returns false when the claim was lost. */
  handBack(claim: JobClaim): Promise<boolean>;
  /** Cancels what waits or runs. @returns false when it has ended already or is none. */
  cancel(id: string, ended?: Effect): Promise<boolean>;
  /** Lets a job that failed or was cancelled be begun `attempts` times more. @returns false when it is none such, or another of its key waits or runs. */
  retry(id: string, attempts: number): Promise<boolean>;
  job(id: string): Promise<JobRow | null>;
  jobs(filter: JobFilter): Promise<JobRow[]>;
  /**
   * Has a job enqueued whenever a cron expression (five fields, UTC) comes due, under the schedule's key; several servers
   * do so once. Occurrences that nobody was there for come once, together. Scheduling again changes what was scheduled.
   */
  schedule(job: NewJob & { readonly key: string }, cron: string, now: number): Promise<void>;
  unschedule(kind: string, key: string): Promise<void>;
  /** Enqueues what came due. @returns the kinds of what was enqueued. */
  enqueueDue(now: number): Promise<string[]>;
  /** Finds dead processes where that is not done by claiming, and forgets what ended long ago. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

/** How long a job that ended is kept for showing. */
export const ENDED_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** What those who work on a kind of jobs listen to. */
export const topicOf = (kind: string): string => `jobs/${kind}`;
