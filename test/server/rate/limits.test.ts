import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { guestLimit } from '../../../server/rate/guest-limit.ts';
import { admitCounted, type Quota, type RateLimit, rateLimit, tellQuota } from '../../../server/rate/limit.ts';
import { throttled, throttledStart, throttleKey, waiting } from '../../../server/rate/throttle.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import type { Account } from '../../../server/state/account.ts';
import { StateUnavailable } from '../../../server/state/outage/unavailable.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { FakeClock } from '../fake-clock.ts';

const MINUTE_MS = 60_000;
let state: StateStore;
beforeAll(async () => {
  state = await openSqlite(':memory:');
});
afterAll(() => state.close());

let clock: FakeClock;
let people = 0;
/** Somebody whom no test before counted. */
let whose: string;
beforeEach(() => {
  clock = new FakeClock();
  clock.time = Math.ceil(clock.time / 86_400_000) * 86_400_000;
  whose = `person ${people++}`;
});

function told() {
  const headers: Record<string, string> = {};
  const of = {
    getHeader: (name: string) => headers[name],
    header(name: string, value: string) {
      headers[name] = value;
    },
  } as unknown as FastifyReply;
  return { headers, of };
}

it('a limit is told by both headers, several as lists', () => {
  const { headers, of } = told();
  tellQuota(of, { window: 'minute', limit: 60, remaining: 59, seconds: 12 });
  expect(headers).toEqual({ 'ratelimit-policy': '"minute";q=60;w=60', ratelimit: '"minute";r=59;t=12' });
  tellQuota(of, { window: 'second', limit: 100, remaining: 0, seconds: 1 });
  expect(headers).toEqual({
    'ratelimit-policy': '"minute";q=60;w=60, "second";q=100;w=1',
    ratelimit: '"minute";r=59;t=12, "second";r=0;t=1',
  });
});

it.each<[Quota['window'], string]>([
  ['minute', 'requests'],
  ['suggestions', 'suggestions'],
  ['revocations', 'requests about credentials'],
  ['guests', 'requests of guests at this address'],
  ['guest-tokens', 'tokens for guests at this address'],
  ['guest-suggestions', 'suggestions for guests at this address'],
])('one too many of %s is told the limit and refused until the window ends', (window, words) => {
  const { headers, of } = told();
  const quota = { window, limit: 7, remaining: 0, seconds: 12 };
  admitCounted(of, { ...quota, isOver: false });
  expect(headers['ratelimit-policy']).toBe(`"${window}";q=7;w=60`);
  expect(() => admitCounted(told().of, { ...quota, isOver: true })).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      message: expect.stringMatching(new RegExp(`^More than 7 ${words} in a minute`)),
      retryAfter: 12,
    }),
  );
});

it('guests are counted by address, act and clock minute, the last of the limit let in', () => {
  const limit = guestLimit(clock);
  clock.time += 12_345;
  for (let left = 9; left >= 0; left--, clock.time++)
    expect(limit('token', 'a')).toEqual({
      window: 'guest-tokens',
      limit: 10,
      remaining: left,
      seconds: 48,
      isOver: false,
    });
  expect(limit('token', 'a')).toMatchObject({ remaining: 0, isOver: true });
  expect(limit('token', 'b')).toMatchObject({ remaining: 9, isOver: false });
  expect(limit('reading', 'a')).toMatchObject({ window: 'guests', limit: 60, remaining: 59 });
  expect(limit('suggestion', 'a')).toMatchObject({ window: 'guest-suggestions', limit: 600, remaining: 599 });
  clock.time += MINUTE_MS - 12_355;
  expect(limit('token', 'a')).toMatchObject({ remaining: 9, seconds: 60, isOver: false });
});

/** Windows that count in memory, and how often they were asked. */
function windows() {
  const counts = new Map<string, number>();
  const asked = { requests: 0, attempts: 0, isDown: false };
  const limit = rateLimit(
    {
      requests: {
        async count(account: string, minute: number) {
          asked.requests++;
          if (asked.isDown) throw new StateUnavailable(new Error('down'));
          const key = `${account} ${minute}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
          return counts.get(key)!;
        },
      },
      attempts: {
        ...state.attempts,
        take(...of: Parameters<StateStore['attempts']['take']>) {
          asked.attempts++;
          return state.attempts.take(...of);
        },
      },
    } as unknown as StateStore,
    clock,
  );
  return { limit, asked };
}
const account = (id: string, plan: Account['plan'] = 'free') => ({ id, plan }) as Account;
const times = async <T>(count: number, work: () => Promise<T>): Promise<T> => {
  for (let i = 1; i < count; i++) await work();
  return work();
};

it('requests of an account count against the minute of its plan; a used-up minute writes no more', async () => {
  const { limit, asked } = windows();
  clock.time += 12_345;
  expect(await limit.request(account('ann'))).toEqual({
    window: 'minute',
    limit: 60,
    remaining: 59,
    seconds: 48,
    isOver: false,
  });
  expect(await times(59, () => limit.request(account('ann')))).toMatchObject({ remaining: 0, isOver: false });
  for (let i = 0; i < 3; i++, clock.time++)
    expect(await limit.request(account('ann'))).toEqual({
      window: 'minute',
      limit: 60,
      remaining: 0,
      seconds: 48,
      isOver: true,
    });
  expect(asked.requests).toBe(61);
  expect(await limit.request(account('bob'))).toMatchObject({ remaining: 59 });
  // Another plan, bought in between, has another limit.
  expect(await limit.request(account('ann', 'build'))).toMatchObject({ limit: 120, remaining: 58, isOver: false });
  clock.time += MINUTE_MS - 12_348;
  expect(await limit.request(account('ann'))).toMatchObject({ remaining: 59, seconds: 60 });
});

it('while the state store is down requests are counted here where that is allowed, and nowhere else', async () => {
  const { limit, asked } = windows();
  asked.isDown = true;
  await expect(limit.request(account('ann'))).rejects.toBeInstanceOf(StateUnavailable);
  for (const left of [59, 58]) expect(await limit.request(account('ann'), true)).toMatchObject({ remaining: left });
  expect(await limit.request(account('bob'), true)).toMatchObject({ remaining: 59 });
  clock.time += MINUTE_MS;
  expect(await limit.request(account('ann'), true)).toMatchObject({ remaining: 59 });
  const broken = rateLimit(
    { requests: { count: () => Promise.reject(new Error('a defect')) }, attempts: state.attempts } as never,
    clock,
  );
  await expect(broken.request(account('ann'), true)).rejects.toThrow('a defect');
});

it.each(['suggestion', 'revocation'] as const)(
  'each %s counts against a limit of its own, and a used-up one writes no more',
  async what => {
    const { limit, asked } = windows();
    clock.time += 12_345;
    const window = `${what}s` as const;
    const { most } = LIMITS[window];
    const count = (of: RateLimit = limit) => of[what](whose);
    expect(await count()).toEqual({ window, limit: most, remaining: most - 1, seconds: 48, isOver: false });
    expect(await times(most - 1, count)).toMatchObject({ remaining: 0, isOver: false });
    for (let i = 0; i < 3; i++, clock.time++)
      expect(await count()).toEqual({ window, limit: most, remaining: 0, seconds: 48, isOver: true });
    expect(asked.attempts).toBe(most + 1);
    expect(await limit[what](`another ${whose}`)).toMatchObject({ remaining: most - 1 });
    expect(await limit[what === 'suggestion' ? 'revocation' : 'suggestion'](whose)).toMatchObject({ isOver: false });
    clock.time += MINUTE_MS;
    expect(await count()).toMatchObject({ remaining: most - 1 });
  },
);

/** Attempts of a limit that were counted for somebody by now. */
const counted = (limit: keyof typeof LIMITS, of = whose) =>
  state.attempts.counted(throttleKey(limit, of), clock.time, LIMITS[limit].lengthMs);
const fill = async (limit: keyof typeof LIMITS, of = whose) => {
  for (let i = 0; i < LIMITS[limit].most; i++)
    await state.attempts.take(throttleKey(limit, of), clock.time, LIMITS[limit].lengthMs, LIMITS[limit].most);
};

it('an attempt counts against each of its limits until one is full, and then against none', async () => {
  const tries = { 'mail to an address from a client': whose, 'mail for a client': [whose, `${whose} too`] };
  for (let i = 1; i <= 3; i++) {
    expect(await waiting(state.attempts, clock, tries)).toBeNull();
    expect(await throttled(state.attempts, clock, tries)).toBeNull();
    expect([await counted('mail for a client'), await counted('mail for a client', `${whose} too`)]).toEqual([i, i]);
  }
  clock.time += 600_001;
  const wait = { limit: 'mail to an address from a client', seconds: 3_000 };
  expect(await waiting(state.attempts, clock, tries)).toEqual(wait);
  expect(await throttled(state.attempts, clock, tries)).toEqual(wait);
  expect(await counted('mail for a client')).toBe(3);
  clock.time += 3_600_000;
  expect(await throttled(state.attempts, clock, tries)).toBeNull();
});

it('of other limits an attempt counts against the first set that has room, and waits for the last where none has', async () => {
  const sets = [{ 'mail to an address from a client': whose }, { question: whose }];
  const attempt = () => throttled(state.attempts, clock, { 'mail for a client': whose }, ...sets);
  expect(await attempt()).toBeNull();
  expect([await counted('mail to an address from a client'), await counted('question')]).toEqual([1, 0]);
  await fill('mail to an address from a client');
  expect(await attempt()).toBeNull();
  expect([await counted('mail for a client'), await counted('question')]).toEqual([2, 1]);
  const wait = { limit: 'question', seconds: 86_400 };
  expect(await waiting(state.attempts, clock, { 'mail for a client': whose }, ...sets)).toEqual(wait);
  expect(await attempt()).toEqual(wait);
  expect(await counted('mail for a client')).toBe(2);
});

it('who is refused by a limit of his own is told that one, whatever others have room', async () => {
  await fill('mail to an address from a client');
  const wait = { limit: 'mail to an address from a client', seconds: 3_600 };
  expect(
    await throttled(state.attempts, clock, { 'mail to an address from a client': whose }, { question: whose }),
  ).toEqual(wait);
  expect(await counted('question')).toBe(0);
});

it('an attempt that another one overtook between the look and the count is refused', async () => {
  const overtaken = { ...state.attempts, counted: async () => 0 };
  await fill('question');
  expect(await throttled(overtaken, clock, { question: whose })).toEqual({ limit: 'question', seconds: 86_400 });
});

it.each([
  ['registration', 'registration by a client'],
  ['metadata', 'metadata for a client'],
  ['device login', 'device login of a client'],
] as const)('a %s counts by client and network; from a known network against what all share', async (what, client) => {
  const ip = '2001:db8:1:2:3::4';
  const network = '2001:db8:1';
  clock.time += 86_400_000 * 10;
  for (let i = 1; i <= 3; i++) {
    expect(await throttledStart(state.attempts, clock, what, ip)).toBeNull();
    expect([
      await counted(client, '2001:db8:1:2'),
      await counted(`${what} from a network`, network),
      await counted(`${what} from networks`, ''),
      await counted(what, ''),
    ]).toEqual([i, i, i, 0]);
  }
  expect(await throttledStart(state.attempts, clock, what, ip)).toBeNull();
  expect([
    await counted(client, '2001:db8:1:2'),
    await counted(`${what} from networks`, ''),
    await counted(what, ''),
  ]).toEqual([4, 3, 1]);
  await fill(client, '2001:db8:1:2');
  expect(await throttledStart(state.attempts, clock, what, ip)).toMatchObject({ limit: client });
  expect(await counted(what, '')).toBe(1);
});
