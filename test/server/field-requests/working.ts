import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Callbacks } from '../../../server/callbacks.ts';
import { doJob } from '../../../server/jobs/attempt.ts';
import type { JobKind, JobServices } from '../../../server/jobs/job-kind.ts';
import type { Filing } from '../../../server/state/field-requests/records.ts';
import { createSafeClient } from '../../../server/upstream/safe-client.ts';
import { contextFor, type Fixture, NO_CALLBACKS } from '../service-fixture.ts';

/** What jobs work with over a fixture; webhooks may lead to this machine. */
export const servicesOf = (fixture: Fixture, callbacks: Partial<Callbacks> = {}): JobServices => ({
  ...contextFor(fixture),
  callbacks: { ...NO_CALLBACKS, client: createSafeClient({ networks: ['127.0.0.1'] }), ...callbacks },
});

/** Does the next job of a kind. @returns what has become of it. */
export async function doNext(services: JobServices, kind: JobKind<never>) {
  const claim = await services.state.jobs.claim(kind.name);
  expect(claim, `a job of ${kind.name} waits`).not.toBeNull();
  await doJob(services, kind as unknown as JobKind, claim!, new AbortController().signal);
  return services.state.jobs.job(claim!.id);
}

/** A request for elevation at one place, with an address. */
export const filingOf = (fixture: Fixture, more: Partial<Filing> & { readonly body?: object } = {}): Filing => {
  const id = `fr_${randomBytes(13)
    .toString('hex')
    .replace(/[018-9]/g, 'a')}`;
  return {
    id,
    accountId: fixture.account.id,
    keyHash: null,
    bodyHash: id,
    callback: null,
    contextBlob: 'mine',
    now: fixture.clock.now(),
    locations: [
      {
        index: 0,
        resolved_location: { lat: 44.8017, lng: -68.7714, source: 'address' },
        resolved_address: '73 HARLOW ST, BANGOR, ME 04401',
        geocode: { accuracy: 0.97, accuracy_type: 'rooftop', provider: 'other' },
      },
    ],
    by: 'someone',
    body: { description: 'Elevation', example_locations: [{ address: '73 Harlow St, Bangor, ME', note: 'depot' }] },
    ...more,
  };
};
