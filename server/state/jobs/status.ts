export const JOB_STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
/** What became of a job so far. */
export type JobStatus = (typeof JOB_STATUSES)[number];
