import { expect, it } from 'vitest';
import { killAt, seededDelays } from './killing.ts';

it('an ingest killed at sixty moments never harms a release', { timeout: 300_000 }, async () => {
  expect(await killAt(seededDelays(7, 60))).toBeGreaterThan(10);
});
