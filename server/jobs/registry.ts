import { runJob } from '../runs/run-job.ts';
import type { JobKind } from './job-kind.ts';

/** Every kind of jobs, by name. */
export const JOB_KINDS: readonly JobKind[] = [runJob];

/** The kind of a name; undefined for jobs that another version of Plat enqueued. */
export const jobKind = (name: string): JobKind | undefined => JOB_KINDS.find(kind => kind.name === name);
