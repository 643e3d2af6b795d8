import { jobOf } from '../../jobs/job-kind.ts';
import type { News } from '../../state/field-requests/deliveries.ts';
import type { DeliveryId, EventType } from '../../state/field-requests/events.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import { buildOf } from '../building/build.ts';
import { dispositionOf } from '../reading.ts';
import { deliveryJob, deliveryKey } from './delivery-job.ts';

/** Makes the job that sends a message. @param account whose request it is about. */
export const deliveryOf = (id: DeliveryId, account: string) => jobOf(deliveryJob, deliveryKey(id), id, account);

const news = (event: EventType, payload: News['payload']): News => ({ event, payload, job: deliveryOf });

/** Message: the screening has ended. */
export const screeningCompleted: News = news('screening_completed', row => ({
  request_id: row.id,
  status: row.status,
  disposition: dispositionOf(row),
}));

/** The content of a message about a build. Missing parts are null. */
const outcomeOf = (event: EventType, row: FieldRequestRow) => {
  const { fields = [], caveat = null, shipped } = buildOf(row);
  return {
    request_id: row.id,
    event_type: event,
    status: row.status,
    field_id: shipped?.field_id ?? fields[0] ?? null,
    fetch: row.disposition.find(({ resume, disposition }) => resume && disposition === 'accepted_new')?.resume ?? null,
    value: shipped?.value ?? null,
    unit: shipped?.unit ?? null,
    citation: shipped?.citation ?? null,
    confidence: shipped?.confidence ?? null,
    caveat,
    context_blob: row.contextBlob,
  };
};

const live = (event: EventType) => news(event, row => outcomeOf(event, row));

/** Message: the field is live. @param low whether a caveat must come with its values. */
export const requestLive = (low: boolean): News => live(low ? 'request_live_low_confidence' : 'request_live');

/** Message: the field will not be built. */
export const requestBlocked: News = news('request_blocked', row => ({
  ...outcomeOf('request_blocked', row),
  blocked_reason: buildOf(row).blocked ?? null,
}));
