import { expect, it, vi } from 'vitest';
import { keepTidy, tidy } from '../../../server/state/housekeeping.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';

const DAY = 24 * 60 * 60 * 1000;

async function used() {
  const state = await openSqlite(':memory:');
  const { id } = await state.openAccount('a@b', 'free');
  const request = (charge: string) => ({
    id: charge,
    accountId: id,
    period: '2026-01',
    endpoint: 'fetch',
    grantId: '',
    costs: [1],
    allowance: 9_999,
    now: 0,
    expiresAt: 1_000,
  });
  const reserve = async (charge: string) => {
    const held = await state.ledger.reserve(request(charge));
    if ('refused' in held) throw new Error('refused');
    return held;
  };
  return { state, id, reserve };
}

it('tidying gives back what is abandoned and forgets all that is old, more than one portion', async () => {
  const { state, id, reserve } = await used();
  for (let i = 0; i < 1_200; i++) await state.ledger.settle(await reserve(`c${i}`), 1, 1);
  await reserve('dead');
  for (let i = 0; i < 150; i++)
    await state.idempotency.begin({
      accountId: id,
      endpoint: 'fetch/batch',
      key: `key-${i}`,
      bodyHash: 'h',
      now: 0,
      leaseUntil: 1,
      expiresAt: DAY,
    });
  for (let i = 0; i < 1_100; i++)
    await state.geocodes.keep({
      accountId: id,
      addressHash: `h${i}`,
      version: 'v',
      answer: '{}',
      expiresAt: i < 1_050 ? DAY : 99 * DAY,
    });
  await tidy(state, 1_000);
  expect(await state.ledger.usage(id, '2026-01', 0)).toMatchObject({ spent: 1_200, held: 0 });
  await tidy(state, 62 * DAY + 1);
  expect(await state.ledger.prune(Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await state.idempotency.prune(Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await state.geocodes.prune(Number.MAX_SAFE_INTEGER)).toBe(50);
  expect(await state.ledger.usage(id, '2026-01', 0)).toMatchObject({ spent: 1_200 });
  await state.close();
});

it('goes on after a round that failed, and stops when told', async () => {
  vi.useFakeTimers();
  try {
    const { state } = await used();
    const release = vi.spyOn(state.ledger, 'releaseExpired').mockRejectedValueOnce(new Error('away'));
    const failures: unknown[] = [];
    const stop = keepTidy(state, Date, error => failures.push(error));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failures).toHaveLength(1);
    expect(release).toHaveBeenCalledTimes(2);
    await stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(release).toHaveBeenCalledTimes(2);
    await state.close();
  } finally {
    vi.useRealTimers();
  }
});
