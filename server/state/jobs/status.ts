export const JOB_STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
/** State of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];
