import { describe, expect, it } from 'vitest';
import { sameAsRebuilt } from './refreshes.ts';

describe('sequences of refreshes', () => {
  it.each([1, 2, 5, 8, 13])(
    'of seed %i come to what building everything comes to',
    { timeout: 900_000 },
    async seed => {
      expect((await sameAsRebuilt(seed, 40)).reused).toBeGreaterThan(20);
    },
  );
});
