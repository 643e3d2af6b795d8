import { afterEach, expect, it } from 'vitest';
import { publishingJob, publishingOf } from '../../../server/field-requests/building/publishing-job.ts';
import { screeningJob, screeningOf } from '../../../server/field-requests/screening/screening-job.ts';
import { expiryJob } from '../../../server/field-requests/upkeep/expiry-job.ts';
import { scrubJob } from '../../../server/field-requests/upkeep/scrub-job.ts';
import { type JobKind, jobOf } from '../../../server/jobs/job-kind.ts';
import type { Status } from '../../../server/state/field-requests/states.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { doNext, filingOf, servicesOf } from './working.ts';

const DAY_MS = 86_400_000;
const open: Fixture[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(fixture => fixture[Symbol.asyncDispose]()));
});

describeStores('the life of field requests', kind => {
  const fixtureOf = async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    return fixture;
  };
  const run = async (fixture: Fixture, job: JobKind) => {
    await fixture.state.jobs.enqueue(jobOf(job, 'schedule', {}, null));
    expect((await doNext(servicesOf(fixture), job))?.status).toBe('done');
  };

  it('is screened once it was filed, told, and loses its addresses 30 days after its end, not before', async () => {
    const fixture = await fixtureOf();
    const { fieldRequests } = fixture.state;
    const filing = filingOf(fixture, { callback: { email: 'me@example.org' } });
    await fieldRequests.file({ ...filing, job: screeningOf(filing.id, filing.accountId) });
    await doNext(servicesOf(fixture), screeningJob);
    const row = (await fieldRequests.find(filing.id))!;
    expect(row).toMatchObject({
      status: 'matched',
      disposition: [
        { disposition: 'matched', field_id: 'elevation', values: [{ index: 0, status: 'ok', value: 12.5, unit: 'm' }] },
      ],
    });
    expect(await fieldRequests.deliveries({ requestId: filing.id, limit: 5 })).toMatchObject([
      { event_type: 'screening_completed', channel: 'email', status: 'waiting' },
    ]);
    // Its resume call is a fetch request as it stands.
    const { method, url, body } = row.disposition[0]!.resume!;
    const headers = { authorization: `Bearer ${fixture.token}` };
    const fetched = await fixture.app.inject({ method, url, headers, payload: body });
    expect(fetched.json().fields.elevation.value).toBe(12.5);

    fixture.clock.time += 30 * DAY_MS - 1_000;
    await run(fixture, scrubJob);
    expect((await fieldRequests.find(filing.id))!.locations[0]!.resolved_address).toContain('HARLOW');
    fixture.clock.time += 2_000;
    await run(fixture, scrubJob);
    const scrubbed = (await fieldRequests.find(filing.id))!;
    expect(scrubbed.scrubbedAt).toBe(fixture.clock.time);
    expect(scrubbed.locations).toEqual([
      {
        index: 0,
        resolved_location: { lat: 44.8017, lng: -68.7714, source: 'address' },
        geocode: { accuracy: 0.97, accuracy_type: 'rooftop', provider: 'other' },
      },
    ]);
    const kept = await fieldRequests.body(filing.id);
    expect(kept).toEqual({ description: 'Elevation', example_locations: [{ note: 'depot' }] });
    expect(JSON.stringify([scrubbed, kept])).not.toMatch(/harlow/i);
    const polled = await fixture.app.inject({ url: `/v1/field-requests/${filing.id}`, headers });
    expect([polled.statusCode, polled.json().status]).toEqual([200, 'matched']);
  });

  it('is live when production answers at its example, not before, and its caveat travels with the value', async () => {
    const fixture = await fixtureOf();
    const { fieldRequests, jobs } = fixture.state;
    const filing = filingOf(fixture, { callback: { email: 'me@example.org' } });
    await fieldRequests.file(filing);
    const asked = { ask: 'Elevation', field_id: null, estimated_ready_at: null, resume: null, explanation: 'x' };
    const disposition = [{ ...asked, disposition: 'accepted_new' as const }];
    const build = { fields: ['elevation'], outcome: 'SHIP_LOW_CONFIDENCE', caveat: 'of 1950' };
    let from: Status = 'received';
    for (const to of ['screening', 'queued', 'claimed', 'building', 'in_review', 'approved', 'publishing'] as const) {
      const more = to === 'queued' ? { disposition, promise: () => 1_800_000_000_000 } : { build };
      await fieldRequests.move({
        id: filing.id,
        from: [from],
        to,
        by: 't',
        reason: '',
        now: fixture.clock.now(),
        ...more,
      });
      from = to;
    }
    for (const answer of [
      { status: 'absent', value: null, notes: 'not yet' } as const,
      { value: 12.5, sourceUrl: null },
    ]) {
      fixture.engine.answers.set('elevation', answer);
      await jobs.enqueue({ ...publishingOf(filing.id, filing.accountId), attempts: 1 });
      expect((await doNext(servicesOf(fixture), publishingJob))?.status).toBe('failed');
      expect((await fieldRequests.find(filing.id))!.status).toBe('publishing');
    }
    fixture.engine.answers.clear();
    await jobs.enqueue(publishingOf(filing.id, filing.accountId));
    expect((await doNext(servicesOf(fixture), publishingJob))?.status).toBe('done');
    expect(await fieldRequests.find(filing.id)).toMatchObject({
      status: 'live',
      disposition: [{ field_id: 'elevation', confidence: 'low', caveat: 'of 1950' }],
    });
    const [told] = await fieldRequests.deliveries({ requestId: filing.id, limit: 5 });
    expect(told).toMatchObject({ event_type: 'request_live_low_confidence', status: 'waiting' });
    expect(JSON.parse((await fieldRequests.delivery(told!))!.payload)).toMatchObject({
      ...{ request_id: filing.id, event_type: 'request_live_low_confidence', status: 'live', field_id: 'elevation' },
      ...{ value: 12.5, unit: 'm', confidence: 'low', caveat: 'of 1950', context_blob: 'mine' },
      fetch: { method: 'POST', url: '/v1/fetch' },
    });
  });

  it('lapses when nobody has confirmed it in 30 days', async () => {
    const fixture = await fixtureOf();
    const { fieldRequests } = fixture.state;
    const filing = filingOf(fixture, {
      body: { description: 'slope', example_locations: [{ lat: 44.8, lng: -68.7 }] },
    });
    await fieldRequests.file({ ...filing, job: screeningOf(filing.id, filing.accountId) });
    await doNext(servicesOf(fixture), screeningJob);
    expect(await fieldRequests.find(filing.id)).toMatchObject({ status: 'awaiting_confirm', waitingOn: 'requester' });
    fixture.clock.time += 29 * DAY_MS;
    await run(fixture, expiryJob);
    expect((await fieldRequests.find(filing.id))!.status).toBe('awaiting_confirm');
    fixture.clock.time += DAY_MS;
    await run(fixture, expiryJob);
    expect(await fieldRequests.find(filing.id)).toMatchObject({ status: 'expired', waitingOn: null });
  });

  it('waits for an operator when its screening failed, and can be screened again', async () => {
    const fixture = await fixtureOf();
    const { fieldRequests, jobs } = fixture.state;
    const filing = filingOf(fixture);
    await fieldRequests.file({ ...filing, job: { ...screeningOf(filing.id, filing.accountId), attempts: 1 } });
    fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'the disk is gone' });
    const job = await doNext(servicesOf(fixture), screeningJob);
    expect(job?.status).toBe('failed');
    expect(await fieldRequests.find(filing.id)).toMatchObject({ status: 'screening', waitingOn: 'operator' });
    expect((await fieldRequests.events(filing.id)).at(-1)!.reason).toContain('the disk is gone');
    fixture.engine.answers.clear();
    await jobs.enqueue(screeningOf(filing.id, filing.accountId));
    await doNext(servicesOf(fixture), screeningJob);
    expect(await fieldRequests.find(filing.id)).toMatchObject({ status: 'matched', waitingOn: null });
  });
});
