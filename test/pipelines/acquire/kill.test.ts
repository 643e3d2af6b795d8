import { expect, it } from 'vitest';
import { seededDelays } from '../killing.ts';
import { killAcquiring } from './killing.ts';

it('killed while it downloads, an ingest leaves whole files and goes on where it was', async () => {
  const { killed, resumed } = await killAcquiring(seededDelays(4, 3));
  expect(killed).toBeGreaterThan(2);
  expect(resumed).toBeGreaterThan(0);
});
