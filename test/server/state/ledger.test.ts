import { describe, expect, it } from 'vitest';
import type { Reservation, ReservationRequest } from '../../../server/state/ledger.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { describeStores } from './state-stores.ts';

/** A seeded sequence in [0, 1): a failing run can be repeated. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describeStores('the ledger', kind => {
  const PERIOD = '2026-01';
  let ids = 0;
  const open = async (place?: Awaited<ReturnType<typeof kind.place>>) => kind.open(place ?? (await kind.place()));
  const account = (state: StateStore) => state.openAccount('a@b', 'free');
  const request = (accountId: string, more: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: `c${ids++}`,
    accountId,
    period: PERIOD,
    endpoint: 'fetch',
    grantId: '',
    costs: [10],
    allowance: 100,
    now: 1_000,
    expiresAt: 2_000,
    ...more,
  });
  const reserve = async (state: StateStore, asked: ReservationRequest): Promise<Reservation> => {
    const held = await state.ledger.reserve(asked);
    if ('refused' in held) throw new Error(`refused: ${JSON.stringify(held.refused)}`);
    return held;
  };

  it('holds before work, charges what it came to and gives the rest back', async () => {
    const state = await open();
    const { id } = await account(state);
    expect(await state.ledger.usage(id, PERIOD, 0)).toEqual({ spent: 0, held: 0, selfLimit: null });
    const held = await reserve(state, request(id));
    expect(held).toMatchObject({ reserved: 10, granted: [true] });
    expect(await state.ledger.usage(id, PERIOD, 0)).toEqual({ spent: 0, held: 10, selfLimit: null });
    expect(await state.ledger.settle(held, 7, 1_500)).toEqual({ spent: 7, held: 0 });
    expect(await state.ledger.usage(id, PERIOD, 0)).toEqual({ spent: 7, held: 0, selfLimit: null });
  });

  it('settles once, whatever comes after', async () => {
    const state = await open();
    const { id } = await account(state);
    const held = await reserve(state, request(id));
    await state.ledger.settle(held, 7, 1_500);
    for (const cost of [7, 3, 0]) expect(await state.ledger.settle(held, cost, 1_600)).toEqual({ spent: 7, held: 0 });
    expect(await state.ledger.usage(id, PERIOD, 9_999)).toMatchObject({ spent: 7, held: 0 });
  });

  it('never charges more than was reserved', async () => {
    const state = await open();
    const { id } = await account(state);
    const held = await reserve(state, request(id));
    await expect(state.ledger.settle(held, 11, 1_500)).rejects.toThrow(
      new RangeError(`Charge ${held.id}: 11 credits are more than the 10 reserved`),
    );
    expect(await state.ledger.usage(id, PERIOD, 0)).toMatchObject({ spent: 0, held: 10 });
  });

  it('gives the same reservation for the same id, and charges it once', async () => {
    const state = await open();
    const { id } = await account(state);
    const asked = request(id, { costs: [60, 60, 40] });
    const first = await reserve(state, asked);
    expect(first.granted).toEqual([true, false, true]);
    expect(await reserve(state, asked)).toEqual(first);
    await state.ledger.settle(first, 100, 1_500);
    const late = await reserve(state, asked);
    expect(late.granted).toEqual(first.granted);
    await state.ledger.settle(late, 50, 1_600);
    expect(await state.ledger.usage(id, PERIOD, 0)).toMatchObject({ spent: 100, held: 0 });
  });

  it('refuses what passes the allowance and leaves no trace of it', async () => {
    const state = await open();
    const { id } = await account(state);
    await state.ledger.settle(await reserve(state, request(id, { costs: [95] })), 95, 1_500);
    const asked = request(id, { costs: [6] });
    expect(await state.ledger.reserve(asked)).toEqual({ refused: { spent: 95, held: 0, selfLimit: null } });
    expect((await reserve(state, { ...asked, costs: [5] })).reserved).toBe(5);
    // The very first request of a month is judged too.
    expect(await state.ledger.reserve(request(id, { costs: [101], period: '2026-02' }))).toHaveProperty('refused');
    expect((await reserve(state, request(id, { costs: [100], period: '2026-02' }))).reserved).toBe(100);
  });

  it('grants the parts that fit beside what is spent and held, under the lower of both limits', async () => {
    const state = await open();
    const { id } = await account(state);
    await state.ledger.settle(await reserve(state, request(id, { costs: [30] })), 30, 1_500);
    await reserve(state, request(id, { costs: [20] }));
    const some = await reserve(state, request(id, { costs: [30, 30, 20] }));
    expect(some).toMatchObject({ reserved: 50, granted: [true, false, true] });
    expect(await state.ledger.usage(id, PERIOD, 0)).toEqual({ spent: 30, held: 70, selfLimit: null });
    expect(await state.ledger.reserve(request(id, { costs: [1, 2] }))).toHaveProperty('refused');
    await state.ledger.settle(some, 0, 1_500);
    await state.setMonthlyCreditLimit(id, 75);
    expect(await reserve(state, request(id, { costs: [30, 20, 5] }))).toMatchObject({
      reserved: 25,
      granted: [false, true, true],
    });
  });

  it('starts every month anew', async () => {
    const state = await open();
    const { id } = await account(state);
    await state.ledger.settle(await reserve(state, request(id, { costs: [100] })), 100, 1_500);
    expect(await state.ledger.reserve(request(id))).toHaveProperty('refused');
    const next = await reserve(state, request(id, { period: '2026-02' }));
    await state.ledger.settle(next, 10, 1_500);
    expect(await state.ledger.usage(id, PERIOD, 0)).toMatchObject({ spent: 100 });
    expect(await state.ledger.usage(id, '2026-02', 0)).toMatchObject({ spent: 10 });
  });

  it("keeps the account's own limit, which can only tighten", async () => {
    const state = await open();
    const { id } = await account(state);
    await state.setMonthlyCreditLimit(id, 15);
    await reserve(state, request(id));
    expect(await state.ledger.reserve(request(id))).toEqual({ refused: { spent: 0, held: 10, selfLimit: 15 } });
    await state.setMonthlyCreditLimit(id, 1_000_000);
    expect(await state.ledger.reserve(request(id, { costs: [91] }))).toHaveProperty('refused');
    await state.setMonthlyCreditLimit(id, 0);
    expect(await state.ledger.reserve(request(id, { costs: [1] }))).toHaveProperty('refused');
    await state.setMonthlyCreditLimit(id, null);
    await reserve(state, request(id, { costs: [90] }));
  });

  it('keeps accounts apart', async () => {
    const state = await open();
    const [a, b] = [await account(state), await state.openAccount('c@d', 'free')];
    await reserve(state, request(a.id, { costs: [100] }));
    await reserve(state, request(b.id, { costs: [100] }));
    await expect(state.ledger.reserve(request('nobody'))).rejects.toThrow(/foreign key/i);
  });

  describe('a process that is gone', () => {
    it('loses its reservations when they expire: at the sweep, the next look or the next refusal', async () => {
      const state = await open();
      const { id } = await account(state);
      const full = () => reserve(state, request(id, { costs: [100] }));
      await full();
      expect(await state.ledger.releaseExpired(1_999)).toBe(0);
      expect(await state.ledger.releaseExpired(2_000)).toBe(1);
      await full();
      expect(await state.ledger.usage(id, PERIOD, 2_000)).toMatchObject({ spent: 0, held: 0 });
      await full();
      expect(await state.ledger.reserve(request(id))).toHaveProperty('refused');
      expect(await reserve(state, request(id, { now: 2_000, expiresAt: 3_000 }))).toMatchObject({ reserved: 10 });
    });

    it('that comes back late is charged when there is room, and must not answer when there is none', async () => {
      const state = await open();
      const { id } = await account(state);
      const [one, two] = [
        await reserve(state, request(id, { costs: [60] })),
        await reserve(state, request(id, { costs: [40] })),
      ];
      await state.ledger.releaseExpired(2_000);
      await reserve(state, request(id, { costs: [50], expiresAt: 9_000 }));
      expect(await state.ledger.settle(one, 60, 2_100)).toBeNull();
      expect(await state.ledger.settle(one, 0, 2_100)).toEqual({ spent: 0, held: 50 });
      expect(await state.ledger.settle(two, 30, 2_100)).toEqual({ spent: 30, held: 50 });
      expect(await state.ledger.usage(id, PERIOD, 2_100)).toMatchObject({ spent: 30, held: 50 });
    });

    it('that comes back later still, when its charge is forgotten, must not answer', async () => {
      const state = await open();
      const { id } = await account(state);
      const held = await reserve(state, request(id));
      await state.ledger.releaseExpired(2_000);
      expect(await state.ledger.prune(1_001)).toBe(1);
      expect(await state.ledger.settle(held, 5, 3_000)).toBeNull();
      expect(await state.ledger.settle(held, 0, 3_000)).toEqual({ spent: 0, held: 0 });
      expect((await state.ledger.days(id, PERIOD, 3_000)).days).toEqual([]);
    });

    it('and comes back late is told among the days as others are', async () => {
      const state = await open();
      const { id } = await account(state);
      const held = await reserve(state, request(id));
      await state.ledger.releaseExpired(2_000);
      await state.ledger.settle(held, 5, 3_000);
      expect((await state.ledger.days(id, PERIOD, 3_000)).days).toMatchObject([{ requests: 1, credits: 5 }]);
    });

    it('and begins again under the same id reserves again what fits by then', async () => {
      const state = await open();
      const { id } = await account(state);
      const asked = request(id, { costs: [60, 40] });
      await reserve(state, asked);
      await state.ledger.releaseExpired(2_000);
      await reserve(state, request(id, { costs: [50], now: 2_000, expiresAt: 9_000 }));
      const again = await reserve(state, { ...asked, now: 2_100, expiresAt: 3_000 });
      expect(again).toMatchObject({ reserved: 40, granted: [false, true] });
      expect(await state.ledger.usage(id, PERIOD, 2_100)).toMatchObject({ held: 90 });
      expect(await state.ledger.usage(id, PERIOD, 3_000)).toMatchObject({ held: 50 });
    });

    it('and its successor under the same id are charged once', async () => {
      const state = await open();
      const { id } = await account(state);
      const asked = request(id);
      const first = await reserve(state, asked);
      await state.ledger.releaseExpired(2_000);
      const second = await reserve(state, { ...asked, now: 2_100, expiresAt: 3_000 });
      await state.ledger.settle(second, 8, 2_200);
      await state.ledger.settle(first, 10, 2_300);
      expect(await state.ledger.usage(id, PERIOD, 2_300)).toMatchObject({ spent: 8, held: 0 });
    });
  });

  it('tells a month by endpoint, day and who asked, running charges at what they hold', async () => {
    const state = await open();
    const { id } = await account(state);
    const empty = { usage: { spent: 0, held: 0, selfLimit: null }, days: [] };
    expect(await state.ledger.days(id, PERIOD, 0)).toEqual(empty);
    expect(await state.ledger.days('nobody', PERIOD, 0)).toEqual(empty);
    expect(await state.ledger.usage('nobody', PERIOD, 0)).toEqual(empty.usage);
    await state.setMonthlyCreditLimit(id, 500);
    const DAY_MS = 86_400_000;
    const charge = async (cost: number, more: Partial<ReservationRequest>) => {
      const terms = { allowance: 1_000, expiresAt: 9 * DAY_MS, ...more };
      await state.ledger.settle(await reserve(state, request(id, terms)), cost, 1_500);
    };
    await charge(7, { now: DAY_MS - 1 });
    await charge(3, { now: 0 });
    await charge(0, { now: 0 });
    await charge(5, { now: DAY_MS - 1, grantId: 'g' });
    await charge(4, { now: DAY_MS });
    await charge(9, { now: DAY_MS, period: '2026-02' });
    const running = { allowance: 1_000, expiresAt: 9 * DAY_MS };
    await reserve(state, request(id, { ...running, now: DAY_MS, endpoint: 'ask', costs: [20] }));
    await reserve(state, request(id, { ...running, now: DAY_MS, costs: [2] }));
    await reserve(state, request(id, { allowance: 1_000, now: DAY_MS, expiresAt: 2 * DAY_MS - 1, costs: [100] }));
    const day = (day: number, endpoint: string, grantId: string, requests: number, credits: number) => ({
      day,
      endpoint,
      grantId,
      requests,
      credits,
    });
    expect(await state.ledger.days(id, PERIOD, 2 * DAY_MS)).toEqual({
      usage: { spent: 19, held: 22, selfLimit: 500 },
      days: [
        day(0, 'fetch', '', 2, 10),
        day(0, 'fetch', 'g', 1, 5),
        day(1, 'ask', '', 1, 20),
        day(1, 'fetch', '', 2, 6),
      ],
    });
  });

  it('forgets old charges, not sums and not open ones', async () => {
    const state = await open();
    const { id } = await account(state);
    const kept = await reserve(state, request(id, { expiresAt: 1e9 }));
    await state.ledger.settle(await reserve(state, request(id)), 10, 1_500);
    expect(await state.ledger.prune(1_000)).toBe(0);
    expect(await state.ledger.prune(1_001)).toBe(1);
    expect(await state.ledger.settle(kept, 10, 1_500)).toEqual({ spent: 20, held: 0 });
    expect(await state.ledger.usage(id, PERIOD, 1_500)).toMatchObject({ spent: 20, held: 0 });
  });

  it.each(process.env.PLAT_TEST === 'long' ? [[20261120], [7], [42]] : [[7]])(
    'under 64 requests at once that fail, die and come late (seed %d) never over-spends and never loses a charge',
    async seed => {
      const random = sequence(seed);
      const allowance = 3_000;
      const place = await kind.place();
      const processes = [await open(place), await open(place), await open(place)];
      const { id: accountId } = await account(processes[0]!);
      let time = 1_000;
      /** What the model knows: charges that were acknowledged, and reservations that nobody settled. */
      const acknowledged = new Map<string, number>();
      const abandoned = new Map<string, number>();
      let refusals = 0;

      const one = async () => {
        const state = processes[Math.floor(random() * processes.length)]!;
        const now = time++;
        const costs = Array.from({ length: 1 + Math.floor(random() * 4) }, () => 1 + Math.floor(random() * 60));
        const asked = request(accountId, { costs, allowance, now, expiresAt: now + 40 });
        const held = await state.ledger.reserve(asked);
        if ('refused' in held) {
          refusals++;
          return;
        }
        expect(held.reserved).toBe(costs.reduce((sum, cost, i) => sum + (held.granted[i] ? cost : 0), 0));
        const fate = random();
        if (fate < 0.2) {
          // Killed between reserving and settling.
          abandoned.set(held.id, held.reserved);
          return;
        }
        // Slow ones outlive their reservation.
        if (fate < 0.4) time += 30;
        await new Promise(resolve => setTimeout(resolve, random() * 3));
        const cost = fate < 0.5 ? 0 : Math.floor(random() * (held.reserved + 1));
        const other = processes[Math.floor(random() * processes.length)]!;
        const results = await Promise.all([
          state.ledger.settle(held, cost, time),
          // A retry of the settlement by another process.
          ...(fate > 0.9 ? [other.ledger.settle(held, cost, time)] : []),
        ]);
        if (results.some(sums => sums) && cost > 0) acknowledged.set(held.id, cost);
      };
      const sum = (charges: Map<string, number>) => [...charges.values()].reduce((total, cost) => total + cost, 0);
      const watch = async () => {
        // Taken before the reading: what is acknowledged while it is on its way need not be in it.
        const known = sum(acknowledged);
        const { spent, held } = await processes[0]!.ledger.usage(accountId, PERIOD, time);
        expect(spent + held).toBeLessThanOrEqual(allowance);
        expect(held).toBeGreaterThanOrEqual(0);
        expect(spent).toBeGreaterThanOrEqual(known);
      };

      let left = 400;
      const lane = async () => {
        while (left-- > 0) {
          await one();
          if (left % 20 === 0) await watch();
        }
      };
      await Promise.all(Array.from({ length: 64 }, lane));
      await processes[1]!.ledger.releaseExpired(time + 1_000_000);
      expect(await processes[2]!.ledger.usage(accountId, PERIOD, time + 1_000_000)).toEqual({
        spent: sum(acknowledged),
        held: 0,
        selfLimit: null,
      });
      // The run met what it is about.
      expect(abandoned.size).toBeGreaterThan(10);
      expect(refusals).toBeGreaterThan(10);
      expect(sum(acknowledged)).toBeGreaterThan(allowance / 2);
    },
  );
});
