import { Disc } from './disc.ts';

/** How far the disc's polygon may be from the circle, of the radius (see query/geometry/disc.ts), and something more. */
const RIM = 1e-4;

/** A disc that is measured against. */
export class MaskDisc {
  /** What is within `inner` is within the disc's polygon, what is outside `outer` is not. */
  readonly inner: Disc;
  readonly outer: Disc;
  /** Of the radius. */
  readonly metres: number;

  /** @param lng,lat of the centre, degrees. @param metres of the radius. */
  constructor(lng: number, lat: number, metres: number) {
    this.metres = metres;
    this.inner = new Disc(lng, lat, metres * (1 - RIM));
    this.outer = new Disc(lng, lat, metres * (1 + RIM));
  }
}
