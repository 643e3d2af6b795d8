import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ctx } from '../../../server/context.ts';
import type { Credential } from '../../../server/credential.ts';
import {
  allowanceFrom,
  creditsExhausted,
  limiterOf,
  readAllowance,
  spendable,
} from '../../../server/credits/allowance.ts';
import { takeFromBudget } from '../../../server/credits/budget.ts';
import { reserveCredits, settleCredits, shortage } from '../../../server/credits/charge.ts';
import { billed, creditsOf, priceOf } from '../../../server/credits/price.ts';
import { ServiceError } from '../../../server/errors/registry.ts';
import type { Plan } from '../../../server/plans.ts';
import type { ReservationRequest } from '../../../server/state/ledger.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { Bill } from '../../../server/state/usage/bill.ts';
import { periodOf, resetOf } from '../../../server/state/usage/period.ts';
import { FakeClock } from '../fake-clock.ts';

const DAY_MS = 86_400_000;
let state: StateStore;
beforeAll(async () => {
  state = await openSqlite(':memory:');
});
afterAll(() => state.close());

let clock: FakeClock;
let accountId: string;
let people = 0;
beforeEach(async () => {
  clock = new FakeClock();
  accountId = (await state.openAccount(`${people++}@example.org`, 'free')).id;
});

const SESSION: Credential = { kind: 'session' };
const limited = (creditsADay: number | null, scopes: string[] = ['read', 'spend'], kind = 'token') =>
  ({ kind, jti: 'j', clientId: 'c', grantId: `grant ${people}`, scopes, creditsADay }) as unknown as Credential;
const ctxOf = (credential: Credential | null = SESSION, plan: Plan = 'free', of: StateStore = state) =>
  ({
    account: { id: accountId, plan },
    credential,
    clock,
    state: of,
    deadline: clock.now() + 10_000,
    bill: new Bill(),
  }) as unknown as Ctx;
const usage = () => state.ledger.usage(accountId, periodOf(clock.now()), clock.now());
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ServiceError) => error,
  );

it('a month is that of UTC, and is renewed at its end', () => {
  expect(periodOf(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe('2026-12');
  expect(periodOf(Date.UTC(2027, 0, 1))).toBe('2027-01');
  expect(resetOf(Date.UTC(2026, 0, 31, 12))).toEqual(new Date(Date.UTC(2026, 1, 1)));
  expect(resetOf(Date.UTC(2026, 11, 1))).toEqual(new Date(Date.UTC(2027, 0, 1)));
});

it('a bill sums what a request was charged, and tells what is left; nothing where nothing was metered', () => {
  const bill = new Bill();
  expect([bill.sums, bill.headers]).toEqual([null, {}]);
  bill.add(2, 100, { spent: 30, held: 20 });
  bill.add(3, 100, { spent: 33, held: 20 });
  expect(bill.sums).toEqual({ credits: 5, remaining: 47 });
  expect(bill.headers).toEqual({ 'x-service-credits': '5', 'x-service-credits-remaining': '47' });
  bill.add(0, 50, { spent: 33, held: 20 });
  expect(bill.sums).toEqual({ credits: 5, remaining: 0 });
});

it('fields cost one by one, and those of the parcel record together', () => {
  const catalog = { parcelRecord: new Set(['apn', 'owner']) } as never;
  expect(priceOf(catalog, 'free', ['a', 'b', 'c'])).toEqual({
    fields: 3,
    fieldCredits: 3,
    parcelFields: 0,
    parcelCredits: 0,
    total: 3,
  });
  expect(priceOf(catalog, 'free', ['a', 'apn', 'owner'])).toEqual({
    fields: 1,
    fieldCredits: 1,
    parcelFields: 2,
    parcelCredits: 300,
    total: 301,
  });
  expect(priceOf(catalog, 'scale', ['apn']).total).toBe(150);
  expect([creditsOf('POST /v1/geocode'), creditsOf('POST /v1/ask')]).toEqual([1, 20]);
  expect(billed({ a: { status: 'ok' }, b: { status: 'failed' }, c: { status: 'absent' } })).toEqual(['a', 'c']);
});

it('an allowance counts what is held as used, under the lower of both limits', async () => {
  const ctx = ctxOf();
  expect(allowanceFrom(ctx, { spent: 300, held: 50, selfLimit: null })).toEqual({
    credits_included: 1_000,
    credits_used: 350,
    credits_remaining: 650,
    self_imposed_limit: null,
    effective_limit: 1_000,
    resets_at: '2026-02-01T00:00:00.000Z',
  });
  expect(allowanceFrom(ctx, { spent: 1_100, held: 0, selfLimit: 500 })).toMatchObject({
    credits_remaining: 0,
    effective_limit: 500,
  });
  expect(allowanceFrom(ctx, { spent: 0, held: 0, selfLimit: 5_000 }).effective_limit).toBe(1_000);
  await state.setMonthlyCreditLimit(accountId, 20);
  const held = await reserveCredits(ctx, `x/${accountId}`, 'x', [7]);
  expect(await readAllowance(ctx)).toMatchObject({ credits_used: 7, self_imposed_limit: 20 });
  await settleCredits(ctx, held, 0);
});

it('a cost is refused by the limit that it passes', () => {
  const of = (spent: number, selfLimit: number | null) => allowanceFrom(ctxOf(), { spent, held: 0, selfLimit });
  expect([spendable(of(990, null)), spendable(of(990, 500))]).toEqual([10, 0]);
  expect([limiterOf(of(990, null), 10), limiterOf(of(990, null), 11)]).toEqual(['none', 'plan']);
  expect([limiterOf(of(0, 5), 5), limiterOf(of(0, 5), 6), limiterOf(of(0, 1_000), 1_001)]).toEqual([
    'none',
    'self',
    'plan',
  ]);
});

it('a refusal says what is left, of which limit, and when it is renewed', () => {
  const plan = creditsExhausted(ctxOf(), { spent: 990, held: 4, selfLimit: null }, 7);
  expect(plan).toBeInstanceOf(ServiceError);
  expect(plan.body.detail).toMatchObject({
    error: 'credits_exhausted',
    message: 'Credits needed: 7; 6 of 1000 are left on plan free. They are renewed at 2026-02-01T00:00:00.000Z.',
    plan: 'free',
    credits_required: 7,
    credits_included: 1_000,
    credits_used: 994,
    credits_remaining: 6,
    self_imposed_limit: null,
    resets_at: '2026-02-01T00:00:00.000Z',
  });
  expect(plan.retryAfter).toEqual(new Date(Date.UTC(2026, 1, 1)));
  const self = creditsExhausted(ctxOf(), { spent: 9, held: 0, selfLimit: 10 }, 7);
  expect(self.body.detail).toMatchObject({
    message: expect.stringContaining('1 of 10 are left under the limit this account set itself.'),
    self_imposed_limit: 10,
  });
  // The plan refuses it, although the account has a limit as well.
  expect(creditsExhausted(ctxOf(), { spent: 999, held: 0, selfLimit: 1_000 }, 7).body.detail).toMatchObject({
    self_imposed_limit: null,
  });
});

it('a request for nothing takes nothing, and only tokens and agents have budgets', async () => {
  for (const credential of [null, SESSION, { kind: 'guest' } as const])
    expect(await takeFromBudget(ctxOf(credential), 5)).toBeNull();
  expect(await takeFromBudget(ctxOf(limited(null)), 5)).toBeNull();
  expect(await takeFromBudget(ctxOf(limited(null, ['read'])), 0)).toBeNull();
});

it.each(['token', 'grant'])('a %s that may not spend is told so before any work', async kind => {
  const error = await errorOf(takeFromBudget(ctxOf(limited(null, ['read', 'write'], kind)), 1));
  expect(error!.body.detail).toMatchObject({
    error: 'scope_insufficient',
    message: expect.stringMatching(/spend.*read, write/),
    required: ['spend'],
    scopes: ['read', 'write'],
  });
});

it('a budget is of a day of UTC; what passes what is left of it is refused until then, what passes all of it for good', async () => {
  clock.time = Math.floor(clock.time / DAY_MS) * DAY_MS + DAY_MS - 1;
  const ctx = ctxOf(limited(10));
  const day = Math.floor(clock.time / DAY_MS);
  const { grantId } = ctx.credential as never as { grantId: string };
  expect(await takeFromBudget(ctx, 8)).toEqual({ grantId, day, credits: 8 });
  const error = await errorOf(takeFromBudget(ctx, 3));
  const resets = new Date((day + 1) * DAY_MS);
  expect(error!.body.detail).toMatchObject({
    error: 'token_budget_exhausted',
    credits_required: 3,
    credits_a_day: 10,
    credits_remaining: 2,
    resets_at: resets.toISOString(),
    retryable: true,
  });
  expect(error!.message).toContain(resets.toISOString());
  expect(error!.message).toMatch(/3.*2.*10/);
  expect(error!.retryAfter).toEqual(resets);
  const never = await errorOf(takeFromBudget(ctx, 11));
  expect([never!.body.detail.retryable, never!.retryAfter]).toEqual([false, undefined]);
  expect((await errorOf(takeFromBudget(ctx, 10)))!.body.detail.retryable).toBe(true);
  expect(await takeFromBudget(ctx, 2)).toMatchObject({ credits: 2 });
  expect(await takeFromBudget(ctx, 0)).toMatchObject({ credits: 0 });
  clock.time++;
  expect(await takeFromBudget(ctx, 10)).toEqual({ grantId, day: day + 1, credits: 10 });
});

it('what is given back may be taken again, each day and each grant for itself', async () => {
  const share = (grantId: string, day: number, credits: number) => ({ grantId: `${people} ${grantId}`, day, credits });
  const take = (of: ReturnType<typeof share>) => state.budgets.take(of, 10);
  await take(share('a', 1, 10));
  await take(share('b', 1, 10));
  expect(await take(share('a', 1, 1))).toEqual({ left: 0 });
  await state.budgets.giveBack(share('a', 1, 4));
  await state.budgets.giveBack(share('a', 1, 0));
  await state.budgets.giveBack(share('a', 0, 4));
  expect(await take(share('a', 1, 5))).toEqual({ left: 4 });
  expect(await take(share('b', 1, 1))).toEqual({ left: 0 });
  expect(await take(share('a', 1, 4))).toBeNull();
  // A smaller budget than was spent leaves nothing, not less than that.
  expect(await state.budgets.take(share('a', 1, 1), 5)).toEqual({ left: 0 });
  // A new day begins with all of it and forgets the days before, not those of others.
  expect(await take(share('a', 2, 10))).toBeNull();
  expect(await take(share('a', 1, 10))).toBeNull();
  expect(await take(share('b', 1, 1))).toEqual({ left: 0 });
});

it('credits are reserved with the terms of the request, and only what the work cost is charged', async () => {
  const asked: ReservationRequest[] = [];
  const ledger = {
    ...state.ledger,
    reserve(request: ReservationRequest) {
      asked.push(request);
      return state.ledger.reserve(request);
    },
  };
  const ctx = ctxOf(limited(null), 'build', { ...state, ledger });
  const { grantId } = ctx.credential as never as { grantId: string };
  const held = await reserveCredits(ctx, `fetch/${accountId}`, 'fetch', [3, 4]);
  const now = clock.now();
  expect(asked).toEqual([
    {
      id: `fetch/${accountId}`,
      accountId,
      period: '2026-01',
      endpoint: 'fetch',
      grantId,
      costs: [3, 4],
      allowance: 25_000,
      now,
      expiresAt: now + 70_000,
    },
  ]);
  expect(held).toMatchObject({ reserved: 7, granted: [true, true] });
  expect('budget' in held).toBe(false);
  await settleCredits(ctx, held, 5);
  expect(ctx.bill.sums).toEqual({ credits: 5, remaining: 24_995 });
  expect(await usage()).toMatchObject({ spent: 5, held: 0 });
  await reserveCredits({ ...ctxOf(), state: { ...state, ledger } } as Ctx, `b/${accountId}`, 'b', [1]);
  expect(asked[1]!.grantId).toBe('');
});

it('what a budget gave and the work did not cost goes back to it', async () => {
  const ctx = ctxOf(limited(10));
  const held = await reserveCredits(ctx, `x/${accountId}`, 'x', [4, 6]);
  expect(held.budget).toMatchObject({ credits: 10 });
  expect((await errorOf(takeFromBudget(ctx, 1)))!.code).toBe('token_budget_exhausted');
  await settleCredits(ctx, held, 3);
  expect(await takeFromBudget(ctx, 7)).toMatchObject({ credits: 7 });
  expect((await errorOf(takeFromBudget(ctx, 1)))!.code).toBe('token_budget_exhausted');
});

it('a reservation that is refused, or fails, gives back what its budget gave', async () => {
  const ctx = ctxOf(limited(5_000));
  const error = await errorOf(reserveCredits(ctx, `x/${accountId}`, 'x', [2_000, 1_500]));
  expect(error!.body.detail).toMatchObject({ error: 'credits_exhausted', credits_required: 1_500, credits_used: 0 });
  const broken = { ...state, ledger: { ...state.ledger, reserve: () => Promise.reject(new Error('no store')) } };
  const failing = { ...ctx, state: broken } as unknown as Ctx;
  await expect(reserveCredits(failing, `y/${accountId}`, 'y', [4_000])).rejects.toThrow('no store');
  expect(await takeFromBudget(ctx, 5_000)).toMatchObject({ credits: 5_000 });
  // Without a budget there is nothing to give back.
  expect((await errorOf(reserveCredits(ctxOf(), `z/${accountId}`, 'z', [1_001])))!.code).toBe('credits_exhausted');
});

it('work that outlived its reservation is refused where its credits are gone', async () => {
  const ctx = ctxOf();
  const held = await reserveCredits(ctx, `x/${accountId}`, 'x', [600]);
  clock.time += 70_001;
  await reserveCredits(ctxOf(), `y/${accountId}`, 'y', [900]);
  const error = await errorOf(settleCredits(ctx, held, 500));
  expect(error!.body.detail).toMatchObject({ error: 'credits_exhausted', credits_required: 500, credits_used: 900 });
  expect(ctx.bill.sums).toBeNull();
  expect((await shortage(ctx, 7)).body.detail).toMatchObject({ credits_required: 7, credits_used: 900 });
});
