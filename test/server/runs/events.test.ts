import { createParser } from 'eventsource-parser';
import { afterEach, expect, it, vi } from 'vitest';
import type { EventStream } from '../../../server/http/event-stream.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import { followRun } from '../../../server/runs/events.ts';
import { submitRun } from '../../../server/runs/operation.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const open: Fixture[] = [];
const workers: JobWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()));
  for (const fixture of open.splice(0)) await fixture.app.close();
});

const BODY = {
  kind: 'fetch_batch' as const,
  request: {
    locations: [
      { lat: 44, lng: -68 },
      { lat: 45, lng: -68 },
    ],
    fields: ['elevation'],
  },
};

/** A stream that keeps what it was sent. */
function kept() {
  const sent: { event: string; data: { status?: string; error?: { error: string } } }[] = [];
  const stream: EventStream = {
    open: true,
    send: (event, data) => void sent.push({ event, data: data as (typeof sent)[number]['data'] }),
    sendText: (event, data) => stream.send(event, JSON.parse(data)),
    end() {},
  };
  return { sent, stream };
}

describeStores('the events of a run', kind => {
  it('come from another server, each change once and the run at the end, whatever was seen before', async () => {
    const place = await kind.place();
    const [here, there] = [
      await openFixture({ state: await kind.open(place) }),
      await openFixture({ state: await kind.open(place) }),
    ];
    open.push(here, there);
    const ctx = contextFor(here);
    const { run_id } = await submitRun(ctx, BODY);
    const { sent, stream } = kept();
    const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    let begun = 0;
    there.engine.before = () => held[begun++]!.promise;
    const followed = followRun(ctx, run_id, stream);
    workers.push(workOnJobs({ ...contextFor(there), callbacks: NO_CALLBACKS }, [runJob]));
    try {
      // Before the other server may go on: that it runs, and that a location ended, has come by itself.
      await vi.waitFor(
        () => expect(sent.at(-1)?.data).toMatchObject({ status: 'running', progress: { done: 0 } }),
        30_000,
      );
      held[0]!.resolve();
      await vi.waitFor(
        () => expect(sent.at(-1)?.data).toMatchObject({ status: 'running', progress: { done: 1 } }),
        30_000,
      );
    } finally {
      for (const { resolve } of held) resolve();
    }
    await followed;
    expect(here.engine.calls).toHaveLength(0);
    expect(sent[0]).toEqual({ event: 'status', data: { status: 'queued', progress: { done: 0, total: 2 } } });
    expect(sent.filter(({ event }) => event === 'final')).toHaveLength(1);
    expect(sent.at(-1)).toMatchObject({ event: 'final', data: { run_id, status: 'done' } });
    const said = sent.map(({ data }) => JSON.stringify(data));
    expect(new Set(said).size).toBe(said.length);

    const again = await here.app.inject({
      url: `/v1/runs/${run_id}/events`,
      headers: { authorization: `Bearer ${here.token}`, 'last-event-id': '17' },
    });
    const frames: string[] = [];
    createParser({ onEvent: ({ event }) => frames.push(event!) }).feed(again.payload);
    expect([again.statusCode, frames]).toEqual([200, ['final']]);
  });

  it('end with events_timeout when the stream was open for as long as one may be', async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    const ctx = contextFor(fixture);
    const { run_id } = await submitRun(ctx, BODY);
    const { sent, stream } = kept();
    await followRun(ctx, run_id, stream, 1);
    expect(sent.map(({ event }) => event)).toEqual(['status', 'error']);
    expect(sent[1]!.data).toMatchObject({ detail: { error: 'events_timeout', retryable: true } });
  });
});

it('a stream may be open for fifteen minutes', async () => {
  const fixture = await openFixture();
  open.push(fixture);
  const ctx = contextFor(fixture);
  const { run_id } = await submitRun(ctx, BODY);
  const { sent, stream } = kept();
  const now = performance.now.bind(performance);
  let [later, looks] = [0, 0];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    looks++;
    return now() + later;
  });
  try {
    const followed = followRun(ctx, run_id, stream);
    later = 14 * 60_000;
    const until = looks + 5;
    await vi.waitFor(() => expect(looks).toBeGreaterThan(until), 20_000);
    expect(sent.map(({ event }) => event)).toEqual(['status']);
    later = 15 * 60_000;
    await followed;
  } finally {
    clock.mockRestore();
  }
  expect(sent.map(({ event }) => event)).toEqual(['status', 'error']);
});
