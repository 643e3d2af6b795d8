import { afterEach, expect, it } from 'vitest';
import { screeningCompleted } from '../../../server/field-requests/callbacks/news.ts';
import { screeningJob, screeningOf } from '../../../server/field-requests/screening/screening-job.ts';
import { scrubJob } from '../../../server/field-requests/upkeep/scrub-job.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { PLANS } from '../../../server/plans.ts';
import { isSettled, NEXT, STATUSES, type Status } from '../../../server/state/field-requests/states.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { doNext, filingOf, servicesOf } from './working.ts';

const DAY_MS = 86_400_000;

/** The states on the way to one. */
function wayTo(to: Status): Status[] {
  const ways: Status[][] = [['received']];
  for (const way of ways) {
    if (way.at(-1) === to) return way;
    for (const next of NEXT[way.at(-1)!]) if (!way.includes(next)) ways.push([...way, next]);
  }
  throw new Error(`${to} cannot be reached`);
}

describeStores('field requests that their account withdraws', kind => {
  const open: Fixture[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(fixture => fixture[Symbol.asyncDispose]()));
  });
  const openWithdrawals = async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    const { fieldRequests } = fixture.state;
    const call = (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object, token = fixture.token) =>
      fixture.app.inject({
        method,
        url: `/v1/field-requests${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload ? { payload } : {}),
      });
    const withdraw = (id: string, token?: string) => call('DELETE', `/${id}`, undefined, token);
    /** A request that has come to a state, which wants to be told of everything. */
    const at = async (status: Status) => {
      const filing = filingOf(fixture, { callback: { webhook_url: 'https://hooks.example.org/' } });
      await fieldRequests.file(filing);
      const [first, ...way] = wayTo(status);
      let from = first!;
      for (const to of way) {
        const step = { id: filing.id, from: [from], to, by: 'test', reason: '', now: fixture.clock.now() };
        const entry = { ask: 'x', field_id: null, estimated_ready_at: null, resume: null, explanation: '' };
        const disposition = [{ ...entry, disposition: 'accepted_new' as const }];
        await fieldRequests.move(to === 'queued' ? { ...step, disposition, promise: () => 9 } : step);
        from = to;
      }
      return filing.id;
    };
    return { fixture, fieldRequests, call, withdraw, at };
  };

  it('are blocked from every state that is not an end, again alike, and nobody is told', async () => {
    const { fixture, fieldRequests, call, withdraw, at } = await openWithdrawals();
    for (const status of STATUSES.filter(one => !isSettled(one))) {
      const id = await at(status);
      fixture.clock.time += 1_000;
      const now = fixture.clock.now();
      const answer = await withdraw(id);
      expect([status, answer.statusCode]).toEqual([status, 200]);
      expect(answer.json()).toMatchObject({
        ...{ request_id: id, status: 'blocked', waiting_on: null, queue_position: null, context_blob: 'mine' },
        updated_at: new Date(now).toISOString(),
      });
      const ticket = answer.json().disposition[0];
      if (ticket) expect(ticket.code).toBe('other');
      expect(await fieldRequests.find(id)).toMatchObject({
        settledAt: now,
        build: { blocked: { code: 'other', counter_offer: null } },
      });
      const { actor, from, to, reason } = (await fieldRequests.events(id)).at(-1)!;
      expect([actor, from, to, reason]).toEqual([
        fixture.account.email,
        status,
        'blocked',
        'withdrawn by its requester',
      ]);
      fixture.clock.time += 1_000;
      expect((await withdraw(id)).json()).toEqual(answer.json());
      expect((await call('GET', `/${id}`)).json()).toEqual(answer.json());
      expect(await fieldRequests.deliveries({ requestId: id, limit: 9 })).toEqual([]);
    }
  });

  it('that ended otherwise are 409 field_request_ended and stay as they are, also those that an operator blocked', async () => {
    const { fieldRequests, withdraw, at } = await openWithdrawals();
    for (const status of STATUSES.filter(isSettled)) {
      const id = await at(status);
      const before = await fieldRequests.find(id);
      const answer = await withdraw(id);
      expect([answer.statusCode, answer.json().detail]).toMatchObject([
        409,
        { error: 'field_request_ended', retryable: false, message: expect.stringContaining(status) },
      ]);
      expect(await fieldRequests.find(id)).toEqual(before);
    }
  });

  it('of others are not found', async () => {
    const { fixture, fieldRequests, withdraw, at } = await openWithdrawals();
    const id = await at('queued');
    const stranger = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'build'));
    for (const answer of [await withdraw(id, stranger), await withdraw(`fr_${'a'.repeat(26)}`), await withdraw('x')])
      expect([answer.statusCode, answer.json().detail.error]).toEqual([404, 'field_request_not_found']);
    expect((await fieldRequests.find(id))!.status).toBe('queued');
  });

  it('while they are screened stay withdrawn, and lose their addresses 30 days later', async () => {
    const { fixture, fieldRequests, call, withdraw } = await openWithdrawals();
    const filing = filingOf(fixture, { callback: { webhook_url: 'https://hooks.example.org/' } });
    await fieldRequests.file({ ...filing, job: screeningOf(filing.id, filing.accountId) });
    expect((await withdraw(filing.id)).statusCode).toBe(200);
    expect((await doNext(servicesOf(fixture), screeningJob))?.status).toBe('done');
    const step = { id: filing.id, by: 'test', reason: '', now: fixture.clock.now() };
    expect(
      await fieldRequests.move({ ...step, from: ['screening'], to: 'rejected', news: screeningCompleted }),
    ).toBeNull();
    for (const [days, address] of [
      [29, '73 HARLOW ST, BANGOR, ME 04401'],
      [2, undefined],
    ] as const) {
      fixture.clock.time += days * DAY_MS;
      await fixture.state.jobs.enqueue(jobOf(scrubJob, 'schedule', {}, null));
      await doNext(servicesOf(fixture), scrubJob);
      const polled = (await call('GET', `/${filing.id}`)).json();
      expect([polled.status, polled.resolved_locations[0].resolved_address]).toEqual(['blocked', address]);
    }
  });

  it('make room: an account has so many open ones, a replay is never refused, and an end makes room too', async () => {
    const { fixture, fieldRequests, call, withdraw } = await openWithdrawals();
    const limit = PLANS.build.openFieldRequests;
    const body = (key: string) => ({
      description: 'the age of the sewers',
      example_locations: [{ lat: 44.8, lng: -68.77 }],
      idempotency_key: key,
    });
    const filed = [await call('POST', '', body('k 0'))];
    const rest = Array.from({ length: limit + 3 }, (_, i) => call('POST', '', body(`k ${i + 1}`)));
    filed.push(...(await Promise.all(rest)));
    const statuses = filed.map(({ statusCode }) => statusCode);
    expect(statuses.filter(status => status === 202)).toHaveLength(limit);
    const refused = filed.find(({ statusCode }) => statusCode === 429)!;
    expect(refused.json().detail).toMatchObject({ error: 'field_requests_limited', retryable: false });
    const first = statuses.indexOf(202);
    expect((await call('POST', '', body(`k ${first}`))).statusCode).toBe(200);
    // The key of a refused filing is not used up.
    const key = `k ${statuses.indexOf(429)}`;
    expect((await call('POST', '', body(key))).statusCode).toBe(429);
    const { request_id: id } = filed[first]!.json();
    await withdraw(id);
    expect((await call('POST', '', body(key))).statusCode).toBe(202);
    expect((await call('POST', '', body('another'))).statusCode).toBe(429);
    // An end of another kind makes room as well; another account has room of its own.
    const { request_id: other } = filed.filter(({ statusCode }) => statusCode === 202)[1]!.json();
    await fieldRequests.move({ id: other, from: ['received'], to: 'blocked', by: 't', reason: '', now: 1 });
    expect((await call('POST', '', body('another'))).statusCode).toBe(202);
    const stranger = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'build'));
    expect((await call('POST', '', body('k 0'), stranger)).statusCode).toBe(202);
    expect(await fieldRequests.open(fixture.account.id)).toBe(limit);
  });
});
