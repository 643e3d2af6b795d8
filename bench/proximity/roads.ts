import { RoadLines } from '../../query/route/road-lines.ts';

/** A generator of numbers from 0 to 1 (Mulberry32), the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where generated roads begin, degrees. */
export const CORNER = [-98, 38] as const;
/** Degrees between two crossings. */
const SPACING = 0.0013;

/** Kilometres an hour of a street of the grid: every 64th is a motorway, every 16th and 4th a larger road. */
const speedOf = (line: number) => (line % 64 === 0 ? 100 : line % 16 === 0 ? 70 : line % 4 === 0 ? 50 : 30);

/**
 * Streets of a made-up country: a grid with crossings moved at random, a fifth of the small streets missing, a tenth of
 * those that are left one-way, and larger roads at larger distances, as road networks have them.
 * @param side crossings along one side of the square.
 */
export function gridRoads(side: number, seed = 7): RoadLines {
  const random = randomFrom(seed);
  const roads = new RoadLines();
  const jitter = () => (random() - 0.5) * SPACING * 0.5;
  const xy = Float64Array.from({ length: 2 * side * side }, (_, i) => {
    const [column, row] = [(i >> 1) % side, Math.floor((i >> 1) / side)];
    return i % 2 ? CORNER[1] + row * SPACING + jitter() : CORNER[0] + column * SPACING * 1.25 + jitter();
  });
  const street = (a: number, b: number, line: number) => {
    const speed = speedOf(line);
    if (speed === 30 && random() < 0.2) return;
    const oneway = speed === 30 && random() < 0.1;
    const [ax, ay, bx, by] = [xy[2 * a]!, xy[2 * a + 1]!, xy[2 * b]!, xy[2 * b + 1]!];
    const bend = [(ax + bx) / 2 + jitter() / 4, (ay + by) / 2 + jitter() / 4];
    roads.add([ax, ay, ...bend, bx, by], speed, oneway ? 0 : speed);
  };
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const at = row * side + column;
      if (column + 1 < side) street(at, at + 1, row);
      if (row + 1 < side) street(at, at + side, column);
    }
  return roads;
}
