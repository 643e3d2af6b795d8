import { type Box, boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Placed } from '../../../datasets/release.ts';

/** Metres of one degree of latitude on a sphere of the WGS84 mean radius (6,371,008.8 m). */
const METRES_PER_DEGREE = 111_195.08;

/** Boxes (lng,lat) that hold the United States and its territories, with waters about them. */
const UNITED_STATES: readonly Box[] = [
  // The states east of 180°, Puerto Rico and the Virgin Islands.
  [-180, 17, -64, 72],
  // The Aleutians beyond 180°.
  [171, 50, 180, 55],
  // Guam and the Northern Marianas.
  [143, 12, 147, 22],
  // American Samoa.
  [-172, -16, -167, -10],
];

const touch = (a: Box, b: Box) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

const inUnitedStates = (lng: number, lat: number) => UNITED_STATES.some(box => touch(box, [lng, lat, lng, lat]));

/** Returns a box (lng,lat degrees) grown by metres on each side. */
function grown([west, south, east, north]: Box, metres: number): Box {
  const dy = metres / METRES_PER_DEGREE;
  const dx = dy / Math.max(0.01, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  return [west - dx, south - dy, east + dx, north + dy];
}

/** Counts of features by position, without the ground with which they were compared. */
type Counts = Omit<Placed, 'within'>;

type Kind = Exclude<keyof Counts, 'features'> | 'inside';

/** Counts features by position: by their first point if that is sufficient, else by their box. */
export class Locator {
  readonly #around: Box | null;
  readonly #counts: { -readonly [kind in keyof Counts]: number } = {
    features: 0,
    swapped: 0,
    noDegrees: 0,
    elsewhere: 0,
    outside: 0,
  };

  /** @param coverage box of the layer's coverage (lng,lat), null where it has none; @param metres that features may lie beyond it. */
  constructor(coverage: Box | null, metres: number) {
    this.#around = coverage && grown(coverage, metres);
  }

  /** @param geometry in what the file's CRS makes lng,lat degrees; not empty. */
  add(geometry: Geometry): Kind {
    const kind = this.#kindOf(geometry);
    this.#counts.features++;
    if (kind !== 'inside') this.#counts[kind]++;
    return kind;
  }

  #kindOf(geometry: Geometry): Kind {
    const x = geometry.xy[0]!;
    const y = geometry.xy[1]!;
    const around = this.#around;
    if (around && x >= around[0] && x <= around[2] && y >= around[1] && y <= around[3]) return 'inside';
    if (!(Math.abs(x) <= 180 && Math.abs(y) <= 180)) return 'noDegrees';
    const inStates = inUnitedStates(x, y);
    if (!inStates && inUnitedStates(y, x)) return 'swapped';
    if (!(Math.abs(y) <= 90)) return 'noDegrees';
    if (inStates && !around) return 'inside';
    const box = boxOf(geometry);
    if (!inStates && !UNITED_STATES.some(states => touch(states, box))) return 'elsewhere';
    return !around || touch(around, box) ? 'inside' : 'outside';
  }

  get placed(): Counts {
    return { ...this.#counts };
  }
}

/** Counts a grid as one feature, by its middle. It is outside the coverage only if its box does not touch the coverage. */
export function placedBox([west, south, east, north]: Box, coverage: Box | null, metres: number): Counts {
  const locator = new Locator(coverage, metres);
  const xy = Float64Array.of((west + east) / 2, (south + north) / 2, west, south, east, north);
  locator.add({ type: 'MultiPoint', xy, ends: Uint32Array.of(1, 2, 3), parts: new Uint32Array() });
  return locator.placed;
}

/** Returns the likely cause if most coordinates lie outside the United States; otherwise null. */
export function misplacement({ features, swapped, noDegrees, elsewhere }: Counts): string | null {
  if (2 * (swapped + noDegrees + elsewhere) <= features) return null;
  if (swapped >= noDegrees && swapped >= elsewhere)
    return 'latitude and longitude are swapped: exchanged, its points lie in the United States';
  if (noDegrees >= elsewhere)
    return 'its coordinates are no degrees: the file has lost its projection, or states a wrong one; set options.crs (with overrideCrs where it states one)';
  return 'its coordinates lie outside the United States: is its CRS the one that was declared?';
}
