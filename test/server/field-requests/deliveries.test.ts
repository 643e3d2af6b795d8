import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { deliveryJob } from '../../../server/field-requests/callbacks/delivery-job.ts';
import { deliveryOf, screeningCompleted } from '../../../server/field-requests/callbacks/news.ts';
import { backoffMs } from '../../../server/state/jobs/backoff.ts';
import { inThisProcess } from '../../in-this-process.ts';
import { PLAT } from '../../plat.ts';
import { type Aging, aging } from '../jobs/aging.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeDoors, type StatePlace } from '../state/state-stores.ts';
import { doNext, filingOf, servicesOf } from './working.ts';

const HOUR_MS = 3_600_000;
const THREE_DAYS_MS = 72 * HOUR_MS;
const FIRST_MS = 30_000;
const LONGEST_MS = 6 * HOUR_MS;

/** A webhook: what it was told, and what it answers. */
const heard: string[] = [];
let status = 500;
const hook = createServer((request, response) => {
  heard.push(String(request.headers['x-service-delivery']));
  response.writeHead(status).end();
});
beforeAll(() => new Promise<void>(done => hook.listen(0, '127.0.0.1', done)));
afterAll(() => void hook.close());
beforeEach(() => {
  heard.length = 0;
  status = 500;
});

/** The wait before the attempt that follows one, without jitter. */
const longestAfter = (attempt: number) => Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));

/** News of a screening that waits to be sent to the webhook. @returns the request. */
async function told(fixture: Fixture): Promise<string> {
  const { state, clock } = fixture;
  const webhook_url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const filing = filingOf(fixture, { callback: { webhook_url } });
  await state.fieldRequests.file(filing);
  const step = { id: filing.id, by: 'test', reason: '', now: clock.now() };
  await state.fieldRequests.move({ ...step, from: ['received'], to: 'screening' });
  const end = { from: ['screening'], to: 'rejected', disposition: [], news: screeningCompleted } as const;
  await state.fieldRequests.move({ ...step, ...end });
  return filing.id;
}

/** `plat requests deliveries` as an operator starts it. */
async function deliveries(place: StatePlace, ...words: readonly string[]) {
  const env = { ...process.env, PLAT_HOME: place.home, PLAT_STATE_URL: place.url };
  return promisify(execFile)(PLAT, ['requests', 'deliveries', ...words], { env });
}

/** The same in this process. */
function deliveriesIn(place: StatePlace, options: Readonly<Record<string, string | boolean>>, ...args: string[]) {
  vi.stubEnv('PLAT_STATE_URL', place.url);
  return inThisProcess(place.home, 'requests deliveries', options, args);
}

it('has attempts enough for three days, even if each wait is the shortest', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { attempts, retryMs, mostMs } = deliveryJob;
  const waits = Array.from({ length: attempts - 1 }, (_, i) => backoffMs(i + 1, retryMs, mostMs));
  vi.restoreAllMocks();
  expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(THREE_DAYS_MS);
});

describeDoors('deliveries', kind => {
  const open: Fixture[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(fixture => fixture[Symbol.asyncDispose]()));
  });
  /** A fixture over a store whose jobs grow older at a word. */
  const fixtureOf = async (): Promise<Aging & { readonly fixture: Fixture }> => {
    const store = await aging(kind);
    const fixture = await openFixture({ state: store.state, clock: store.clock });
    open.push(fixture);
    return { ...store, fixture };
  };
  const send = (fixture: Fixture) => doNext(servicesOf(fixture), deliveryJob);
  const only = async (fixture: Fixture, requestId: string) =>
    (await fixture.state.fieldRequests.deliveries({ requestId, limit: 2 }))[0]!;

  it('that are dead letters are listed by the command and sent again by it', { timeout: 60_000 }, async () => {
    const place = await kind.place();
    const fixture = await openFixture({ state: await kind.open(place) });
    open.push(fixture);
    // The command has a clock of its own, so the news is three days old.
    fixture.clock.time = Date.now() - THREE_DAYS_MS;
    const id = await told(fixture);
    fixture.clock.time = Date.now();
    expect((await send(fixture))?.status).toBe('failed');

    const name = `${id}:screening_completed:webhook`;
    const why = 'the webhook answered 500; expected 200 to 299';
    const listed = await deliveries(place, '--status', 'failed');
    expect(listed.stdout).toMatch(new RegExp(`^${name}  failed  since \\S+  ${why}\n$`));
    const again = await deliveriesIn(place, { send: name });
    expect(again.stderr).toContain(`${name} waits to be sent again`);
    const waiting = JSON.parse((await deliveriesIn(place, { json: true }, id)).stdout);
    expect(waiting.deliveries).toMatchObject([{ delivery: name, status: 'waiting', error: null, ended_at: null }]);

    status = 204;
    expect((await send(fixture))?.status).toBe('done');
    expect(heard).toEqual([`${id}:screening_completed`, `${id}:screening_completed`]);
    expect((await only(fixture, id)).status).toBe('delivered');
    const left = await deliveriesIn(place, { status: 'failed' });
    expect([left.stdout, left.stderr]).toEqual(['', 'There are no such deliveries\n']);
  });

  it('that fail wait from half of a wait to all of it, which doubles up to six hours', async () => {
    const { fixture, pass, where, clock } = await fixtureOf();
    const now = () => (where.url === '' ? clock.now() : Date.now());
    for (let i = 0; i < 12; i++) await told(fixture);
    for (let attempt = 1; attempt <= 12; attempt++) {
      const longest = longestAfter(attempt);
      const waits: number[] = [];
      for (let i = 0; i < 12; i++) {
        const before = now();
        const job = (await send(fixture))!;
        expect(job).toMatchObject({ status: 'waiting', attempt });
        // PostgreSQL took the time in between.
        expect(job.startAfter - before).toBeGreaterThanOrEqual(longest / 2 - 1);
        expect(job.startAfter - now()).toBeLessThanOrEqual(longest);
        waits.push(job.startAfter - before);
      }
      expect(Math.max(...waits) - Math.min(...waits), `jitter after attempt ${attempt}`).toBeGreaterThan(longest / 20);
      await pass(longest);
    }
    expect(heard).toHaveLength(144);
  });

  it('that always fail are tried over three days and are dead letters then, not before', async () => {
    const { fixture, pass, where, clock } = await fixtureOf();
    const now = () => (where.url === '' ? clock.now() : Date.now());
    const began = clock.now();
    const id = await told(fixture);
    let attempts = 0;
    for (;;) {
      const job = (await send(fixture))!;
      expect(heard).toHaveLength(++attempts);
      const row = await only(fixture, id);
      if (job.status === 'failed') break;
      expect(clock.now() - began).toBeLessThan(THREE_DAYS_MS);
      expect([job.status, row.status, row.error]).toEqual(['waiting', 'waiting', null]);
      await pass(Math.max(0, job.startAfter - now()) + 1);
    }
    const over = clock.now() - began;
    expect(over).toBeGreaterThanOrEqual(THREE_DAYS_MS);
    expect(over).toBeLessThan(THREE_DAYS_MS + LONGEST_MS + 1_000);
    expect(await only(fixture, id)).toMatchObject({
      status: 'failed',
      error: 'the webhook answered 500; expected 200 to 299',
      endedAt: clock.now(),
    });
    // Nothing is tried any more.
    await pass(2 * THREE_DAYS_MS);
    expect(await fixture.state.jobs.claim(deliveryJob.name)).toBeNull();
  });

  it('end with the first failure at 72 hours or later, and have three days more when sent again', async () => {
    const { fixture, pass } = await fixtureOf();
    const { fieldRequests, jobs } = fixture.state;
    const id = await told(fixture);
    await pass(THREE_DAYS_MS - 1_000);
    expect((await send(fixture))?.status).toBe('waiting');
    await pass(FIRST_MS);
    expect((await send(fixture))?.status).toBe('failed');
    const dead = await only(fixture, id);
    expect(await fieldRequests.resend(dead, deliveryOf, fixture.clock.now())).toBe(true);
    await pass(THREE_DAYS_MS - 1_000);
    expect((await send(fixture))?.status).toBe('waiting');
    await pass(FIRST_MS);
    expect((await send(fixture))?.status).toBe('failed');
    expect((await jobs.jobs({ kind: deliveryJob.name, limit: 5 })).map(({ attempt }) => attempt)).toEqual([2, 2]);
  });
});
