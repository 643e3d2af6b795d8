import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import { AreaGrid, type Quick } from './area-grid.ts';
import { APART, CROSSING, TOUCHING } from './edge-contact.ts';
import type { GeosPolygons } from './geos.ts';
import { contains } from './point-in-polygon.ts';

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
    return quick === 'unsure' ? this.meets(parcel) : quick === 'inside';
  }

  /** As intersects, for a parcel whose box left it `unsure`. */
  meets(parcel: Geometry): boolean {
    const { xy, ends } = parcel;
    // A vertex in a cell that lies inside is enough, and most parcels on the area's edge have one.
    for (let i = 0; i < xy.length; i += 2) if (this.grid.holdsSurely(xy[i]!, xy[i + 1]!)) return true;
    if (this.grid.contact(xy, ends, TOUCHING) !== APART) return true;
    for (let part = 0; part < parcel.parts.length; part++) {
      const v = shellOf(parcel, part);
      if (this.grid.holds(parcel.xy[2 * v]!, parcel.xy[2 * v + 1]!)) return true;
    }
    return anyVertex(this.grid.geometry, shells(this.grid.geometry), parcel);
  }

  /** Whether the area covers the whole parcel. */
  covers(parcel: Geometry): boolean {
    const box = boxOf(parcel);
    const [x0, y0, x1, y1] = this.grid.box;
    if (box[0] < x0 || box[1] < y0 || box[2] > x1 || box[3] > y1) return false;
    const quick = this.quick(box);
    if (quick !== 'unsure') return quick === 'inside';
    const { grid } = this;
    const { geometry } = grid;
    const { xy, ends } = parcel;
    const contact = grid.contact(xy, ends, CROSSING);
    if (contact === CROSSING) return false;
    if (contact === APART) {
      // Every ring is wholly on one side of the other boundary: one vertex speaks for it.
      for (const v of shells(parcel)) if (!grid.holds(xy[2 * v]!, xy[2 * v + 1]!)) return false;
      return !anyVertex(geometry, rings(geometry), parcel);
    }
    for (let i = 0; i < xy.length; i += 2) if (!grid.holds(xy[i]!, xy[i + 1]!)) return false;
    return this.#geos.covers(geometry, parcel);
  }
}

/** First vertex of each ring. */
function* rings({ ends }: Geometry): Generator<number> {
  let start = 0;
  for (const end of ends) {
    yield start;
    start = end;
  }
}

/** First vertex of a polygon's shell. */
function shellOf({ ends, parts }: Geometry, part: number): number {
  const ring = part === 0 ? 0 : parts[part - 1]!;
  return ring === 0 ? 0 : ends[ring - 1]!;
}

/** First vertex of each polygon's shell. */
function* shells(geometry: Geometry): Generator<number> {
  for (let part = 0; part < geometry.parts.length; part++) yield shellOf(geometry, part);
}

/** Whether a polygon contains one of some vertices; most lie outside its box already. */
function anyVertex({ xy }: Geometry, vertices: Iterable<number>, holder: Geometry): boolean {
  const [minX, minY, maxX, maxY] = boxOf(holder);
  for (const v of vertices) {
    const x = xy[2 * v]!;
    const y = xy[2 * v + 1]!;
    if (x >= minX && x <= maxX && y >= minY && y <= maxY && contains(holder, x, y)) return true;
  }
  return false;
}
