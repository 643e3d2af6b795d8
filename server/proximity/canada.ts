import type { Point } from '../../query/evaluate/answer.ts';

/** West, south, east, north of the accepted part of Canada, in WGS84 degrees. */
const EXTENT = [-141.1, 41.6, -52.5, 83.2] as const;

/**
 * The land border from west to east, drawn some kilometres inside Canada: a point north of it is certainly in Canada.
 * After the description by the International Boundary Commission; straight between the named places.
 */
const BORDER: readonly (readonly [lng: number, lat: number])[] = [
  // 141° W to the head of the panhandle, and along it.
  [-141, 60.5],
  [-139, 60.5],
  [-137.4, 59.3],
  [-135.4, 60.0],
  [-133.8, 59.0],
  [-131.6, 57.2],
  [-129.9, 56.3],
  [-129.9, 54.9],
  // Dixon Entrance, the Strait of Georgia, and the 49th parallel.
  [-133.5, 54.9],
  [-133.5, 54.7],
  [-128, 50.9],
  [-125, 49.0],
  [-123.6, 48.75],
  [-123.3, 49.1],
  [-95.3, 49.1],
  // Lake of the Woods, Rainy River, Lake Superior.
  [-95.3, 49.5],
  [-94.4, 49.5],
  [-94.4, 48.85],
  [-91.5, 48.2],
  [-89.6, 48.2],
  [-88.5, 48.45],
  [-84.9, 47.0],
  [-84.2, 46.7],
  // Lake Huron, the St. Clair and Detroit rivers, Lake Erie.
  [-83.3, 46.2],
  [-82.3, 45.4],
  [-82.2, 43.1],
  [-82.35, 42.6],
  [-82.9, 42.38],
  [-82.9, 42.0],
  [-82.4, 41.85],
  [-79.2, 42.75],
  // The Niagara, Lake Ontario, the St. Lawrence and the 45th parallel.
  [-79.1, 43.3],
  [-79.1, 43.6],
  [-76.6, 44.3],
  [-75.3, 44.95],
  [-74.6, 45.15],
  [-71.4, 45.15],
  // Maine.
  [-70.9, 45.4],
  [-70.3, 46.2],
  [-69.9, 46.8],
  [-69.2, 47.55],
  [-68.3, 47.45],
  [-67.7, 47.1],
  [-67.7, 45.8],
  [-67.3, 45.2],
  [-66.85, 44.75],
  [-66.4, 43.9],
  [-64, 42],
  [-52.5, 42],
];

/** The accepted part of Canada, in words. */
export const CANADA_EXTENT = `lat ${EXTENT[1]} to ${EXTENT[3]} with lng ${EXTENT[0]} to ${EXTENT[2]}`;

/** Whether a point may lie in Canada. Near the border it may also lie in the United States. */
export const mayBeCanada = ({ lng, lat }: Point): boolean =>
  lng >= EXTENT[0] && lat >= EXTENT[1] && lng <= EXTENT[2] && lat <= EXTENT[3];

/** Whether a point certainly lies in Canada: at least some kilometres north of the border. */
export function isInCanada(point: Point): boolean {
  if (!mayBeCanada(point)) return false;
  const { lng, lat } = point;
  // Count crossings straight south of the point: an odd number means that it lies north of the line.
  let crossings = 0;
  for (let i = 0; i + 1 < BORDER.length; i++) {
    const [ax, ay] = BORDER[i]!;
    const [bx, by] = BORDER[i + 1]!;
    if (ax > lng === bx > lng) continue;
    if (ay + ((lng - ax) / (bx - ax)) * (by - ay) < lat) crossings++;
  }
  return crossings % 2 === 1;
}
