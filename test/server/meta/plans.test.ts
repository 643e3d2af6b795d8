import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderPlans } from '../../../server/credits/document.ts';
import { billed, priceOf } from '../../../server/credits/price.ts';
import { PRICES } from '../../../server/operations/prices.ts';
import { PLAN_NAMES, PLANS } from '../../../server/plans.ts';
import { periodOf, resetOf } from '../../../server/state/usage/period.ts';

it('docs/plans.md is what the plans are', () => {
  expect(readFileSync(new URL('../../../docs/plans.md', import.meta.url), 'utf8')).toBe(renderPlans(PRICES));
});

it('plans have the allowances, rates and prices that were decided', () => {
  expect(PLAN_NAMES.map(name => [name, ...Object.values(PLANS[name])])).toEqual([
    ['free', 1_000, 60, 300, 100, 20, 1_000, 2],
    ['build', 25_000, 120, 300, 200, 20, 20_000, 20],
    ['growth', 150_000, 300, 300, 500, 20, 200_000, 100],
    ['scale', 1_000_000, 600, 150, 1_000, 20, 2_000_000, 500],
    ['market', 5_000_000, 1_200, 150, 2_000, 20, 2_000_000, 2_000],
  ]);
});

it('months are those of UTC, also leap days and the turn of the year', () => {
  for (const [at, period, reset] of [
    ['2026-01-01T00:00:00.000Z', '2026-01', '2026-02-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
    ['2026-10-31T23:30:00.000Z', '2026-10', '2026-11-01T00:00:00.000Z'],
  ] as const) {
    expect(periodOf(Date.parse(at))).toBe(period);
    expect(resetOf(Date.parse(at)).toISOString()).toBe(reset);
  }
});

it('the parcel-record group is one price, whatever it holds, and is free when all of it failed', () => {
  const catalog = { parcelRecord: new Set(['p1', 'p2']) };
  expect(priceOf(catalog, 'free', ['a', 'p1', 'b', 'p2'])).toEqual({
    fields: 2,
    fieldCredits: 2,
    parcelFields: 2,
    parcelCredits: 300,
    total: 302,
  });
  const charge = (...statuses: string[]) => {
    const records = Object.fromEntries(['a', 'b', 'p1', 'p2'].map((name, i) => [name, { status: statuses[i]! }]));
    return priceOf(catalog, 'market', billed(records)).total;
  };
  expect(charge('ok', 'ok', 'ok', 'ok')).toBe(152);
  expect(charge('ok', 'absent', 'absent', 'failed')).toBe(152);
  expect(charge('ok', 'failed', 'failed', 'failed')).toBe(1);
  expect(charge('failed', 'failed', 'failed', 'failed')).toBe(0);
});
