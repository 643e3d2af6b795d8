import { noticeSummaryJob } from './account/notice-summary-job.ts';
import { correctionDeliveryJob } from './corrections/delivery-job.ts';
import { supersessionJob } from './corrections/supersession-job.ts';
import { exportJob } from './exports/export-job.ts';
import { publishingJob } from './field-requests/building/publishing-job.ts';
import { deliveryJob } from './field-requests/callbacks/delivery-job.ts';
import { screeningJob as fieldRequestScreeningJob } from './field-requests/screening/screening-job.ts';
import { expiryJob } from './field-requests/upkeep/expiry-job.ts';
import { scrubJob } from './field-requests/upkeep/scrub-job.ts';
import type { JobKind } from './jobs/job-kind.ts';
import { runJob } from './runs/run-job.ts';
import { screeningJob } from './sites/screening-job.ts';
import { addressJob } from './watches/address-job.ts';
import { comparisonJob } from './watches/comparison-job.ts';
import { watchDeliveryJob } from './watches/delivery-job.ts';
import { roundJob } from './watches/round-job.ts';

/** Every kind of jobs, by name. */
export const JOB_KINDS: readonly JobKind[] = [
  runJob,
  exportJob as JobKind,
  screeningJob,
  fieldRequestScreeningJob as JobKind,
  publishingJob as JobKind,
  deliveryJob as JobKind,
  expiryJob,
  scrubJob,
  correctionDeliveryJob as JobKind,
  supersessionJob,
  noticeSummaryJob,
  roundJob,
  comparisonJob as JobKind,
  watchDeliveryJob as JobKind,
  addressJob as JobKind,
];

/** The kind with a name; undefined for jobs that another version of Plat enqueued. */
export const jobKind = (name: string): JobKind | undefined => JOB_KINDS.find(kind => kind.name === name);
