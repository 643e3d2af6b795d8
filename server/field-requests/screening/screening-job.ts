import { type JobKind, jobOf } from '../../jobs/job-kind.ts';
import { stuck } from '../../state/field-requests/upkeep.ts';
import { screeningCompleted } from '../callbacks/news.ts';
import type { KeptBody } from '../schema.ts';
import { requesterCtx } from './example-records.ts';
import { screen } from './screening.ts';
import { settledStatus } from './settled-status.ts';

const DAY_MS = 86_400_000;
/** Days for a build, and for each request that waits before it. */
const BUILD_DAYS = 14;
const AHEAD_DAYS = 3;

const REASONS = {
  matched: 'the catalog answers it',
  awaiting_confirm: 'its requester is asked what is meant',
  queued: 'accepted to be built',
  rejected: 'every part of it was refused',
} as const;

/** Screens a filed request. */
export const screeningJob: JobKind<{ readonly request_id: string }> = {
  name: 'field-request-screening',
  summary: 'Judges what a field request asks for by the catalog and its example locations.',
  atOnce: 2,
  attempts: 5,
  retryMs: 5_000,
  mostMs: 300_000,
  async run(services, { data: { request_id: id }, signal }) {
    const { state, clock } = services;
    const step = { id, by: 'plat', reason: 'screening begins', now: clock.now() };
    const row =
      (await state.fieldRequests.move({ ...step, from: ['received'], to: 'screening' })) ??
      (await state.fieldRequests.find(id));
    if (row?.status !== 'screening') return undefined;
    const body = (await state.fieldRequests.body<KeptBody>(id))!;
    const disposition = await screen(await requesterCtx(services, row, signal), body, row.locations);
    const to = settledStatus(disposition);
    const now = clock.now();
    return state.fieldRequests.moved({
      id,
      from: ['screening'],
      to,
      by: 'plat',
      reason: REASONS[to],
      now,
      waitingOn: to === 'awaiting_confirm' ? 'requester' : null,
      disposition,
      promise: ahead => now + (BUILD_DAYS + AHEAD_DAYS * ahead) * DAY_MS,
      news: screeningCompleted,
    });
  },
  ended: ({ data }, { error }, clock) => stuck(data.request_id, 'screening', `screening failed: ${error}`, clock.now()),
};

/** Makes the job that screens a request. @param account whose request it is. */
export const screeningOf = (id: string, account: string) => jobOf(screeningJob, id, { request_id: id }, account);
