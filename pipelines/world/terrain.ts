import { type Position, round7 } from './feature.ts';
import { smoothNoise } from './random.ts';

/** The county: a rectangle of about 12 by 10 km on coordinates like those of the coast of Maine, WGS84 degrees. */
export const COUNTY_BOX = { west: -68.2, south: 44.355, east: -68.05, north: 44.445 } as const;

/** Metres in a degree of longitude and latitude at the middle of the area (WGS84 series; Snyder 1987, p. 25). */
export const METRES: Position = [79_665, 111_113];

/** Height and coast of the area: smooth functions of the seed that every layer and every test can ask. */
export class Terrain {
  readonly seed: number;
  readonly #relief: (x: number, y: number) => number;
  readonly #shore: (x: number, y: number) => number;

  constructor(seed: number) {
    this.seed = seed;
    this.#relief = smoothNoise(seed * 7919 + 1);
    this.#shore = smoothNoise(seed * 7919 + 2);
  }

  /** Latitude of the coast at a longitude; the sea is south of it. */
  coast(lng: number): number {
    return 44.368 + 0.003 * this.#shore((lng - COUNTY_BOX.west) * 90, 0.5);
  }

  /** Whether a point lies south of the coast. */
  isSea(lng: number, lat: number): boolean {
    return lat < this.coast(lng);
  }

  /** Ground height in metres above NAVD 88; zero at sea. Defined (and smooth on land) beyond the county too. */
  elevation(lng: number, lat: number): number {
    const inland = lat - this.coast(lng);
    if (inland <= 0) return 0;
    const relief = this.#relief((lng - COUNTY_BOX.west) * 30, (lat - COUNTY_BOX.south) * 42);
    const km = inland * 111.113;
    return 14 * km + 22 * Math.min(1, km / 1.5) * relief * relief * Math.sign(relief) + 2 * Math.min(1, km * 4);
  }

  /** Steepest descent at a point as metres of fall per metre east and north. */
  descent(lng: number, lat: number): Position {
    const dx = 12 / METRES[0];
    const dy = 12 / METRES[1];
    return [
      (this.elevation(lng - dx, lat) - this.elevation(lng + dx, lat)) / 24,
      (this.elevation(lng, lat - dy) - this.elevation(lng, lat + dy)) / 24,
    ];
  }

  /** A point of the coast line, rounded as every vertex is. */
  coastPoint(lng: number): Position {
    return [round7(lng), round7(this.coast(lng))];
  }
}
