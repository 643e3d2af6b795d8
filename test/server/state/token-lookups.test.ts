import { expect, it } from 'vitest';
import type { Accounts } from '../../../server/state/store.ts';
import { TokenLookups } from '../../../server/state/token-lookups.ts';

/** For how long what was found holds, in milliseconds. */
const LOOKUP_MS = 5;

type Found = NonNullable<Awaited<ReturnType<Accounts['token']>>>;

/** A store of tokens that counts how often it is asked and answers when it is told to. */
function make() {
  const tokens = new Map<string, Found>();
  const waiting: (() => void)[] = [];
  const state = { asked: 0, slow: false };
  const lookups = new TokenLookups(async jti => {
    state.asked++;
    const found = tokens.get(jti) ?? null;
    if (state.slow) await new Promise<void>(resolve => waiting.push(resolve));
    return found;
  });
  const put = (jti: string, revokedAt: number | null = null) =>
    tokens.set(jti, { token: { jti, revokedAt }, account: { id: 'a' } } as unknown as Found);
  const answer = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { state, lookups, put, answer };
}
const later = () => new Promise(resolve => setTimeout(resolve, LOOKUP_MS + 2));

it('asks once for what comes at once, and again afterwards', async () => {
  const { state, lookups, put } = make();
  put('x');
  // Twice within the time: on a machine that pauses, more than one try may be needed.
  let took = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 100 && took >= LOOKUP_MS; tries++) {
    await later();
    const before = state.asked;
    const start = performance.now();
    await lookups.token('x');
    expect(state.asked).toBe(before + 1);
    const again = await lookups.token('x');
    took = performance.now() - start;
    if (took < LOOKUP_MS) expect([state.asked, again?.token.jti]).toEqual([before + 1, 'x']);
  }
  expect(took).toBeLessThan(LOOKUP_MS);
  await later();
  put('x', 7);
  expect((await lookups.token('x'))?.token.revokedAt).toBe(7);
});

it('asks again for what was not there', async () => {
  const { lookups, put } = make();
  expect(await lookups.token('x')).toBeNull();
  put('x');
  expect((await lookups.token('x'))?.token.jti).toBe('x');
});

it('forgets what a change of this process may have made another', async () => {
  const { state, lookups, put, answer } = make();
  put('x');
  await lookups.token('x');
  await lookups.change(async () => void put('x', 1));
  expect((await lookups.token('x'))?.token.revokedAt).toBe(1);
  // Asked before the change, answered after it.
  await later();
  state.slow = true;
  const slow = lookups.token('x');
  await lookups.change(async () => void put('x', 2));
  answer();
  await slow;
  state.slow = false;
  expect((await lookups.token('x'))?.token.revokedAt).toBe(2);
});

it('forgets after a change that failed, too', async () => {
  const { lookups, put } = make();
  put('x');
  await lookups.token('x');
  const failing = lookups.change(async () => {
    put('x', 3);
    throw new Error('the connection was lost');
  });
  await expect(failing).rejects.toThrow('lost');
  expect((await lookups.token('x'))?.token.revokedAt).toBe(3);
});
