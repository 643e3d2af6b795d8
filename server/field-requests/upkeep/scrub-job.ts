import type { JobKind } from '../../jobs/job-kind.ts';

/** Milliseconds after reaching a final state (a limit of the interface). */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Removes addresses from requests that ended 30 days ago. Coordinates, and how they were found, stay. */
export const scrubJob: JobKind = {
  name: 'field-request-scrub',
  summary: 'Takes addresses out of field requests that ended 30 days ago.',
  atOnce: 1,
  attempts: 3,
  retryMs: 60_000,
  mostMs: 600_000,
  cron: '11 * * * *',
  run: async ({ state, clock }) => state.fieldRequests.scrubbed(clock.now() - KEPT_MS, clock.now()),
};
