import { describe, expect, it } from 'vitest';
import { stopInEachStep } from './stopping.ts';

describe('SIGTERM in each step of an ingest', { timeout: 1_200_000 }, () => {
  for (const threads of [0, 2])
    it(`with ${threads} threads leaves the last release serving and the next run clean`, async () => {
      const steps = await stopInEachStep(threads);
      for (const kind of [/^usfws_nwi/, /^map tiles/, /^overlays/])
        expect(
          steps.some(step => kind.test(step)),
          `${kind} in ${steps}`,
        ).toBe(true);
    });
});
