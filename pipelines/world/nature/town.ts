import type { Position } from '../format/feature.ts';
import { EXTENT, toFrame, vertex } from '../frame.ts';
import type { County } from '../settlement/county.ts';
import type { Reach } from './stream.ts';
import type { Terrain } from './terrain.ts';

/** Width and height of a block of a town from the middle of a street to that of the next, metres. */
const BLOCK: Position = [200, 90];
/** Ground of a lot of the town with its part of the streets, and of a farm at the least, square metres. */
const [LOT, FARM] = [1500, 6000];
/** Share of the grid that the town takes at the least and at most. */
const SHARE = [0.36, 0.72] as const;
/** How fast blocks grow beyond the town. */
const GROWTH = 1.7;
/** Where towns are wanted: metres along from the state line, and the share of the way inland at which both stand. */
const [ALONG, UPTOWN] = [5400, 0.34] as const;

/** The side of a town towards one county line: its share of the grid, its metres, and metres of the town for one of the country. */
interface Side {
  readonly share: number;
  readonly metres: number;
  readonly scale: number;
}

/**
 * How one county's part of the street grid lies on the ground: regular blocks around a town beside a river, which grow into farms
 * with the distance from it. Its edges stay where they are, and the grid never folds.
 */
export class Town {
  /** Middle of the town in metres along the coast and inland. */
  readonly hub: Position;
  readonly centre: Position;
  /** Metres from the middle to the end of the town, the mean over its sides. */
  readonly radius: number;
  /** Metres from the middle at which the ground is built up by the e-th part. */
  readonly reach: number;
  readonly #terrain: Terrain;
  readonly #sides: readonly (readonly [Side, Side])[];
  /** Share of the grid on this side of the middle, across and up. */
  readonly #grid: Position;
  /** Where the town ends: 0 is its middle, 1 the county line. */
  readonly #edge: number;
  readonly #level: number;
  readonly #coast: number;

  /** @param highway grid line that runs through the middle of the town */
  constructor(
    terrain: Terrain,
    reaches: readonly Reach[],
    { half }: Pick<County, 'half'>,
    columns: number,
    rows: number,
    highway: number,
  ) {
    this.#terrain = terrain;
    const [west, east] = half ? [0, EXTENT.east] : [EXTENT.west, 0];
    const lots = columns * rows * 12;
    const ground = (east - west) * (EXTENT.inland - terrain.coast((west + east) / 2));
    const dense = 1 - (ground / lots - LOT) / (FARM - LOT);
    this.#edge = Math.sqrt(Math.min(SHARE[1], Math.max(SHARE[0], dense)));
    this.#grid = [Math.round(columns / 2) / columns, highway / rows];
    const [x, y] = this.#grid;
    // The river runs through the town's western blocks.
    const along = riverside(terrain, reaches, half) + Math.min(900, 0.3 * this.#edge * (columns / 2) * BLOCK[0]);
    const coast = terrain.coast(along);
    const inland = coast + UPTOWN * (EXTENT.inland - coast);
    this.hub = [along, inland];
    this.centre = vertex(along, inland);
    this.#coast = coast;
    const side = (share: number, metres: number, blocks: number, block: number): Side => ({
      share,
      metres,
      scale: Math.min(1, (share * blocks * block) / metres),
    });
    this.#sides = [
      [side(x, along - west, columns, BLOCK[0]), side(1 - x, east - along, columns, BLOCK[0])],
      [side(y, inland - this.#coast, rows, BLOCK[1]), side(1 - y, EXTENT.inland - inland, rows, BLOCK[1])],
    ];
    const all = this.#sides.flat();
    this.radius = all.reduce((sum, { metres, scale }) => sum + this.#edge * metres * scale, 0) / all.length;
    this.reach = Math.min(3000, Math.max(800, 1.3 * this.radius));
    // Where it fills its county, a town follows the coast as the county does.
    const room = Math.min(1, 2 * (1 - Math.max(...all.map(({ scale }) => scale))));
    this.#level = (room * (1 - this.#edge)) / (1 - Math.sqrt(SHARE[0]));
  }

  /** Which side a share of the grid lies on, and how far towards the county line, 0 to 1. */
  #towards(axis: 0 | 1, share: number): [Side, number] {
    const off = share - this.#grid[axis];
    const side = this.#sides[axis]![off < 0 ? 0 : 1];
    return [side, off / side.share];
  }

  /** How far out a place of the grid lies: under 1 in the town, greater beyond it. */
  outness(x: number, y: number): number {
    const [[, a], [, b]] = [this.#towards(0, x), this.#towards(1, y)];
    return Math.sqrt(Math.sqrt(a ** 4 + b ** 4)) / this.#edge;
  }

  /** Metres along the coast and inland of a place of the grid, by shares of its width and height. */
  at(x: number, y: number): Position {
    const [[across, a], [up, b]] = [this.#towards(0, x), this.#towards(1, y)];
    const far = Math.sqrt(Math.sqrt(a ** 4 + b ** 4));
    const edge = this.#edge;
    const beyond = far <= edge ? 0 : far >= 1 ? 1 : ((far - edge) / (1 - edge)) ** GROWTH;
    const stretch = (scale: number) => (far >= 1 ? 1 : scale + (beyond ? ((1 - scale) * beyond) / far : 0));
    const along = this.hub[0] + a * across.metres * stretch(across.scale);
    // Streets of the town run straight; its country's follow the coast the more the farther they are.
    const level = this.#level * (1 - beyond);
    const coast = level === 1 ? this.#coast : mix(this.#terrain.coast(along), this.#coast, level);
    const height = UPTOWN + b * stretch(up.scale) * (b < 0 ? UPTOWN : 1 - UPTOWN);
    return [along, coast + height * (EXTENT.inland - coast)];
  }
}

const mix = (a: number, b: number, share: number) => a + share * (b - a);

/** How far along the coast the greatest river passes the height of the town, as near as may be to where the town is wanted. */
function riverside(terrain: Terrain, reaches: readonly Reach[], half: 0 | 1): number {
  const wanted = half ? ALONG : -ALONG;
  const passes = reaches.flatMap(({ line, order }) =>
    line
      .map(toFrame)
      .filter(([along, inland]) => {
        const coast = terrain.coast(along);
        return Math.abs(along - wanted) < 2200 && Math.abs((inland - coast) / (EXTENT.inland - coast) - UPTOWN) < 0.02;
      })
      .map(([along]) => ({ order: Math.min(order, 3), along })),
  );
  const [best] = passes.sort((a, b) => b.order - a.order || Math.abs(a.along - wanted) - Math.abs(b.along - wanted));
  return best?.along ?? wanted;
}
