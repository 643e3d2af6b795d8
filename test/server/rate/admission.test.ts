import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../server/errors/registry.ts';
import { leasesHeld } from '../../../server/lease/lease.ts';
import { Admission } from '../../../server/rate/admission.ts';
import { EACH_SECOND, Pace } from '../../../server/rate/pace.ts';

const timers = createRequire(import.meta.url)('node:timers/promises') as { setTimeout: unknown };
const { setTimeout: reallySleep } = timers;
/** How long each refusal that was held back was to wait, and what lets it go. */
const waits: { ms: number; over: () => void }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
  timers.setTimeout = (ms: number) => new Promise<void>(resolve => waits.push({ ms, over: resolve }));
  syncBuiltinESMExports();
  waits.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  timers.setTimeout = reallySleep;
  syncBuiltinESMExports();
});

/** A response with the headers that it was given. */
function reply() {
  const headers: Record<string, string> = {};
  const raw = Object.assign(new EventEmitter(), { destroyed: false });
  const it = {
    raw,
    getHeader: (name: string) => headers[name],
    header(name: string, value: string) {
      headers[name] = value;
    },
  };
  return { raw, headers, of: it as unknown as FastifyReply };
}
const from = (ip: string) => ({ ip, routeOptions: { config: {} } }) as unknown as FastifyRequest;
const A = from('192.0.2.1');
const B = from('192.0.2.2');
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ServiceError) => error,
  );
const messageOf = async (work: Promise<unknown>) => (await refusalOf(work))?.message;

it('an account has so many requests at once, each until its response has ended, and another has its own', async () => {
  const admission = new Admission({ accountRequests: 2, addressRequests: 0 });
  const replies = [reply(), reply()];
  const held = leasesHeld().get('account') ?? 0;
  for (const { of } of replies) await admission.admitAccount('ann', of);
  expect(leasesHeld().get('account')).toBe(held + 2);
  const error = await refusalOf(admission.admitAccount('ann', reply().of));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^More than 2 requests of this account at once/),
    retryAfter: 1,
  });
  await admission.admitAccount('bob', reply().of);
  replies[0]!.raw.emit('close');
  await admission.admitAccount('ann', reply().of);
  expect(await messageOf(admission.admitAccount('ann', reply().of))).toMatch(/^More than 2/);
});

it('without a limit nobody is refused, and no limit is told', async () => {
  const admission = new Admission({ accountRequests: 0, addressRequests: 0 });
  const { of, headers } = reply();
  for (let i = 0; i < 150; i++) {
    await admission.admitAccount('ann', of);
    await admission.admitAddress(A, of);
  }
  expect(headers).toEqual({});
});

it('a request whose client has gone is not begun, and keeps nothing', async () => {
  const admission = new Admission({ accountRequests: 1, addressRequests: 1 });
  const { of, raw } = reply();
  raw.destroyed = true;
  for (const work of [admission.admitAccount('ann', of), admission.admitAddress(A, of)])
    expect(await refusalOf(work)).toMatchObject({ name: 'AbortError', message: 'The client has gone' });
  await admission.admitAccount('ann', reply().of);
  await admission.admitAddress(A, reply().of);
});

it('an address without a token has so many requests at once and so many a second, which it is told', async () => {
  const admission = new Admission({ accountRequests: 0, addressRequests: 2 });
  const first = reply();
  const held = leasesHeld().get('address') ?? 0;
  await admission.admitAddress(A, first.of);
  expect(leasesHeld().get('address')).toBe(held + 1);
  expect(first.headers).toEqual({ 'ratelimit-policy': '"second";q=100;w=1', ratelimit: '"second";r=99;t=1' });
  await admission.admitAddress(A, reply().of);
  expect(await messageOf(admission.admitAddress(A, reply().of))).toMatch(
    /^More than 2 requests without a token at once from this address/,
  );
  await admission.admitAddress(B, reply().of);
  first.raw.emit('close');
  for (let i = 3; i < EACH_SECOND; i++) {
    const { of, raw } = reply();
    await admission.admitAddress(A, of);
    raw.emit('close');
  }
  const last = reply();
  expect(await messageOf(admission.admitAddress(A, last.of))).toMatch(
    /^Too many requests without a token a second from this address/,
  );
  expect(last.headers.ratelimit).toBe('"second";r=0;t=1');
  vi.advanceTimersByTime(1_000);
  const later = reply();
  await admission.admitAddress(A, later.of);
  expect(later.headers.ratelimit).toBe('"second";r=99;t=1');
});

it('the last of so many a second is admitted, with nothing left', async () => {
  const admission = new Admission({ accountRequests: 0, addressRequests: 1 });
  for (let i = 1; i <= EACH_SECOND; i++) {
    const { of, raw, headers } = reply();
    await admission.admitAddress(A, of);
    raw.emit('close');
    expect(headers.ratelimit).toBe(`"second";r=${EACH_SECOND - i};t=1`);
  }
});

it('a stranger is refused as he is, and as one of too many from the twenty-first refusal of a second on', async () => {
  const admission = new Admission({ accountRequests: 0, addressRequests: 0 });
  const error = new ServiceError('auth_missing');
  for (let i = 0; i < 20; i++) expect(await refusalOf(admission.refuseStranger(A, error))).toBe(error);
  const held = refusalOf(admission.refuseStranger(A, error));
  expect(waits.map(({ ms }) => ms)).toEqual([1_000]);
  waits[0]!.over();
  expect(await held).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Too many refused requests a second from this address/),
    retryAfter: 1,
  });
  expect(await refusalOf(admission.refuseStranger(B, error))).toBe(error);
  vi.advanceTimersByTime(1_000);
  expect(await refusalOf(admission.refuseStranger(A, error))).toBe(error);
});

it('refusals that are held back leave ten milliseconds apart and five seconds late at most, each owner for itself', async () => {
  const pace = new Pace(0);
  const hold = (owner: string) => pace.hold(owner);
  for (let i = 0; i < 3; i++) void hold('a');
  void hold('b');
  expect(waits.map(({ ms }) => ms)).toEqual([1_000, 1_010, 1_020, 1_000]);
  for (let i = 0; i < 500; i++) void hold('a');
  expect(waits.slice(4).map(({ ms }) => ms)).toEqual([
    ...Array.from({ length: 398 }, (_, i) => 1_030 + 10 * i),
    ...Array(102).fill(5_000),
  ]);
});

it('an owner whose refusals were all sent waits a second again, not behind them', async () => {
  const pace = new Pace(0);
  const held = [pace.hold('a'), pace.hold('a')];
  vi.advanceTimersByTime(500);
  for (const { over } of waits.splice(0)) over();
  await Promise.all(held);
  void pace.hold('a');
  expect(waits.map(({ ms }) => ms)).toEqual([1_000]);
});

it('an owner with a refusal still held is told from one whose last was sent', async () => {
  const pace = new Pace(0);
  const held = [pace.hold('a'), pace.hold('a')];
  const [first] = waits.splice(0);
  first!.over();
  await held[0];
  void pace.hold('a');
  expect(waits.map(({ ms }) => ms)).toEqual([1_020]);
});

it('counts by whole seconds and by owner', () => {
  const pace = new Pace(2);
  expect([pace.count('a'), pace.count('a'), pace.count('b')]).toEqual([1, 2, 1]);
  expect(pace.hold('a')).toBeUndefined();
  expect(pace.isOver('a')).toBe(false);
  expect(pace.hold('a')).toBeUndefined();
  expect([pace.isOver('a'), pace.isOver('b')]).toEqual([true, false]);
  vi.advanceTimersByTime(999);
  expect([pace.isOver('a'), pace.count('a')]).toEqual([true, 3]);
  vi.advanceTimersByTime(1);
  expect([pace.isOver('a'), pace.count('a'), pace.count('b')]).toEqual([false, 1, 1]);
});
