import { describe, it } from 'vitest';
import { type Moment, stopAt } from './stopping.ts';

const MOMENTS: readonly Moment[] = ['lock', 'layer', 'tiles', 'overlays', 'publication'];

describe('SIGTERM in each step of an ingest', { timeout: 600_000 }, () => {
  for (const threads of [0, 2])
    it(`with ${threads} threads leaves the last release serving and the next run clean`, () =>
      stopAt(MOMENTS, threads));
});
