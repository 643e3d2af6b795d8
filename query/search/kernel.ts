import { orient2d } from 'robust-predicates';
import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { GeosPolygons } from '../geos.ts';
import { contains } from '../polygon.ts';
import { AreaGrid, type Quick } from './area-grid.ts';

const APART = 0;
const TOUCHING = 1;
const CROSSING = 2;

/**
 * How two closed segments meet: apart, crossing (each properly through the other's inside), or any other contact.
 * Exact for any coordinates (Shewchuk's adaptive orientation).
 */
export function meeting(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): number {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return APART;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return APART;
  const c = Math.sign(orient2d(ax, ay, bx, by, cx, cy));
  const d = Math.sign(orient2d(ax, ay, bx, by, dx, dy));
  if (c * d > 0) return APART;
  const a = Math.sign(orient2d(cx, cy, dx, dy, ax, ay));
  const b = Math.sign(orient2d(cx, cy, dx, dy, bx, by));
  if (a * b > 0) return APART;
  return c * d < 0 && a * b < 0 ? CROSSING : TOUCHING;
}

/**
 * An area prepared for many parcels. Planar in lng,lat; boundaries belong to both sides. Answers are exact: what
 * boundaries without degenerate contact decide is decided by exact orientation, containment along shared boundaries
 * by GEOS.
 */
export class PreparedArea {
  readonly grid: AreaGrid;
  readonly #geos: GeosPolygons;

  /** @param geometry valid polygons in lng,lat. */
  constructor(geometry: Geometry, geos: GeosPolygons) {
    this.grid = new AreaGrid(geometry);
    this.#geos = geos;
  }

  /** What the parcel's box alone decides. Inside: it intersects and is within. */
  quick(box: Box): Quick {
    return this.grid.quick(box);
  }

  /** Whether parcel and area share any point. */
  intersects(parcel: Geometry): boolean {
    const quick = this.quick(boxOf(parcel));
    if (quick !== 'unsure') return quick === 'inside';
    const { xy } = parcel;
    // A vertex in a cell that lies inside is enough, and most parcels on the area's edge have one.
    for (let i = 0; i < xy.length; i += 2) if (this.grid.holdsSurely(xy[i]!, xy[i + 1]!)) return true;
    if (this.#boundaries(parcel, contact => contact !== APART)) return true;
    return anyPart(parcel, this.grid.geometry) || anyPart(this.grid.geometry, parcel);
  }

  /** Whether the area covers the whole parcel. */
  covers(parcel: Geometry): boolean {
    const box = boxOf(parcel);
    const [x0, y0, x1, y1] = this.grid.box;
    if (box[0] < x0 || box[1] < y0 || box[2] > x1 || box[3] > y1) return false;
    const quick = this.quick(box);
    if (quick !== 'unsure') return quick === 'inside';
    const { geometry } = this.grid;
    let touching = false;
    const crossing = this.#boundaries(parcel, contact => {
      if (contact === TOUCHING) touching = true;
      return contact === CROSSING;
    });
    if (crossing) return false;
    if (!touching) {
      // Every ring is wholly on one side of the other boundary: one vertex speaks for it.
      return everyPart(parcel, geometry) && !anyRing(geometry, parcel);
    }
    for (let i = 0; i < parcel.xy.length; i += 2)
      if (!contains(geometry, parcel.xy[i]!, parcel.xy[i + 1]!)) return false;
    return this.#geos.covers(geometry, parcel);
  }

  /** Offers how pairs of edges meet until `stop` says so. */
  #boundaries({ xy, ends }: Geometry, stop: (contact: number) => boolean): boolean {
    const area = this.grid.geometry.xy;
    let start = 0;
    for (const end of ends) {
      for (let v = start; v < end - 1; v++) {
        const ax = xy[2 * v]!;
        const ay = xy[2 * v + 1]!;
        const bx = xy[2 * v + 2]!;
        const by = xy[2 * v + 3]!;
        const stopped = this.grid.edgesNear(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by), e =>
          stop(meeting(ax, ay, bx, by, area[2 * e]!, area[2 * e + 1]!, area[2 * e + 2]!, area[2 * e + 3]!)),
        );
        if (stopped) return true;
      }
      start = end;
    }
    return false;
  }
}

/** First vertex of each polygon's shell. */
function* shells({ ends, parts }: Geometry): Generator<number> {
  let ring = 0;
  for (const last of parts) {
    yield ring === 0 ? 0 : ends[ring - 1]!;
    ring = last;
  }
}

function anyPart(of: Geometry, holder: Geometry): boolean {
  for (const v of shells(of)) if (contains(holder, of.xy[2 * v]!, of.xy[2 * v + 1]!)) return true;
  return false;
}

function everyPart(of: Geometry, holder: Geometry): boolean {
  for (const v of shells(of)) if (!contains(holder, of.xy[2 * v]!, of.xy[2 * v + 1]!)) return false;
  return true;
}

function anyRing(of: Geometry, holder: Geometry): boolean {
  for (let ring = 0; ring < of.ends.length; ring++) {
    const v = ring === 0 ? 0 : of.ends[ring - 1]!;
    if (contains(holder, of.xy[2 * v]!, of.xy[2 * v + 1]!)) return true;
  }
  return false;
}
