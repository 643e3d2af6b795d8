import { type Box, boxesMeet, boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Place, PlaceLayer } from '../../../datasets/place/place.ts';
import { groundOf } from '../../../ingest/acquire/locate.ts';
import { surfacePoint } from '../../../query/geometry/area/surface-point.ts';
import { ringsOf } from '../../../query/geometry/geos.ts';
import { contains } from '../../../query/geometry/point-in-polygon.ts';
import type { LayerJob } from '../layer-job.ts';
import { coverageOf, polygons } from './coverage.ts';

/** What of a file belongs to a place; it counts what does not. */
export class Cut {
  /** Rows that were left out. */
  rows = 0;
  readonly #keeps: (geometry: Geometry) => boolean;
  readonly #words: string;

  /** @param keeps whether a geometry (lng,lat) belongs to the place. @param words how far that is, for people. */
  constructor(keeps: (geometry: Geometry) => boolean, words: string) {
    this.#keeps = keeps;
    this.#words = words;
  }

  /** Whether a row lies where nothing belongs to the place; it is counted then. */
  leavesOut(geometry: Geometry | null): boolean {
    if (!geometry || this.#keeps(geometry)) return false;
    this.rows++;
    return true;
  }

  get note(): string {
    return `${this.rows} rows beyond ${this.#words} were left out`;
  }
}

/** A county and a layer of it. */
type CutLayer = Pick<LayerJob, 'layer'> & { readonly place: Pick<Place, 'state' | 'county'> };

/** The box to which a layer is cut, degrees; null where it is not cut by a box. */
export function cutBox({ layer: { cut }, place: { state, county } }: CutLayer): Box | null {
  return cut?.km === undefined ? null : groundOf(county, state, cut.km);
}

/** The box as far as which all of a layer is held beyond its coverage; null where nothing says so. */
export const reachOf = (job: CutLayer): Box | null => (job.layer.cut?.whole ? cutBox(job) : null);

/** How far a layer of a county is held, for people. */
export const cutWords = ({ km = 0 }: NonNullable<PlaceLayer['cut']>): string =>
  km > 0 ? `the county and ${km} km about it` : 'the county';

/** A point of a geometry well in it: the middle of its widest piece, of its vertices the middle one. */
function centerOf(geometry: Geometry): readonly [number, number] {
  const { xy, type } = geometry;
  if (type.endsWith('Polygon')) {
    const widest = ringsOf(geometry)
      .map(rings => surfacePoint(rings.map(pointsOf)))
      .reduce((best, one) => ((one?.distance ?? -1) > (best?.distance ?? -1) ? one : best), null);
    if (widest) return [widest.x, widest.y];
  }
  const half = 2 * Math.floor(xy.length / 4);
  return [xy[half]!, xy[half + 1]!];
}

const pointsOf = (ring: Float64Array): (readonly [number, number])[] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const);

/** What of a layer's file belongs to the place; null where all of it does. @throws LayerError as the polygons of the coverage do. */
export async function cutOf(job: LayerJob): Promise<Cut | null> {
  const { cut } = job.layer;
  if (!cut) return null;
  const box = cutBox(job);
  const words = cutWords(cut);
  if (box) return new Cut(geometry => geometry.xy.length > 0 && boxesMeet(boxOf(geometry), box), words);
  const coverage = coverageOf(job);
  if (!('file' in coverage)) return null;
  const outlines: { readonly box: Box; readonly geometry: Geometry }[] = [];
  for await (const geometry of polygons(coverage, job)) outlines.push({ box: boxOf(geometry), geometry });
  const keeps = (geometry: Geometry) => {
    if (geometry.xy.length === 0) return false;
    const around = boxOf(geometry);
    const near = outlines.filter(outline => boxesMeet(outline.box, around));
    if (near.length === 0) return false;
    const [x, y] = centerOf(geometry);
    return near.some(outline => contains(outline.geometry, x, y));
  };
  return new Cut(keeps, words);
}
