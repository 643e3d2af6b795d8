import { EXTENT, fromFrame } from '../../../../pipelines/world/frame.ts';
import { Random } from '../../../../pipelines/world/random.ts';
import type { World } from '../../../../pipelines/world/world.ts';
import { all } from '../truth.ts';

/** Seeded points: half anywhere in the county, the others where things are (in buildings, wetlands, along streams). */
export function pointsOf(world: World, count: number): [number, number][] {
  const { reaches, wetlands } = world;
  const random = new Random(88, 1);
  const footprints = all(world, county => county.buildings());
  return Array.from({ length: count }, (_, i): [number, number] => {
    if (i % 6 === 1) {
      const [a, , c] = random.pick(footprints).ring;
      return [(a![0] + c![0]) / 2, (a![1] + c![1]) / 2];
    }
    if (i % 6 === 3) {
      const [lng, lat] = random.pick(random.pick(reaches).line);
      return [lng + 0.0003 * random.between(-1, 1), lat + 0.0003 * random.between(-1, 1)];
    }
    if (i % 6 === 5) {
      const [a, b] = [random.pick(random.pick(wetlands).ring), random.next()];
      return [a[0] + 0.0004 * b, a[1] - 0.0003 * b];
    }
    const along = random.between(EXTENT.west + 50, EXTENT.east - 50);
    const [lng, lat] = fromFrame([along, random.between(EXTENT.sea + 50, EXTENT.inland - 50)]);
    return [lng, lat];
  });
}
