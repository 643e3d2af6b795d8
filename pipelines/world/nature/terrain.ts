import type { Position } from '../format/feature.ts';
import { fromFrame, MOUTH, toFrame } from '../frame.ts';
import { smoothNoise } from '../random.ts';

/**
 * The coast from Rye (New Hampshire) to Cape Neddick (Maine), WGS84 degrees, from south to north: vertices of the
 * Census Bureau's cartographic boundaries at 1:10,000,000, as the npm package us-atlas 3 carries them.
 */
const COAST: readonly Position[] = [
  [-70.8189, 42.8722],
  [-70.8117, 42.91],
  MOUTH,
  [-70.6717, 43.0706],
  [-70.6214, 43.1342],
  [-70.625, 43.1531],
  [-70.5748, 43.2218],
];

/** Height and coast of the area: smooth functions of the seed that every layer and every test can ask. */
export class Terrain {
  readonly seed: number;
  readonly #relief: (x: number, y: number) => number;
  readonly #shore: (x: number, y: number) => number;
  readonly #coast = COAST.map(toFrame);

  constructor(seed: number) {
    this.seed = seed;
    this.#relief = smoothNoise(seed * 7919 + 1);
    this.#shore = smoothNoise(seed * 7919 + 2);
  }

  /** How far inland of the river's mouth the coast lies, metres, at `along` metres; the sea is on the other side. */
  coast(along: number): number {
    const coast = this.#coast;
    let i = 1;
    while (i < coast.length - 1 && coast[i]![0] < along) i++;
    const [[x0, y0], [x1, y1]] = [coast[i - 1]!, coast[i]!];
    const real = y0 + ((y1 - y0) * (along - x0)) / (x1 - x0);
    return real + 180 * this.#shore(along / 900, 0.5);
  }

  /** Metres from the coast to a place, straight inland; negative at sea. */
  inland(lng: number, lat: number): number {
    const [along, inland] = toFrame([lng, lat]);
    return inland - this.coast(along);
  }

  isSea(lng: number, lat: number): boolean {
    return this.inland(lng, lat) < 0;
  }

  /** Ground height in metres above NAVD 88; zero at sea. Defined (and smooth on land) beyond the counties too. */
  elevation(lng: number, lat: number): number {
    const [along, up] = toFrame([lng, lat]);
    const km = (up - this.coast(along)) / 1000;
    if (km <= 0) return 0;
    const relief = this.#relief(along / 2650, up / 2650);
    return 14 * km + 22 * Math.min(1, km / 1.5) * relief * relief * Math.sign(relief) + 2 * Math.min(1, km * 4);
  }

  /** Steepest descent at a place of the frame: metres of fall per metre along the coast and inland. */
  descent([along, inland]: Position): Position {
    const height = (x: number, y: number) => this.elevation(...fromFrame([x, y]));
    return [
      (height(along - 12, inland) - height(along + 12, inland)) / 24,
      (height(along, inland - 12) - height(along, inland + 12)) / 24,
    ];
  }
}
