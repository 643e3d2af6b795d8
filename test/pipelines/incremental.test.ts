import { expect, it } from 'vitest';
import { sameAsRebuilt } from './refreshes.ts';

it('a few refreshes with what was built before come to what building everything comes to', async () => {
  expect((await sameAsRebuilt(3, 2)).reused).toBeGreaterThan(1);
});
