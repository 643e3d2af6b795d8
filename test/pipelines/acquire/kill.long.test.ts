import { expect, it } from 'vitest';
import { seededDelays } from '../killing.ts';
import { killAcquiring } from './killing.ts';

it('killed at fifty moments while it downloads, an ingest never harms a file or a release', {
  timeout: 300_000,
}, async () => {
  const { killed, resumed } = await killAcquiring(seededDelays(11, 50));
  expect(killed).toBeGreaterThan(20);
  expect(resumed).toBeGreaterThan(5);
});
