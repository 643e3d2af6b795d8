import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { areaFilter, compare, openOverlapping, openWorld, request, type World } from './agreement.ts';
import './agreement.test.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld(24);
});
afterAll(() => world.release.remove());

const limits = fc.integer({ min: 1, max: 100 });
const ME = { field: 'state', op: 'eq', value: 'ME' };

it.each([11, 12, 13])('7,000 requests agree with the oracle, seed %i', { timeout: 1_200_000 }, async seed => {
  let finding = 0;
  const count = (found: number) => {
    if (found > 0) finding++;
  };
  await fc.assert(
    fc.asyncProperty(areaFilter(world), limits, async (area, limit) => count(await compare(world, [ME, area], limit))),
    { numRuns: 4000, seed },
  );
  await fc.assert(
    fc.asyncProperty(request(world), limits, fc.boolean(), async (asked, limit, index) =>
      count(await compare(world, asked, limit, index)),
    ),
    { numRuns: 3000, seed },
  );
  expect(finding).toBeGreaterThan(1700);
});

it('4,000 requests agree in a county of three files and two places that overlap', { timeout: 1_200_000 }, async () => {
  const several = await openOverlapping(16);
  try {
    let finding = 0;
    const property = fc.asyncProperty(request(several), limits, fc.boolean(), async (asked, limit, index) => {
      if ((await compare(several, asked, limit, index)) > 0) finding++;
    });
    await fc.assert(property, { numRuns: 4000, seed: 21 });
    expect(finding).toBeGreaterThan(800);
  } finally {
    several.release.remove();
  }
});
