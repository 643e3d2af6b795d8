import type { Geometry } from '../../../datasets/geometry.ts';
import { Disc } from './disc.ts';
import { DiscRim } from './disc-rim.ts';

/** How far the disc's polygon may be from the circle, of the radius (see query/geometry/disc.ts), and something more. */
const RIM = 1e-4;

/** A disc that is measured against. */
export class MaskDisc {
  /** What is within `inner` is within the disc's polygon, what is outside `outer` is not. */
  readonly inner: Disc;
  readonly outer: Disc;

  readonly #geometry: Geometry;
  #rim: DiscRim | null = null;

  /** @param lng,lat of the centre, degrees. @param metres of the radius. @param geometry as discPolygon makes it of these. */
  constructor(lng: number, lat: number, metres: number, geometry: Geometry) {
    this.inner = new Disc(lng, lat, metres * (1 - RIM));
    this.outer = new Disc(lng, lat, metres * (1 + RIM));
    this.#geometry = geometry;
  }

  /** Made for the first large polygon that it meets. */
  get rim(): DiscRim {
    this.#rim ??= new DiscRim(this.#geometry);
    return this.#rim;
  }
}
