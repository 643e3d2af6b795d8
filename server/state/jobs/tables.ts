import type { JobStatus } from './status.ts';

/** Tables of jobs. Instants are epoch milliseconds. */
export interface JobTables {
  /** Jobs of the embedded queue. Empty in PostgreSQL, where pg-boss has its own tables. */
  jobs: {
    id: string;
    kind: string;
    key: string | null;
    /** Whose turn it needs; null for nobody's. */
    account_id: string | null;
    /** JSON text. */
    data: string;
    status: JobStatus;
    attempt: number;
    last_attempt: number;
    retry_ms: number;
    most_ms: number;
    start_after: number;
    /** Token of the claim that runs it; null when none does. */
    token: string | null;
    lease_until: number;
    done: number | null;
    total: number | null;
    error: string | null;
    created_at: number;
    started_at: number | null;
    ended_at: number | null;
  };
  /** When the last job of an account was claimed, by kind of jobs. */
  job_turns: { kind: string; account: string; turn: number };
  job_schedules: {
    kind: string;
    key: string;
    cron: string;
    /** JSON text of the job. */
    job: string;
    next_at: number;
  };
}
