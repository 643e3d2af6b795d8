import { nearest } from '../geometry/box-tree-nearest.ts';
import { radiiAt } from '../geometry/geodesic.ts';
import { NO_ARC, type RoadGraph, segmentCount } from './graph.ts';
import { UNITS } from './road-lines.ts';
import { SegmentTree } from './segment-boxes.ts';

const DEGREE = Math.PI / 180;

/** A place on a road. */
export interface Snap {
  readonly segment: number;
  /** Share of the segment's length that lies before the place, 0 to 1. */
  readonly share: number;
  /** From the point to the place. */
  readonly metres: number;
  /** Of the place, degrees. */
  readonly lng: number;
  readonly lat: number;
}

/** Finds the nearest road that may be driven; ferries are boarded at their ends alone and are left out. */
export class Snapper {
  readonly #graph: RoadGraph;
  readonly #tree: SegmentTree;

  constructor(graph: RoadGraph) {
    this.#graph = graph;
    this.#tree = new SegmentTree(graph.boxes, segmentCount(graph));
  }

  /**
   * The nearest place to begin or end a drive: on a road of a network that is large enough.
   * @param lng,lat degrees. @param limit metres. @returns null where none is so near.
   */
  snap(lng: number, lat: number, limit: number): Snap | null {
    return this.#nearest(lng, lat, limit, this.#graph.joined);
  }

  /** The nearest place on a road of all, whatever the road is joined to; null where none is so near. */
  nearestRoad(lng: number, lat: number, limit: number): Snap | null {
    return this.#nearest(lng, lat, limit, null);
  }

  /** @param among 1 for segments that count; all where it is null. */
  #nearest(lng: number, lat: number, limit: number, among: Uint8Array | null): Snap | null {
    const { forward, backward, ferry } = this.#graph;
    const isOpen = (segment: number) => forward[segment] !== NO_ARC || backward[segment] !== NO_ARC;
    const road = nearest(
      [this.#tree],
      lng,
      lat,
      limit,
      (_, segment) => ferry[segment] === 0 && isOpen(segment) && (among === null || among[segment] === 1),
      (_, segment) => this.#place(segment, lng, lat).metres,
      (_, segment) => String(segment).padStart(10, '0'),
    );
    return road && this.#place(road.feature, lng, lat);
  }

  /** The place of a segment nearest to a point, on the plane that touches the ellipsoid there. */
  #place(segment: number, lng: number, lat: number): Snap {
    const { shape, shapeFirst } = this.#graph;
    const { M, N } = radiiAt(lat);
    const x = (N * Math.cos(lat * DEGREE) * DEGREE) / UNITS;
    const y = (M * DEGREE) / UNITS;
    const [px, py] = [lng * UNITS, lat * UNITS];
    let [best, along, total] = [Infinity, 0, 0];
    let [atX, atY] = [0, 0];
    for (let v = shapeFirst[segment]!; v + 1 < shapeFirst[segment + 1]!; v++) {
      const [ax, ay] = [shape[2 * v]! - px, shape[2 * v + 1]! - py];
      const [dx, dy] = [(shape[2 * v + 2]! - shape[2 * v]!) * x, (shape[2 * v + 3]! - shape[2 * v + 1]!) * y];
      const squared = dx * dx + dy * dy;
      const t = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * x * dx + ay * y * dy) / squared));
      const metres = Math.hypot(ax * x + t * dx, ay * y + t * dy);
      const piece = Math.sqrt(squared);
      if (metres < best) {
        best = metres;
        along = total + t * piece;
        atX = shape[2 * v]! + t * (shape[2 * v + 2]! - shape[2 * v]!);
        atY = shape[2 * v + 1]! + t * (shape[2 * v + 3]! - shape[2 * v + 1]!);
      }
      total += piece;
    }
    const share = total === 0 ? 0 : along / total;
    return { segment, share, metres: best, lng: atX / UNITS, lat: atY / UNITS };
  }
}
