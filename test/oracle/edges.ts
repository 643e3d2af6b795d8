import type { Geometry } from '../../datasets/geometry.ts';
import { fromGeoJSON, type Shape } from './geojson.ts';

/** A place where geometry goes wrong easily, with the answer worked out by hand. */
export interface Edge {
  readonly name: string;
  readonly geometry: Geometry;
  readonly lng: number;
  readonly lat: number;
  /** Whether the polygon holds the point; false for lines and points. */
  readonly inside: boolean;
}

const ring = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const edge = (name: string, shape: Shape, lng: number, lat: number, inside: boolean): Edge => ({
  name,
  geometry: fromGeoJSON(shape),
  lng,
  lat,
  inside,
});

const holed: Shape = { type: 'Polygon', coordinates: [ring(-69, 44, -68, 45), ring(-68.75, 44.25, -68.25, 44.75)] };
const island: Shape = {
  type: 'MultiPolygon',
  coordinates: [[ring(-69, 44, -68, 45), ring(-68.75, 44.25, -68.25, 44.75)], [ring(-68.625, 44.375, -68.375, 44.625)]],
};
const triangle: Shape = {
  type: 'Polygon',
  coordinates: [
    [
      [-68, 44],
      [-67, 44],
      [-67, 45],
      [-68, 44],
    ],
  ],
};
const rat: Shape = {
  type: 'MultiPolygon',
  coordinates: [[ring(178, 51, 180, 53)], [ring(-180, 51, -179, 53)]],
};
const north: Shape = { type: 'Polygon', coordinates: [ring(-146, 71.75, -145, 72.25)] };
const sliver: Shape = {
  type: 'Polygon',
  coordinates: [
    [
      [-70, 44],
      [-69, 44.000000001],
      [-69, 44.000000002],
      [-70, 44],
    ],
  ],
};
const chain: Shape = {
  type: 'MultiLineString',
  coordinates: [
    [
      [179, 52],
      [180, 52.5],
    ],
    [
      [-180, 52.5],
      [-179, 52],
    ],
  ],
};
const parallel: Shape = {
  type: 'LineString',
  coordinates: [
    [-104, 49],
    [-97, 49],
  ],
};
const arctic: Shape = {
  type: 'LineString',
  coordinates: [
    [-156, 72],
    [-141, 72],
  ],
};

/** Hand-made cases: boundaries, vertices, holes, parts, the antimeridian, the far north, slivers, long segments. */
export const EDGES: readonly Edge[] = [
  edge('inside', holed, -68.9, 44.5, true),
  edge('outside', holed, -67.9, 44.5, false),
  edge('on an upright edge', holed, -69, 44.5, true),
  edge('on a level edge', holed, -68.5, 44, true),
  edge('on a vertex', holed, -68, 45, true),
  edge('level with a vertex, outside', holed, -69.5, 45, false),
  edge('level with a hole vertex, inside', holed, -68.9, 44.25, true),
  edge('in a hole', holed, -68.5, 44.5, false),
  edge("on a hole's edge", holed, -68.75, 44.5, true),
  edge("on a hole's vertex", holed, -68.25, 44.25, true),
  edge('on an island in a hole', island, -68.5, 44.5, true),
  edge("on the island's edge", island, -68.625, 44.5, true),
  edge('between island and hole', island, -68.7, 44.5, false),
  edge('on a slanting edge', triangle, -67.5, 44.5, true),
  edge('a hair beyond a slanting edge', triangle, -67.50000000000001, 44.5, false),
  edge('a hair within a slanting edge', triangle, -67.49999999999999, 44.5, true),
  edge('on 180 of a part that ends there', rat, 180, 52, true),
  edge('on -180 of a part that begins there', rat, -180, 52, true),
  edge('west of the antimeridian', rat, 179.999, 52, true),
  edge('east of the antimeridian', rat, -179.999, 52, true),
  edge('outside, across the antimeridian', rat, -178.9, 52, false),
  edge('corner of the Aleutian rectangle', rat, 178, 51, true),
  edge('Aleutian rectangle, outside', rat, 172, 54, false),
  edge('72 north, inside', north, -145.5, 72, true),
  edge('72 north, outside', north, -144.9, 72, false),
  edge('72 north, on the edge', north, -145, 72, true),
  edge('on a sliver', sliver, -69, 44.0000000015, true),
  edge('beside a sliver', sliver, -69.5, 44.0000000001, false),
  edge('near a line cut at the antimeridian, from the east', chain, -179.99, 52.6, false),
  edge('near a line cut at the antimeridian, from the west', chain, 179.99, 52.4, false),
  edge('on a line cut at the antimeridian', chain, -180, 52.5, false),
  edge('north of a segment along a parallel', parallel, -100.3, 49.4, false),
  edge('south of a segment along a parallel', parallel, -100.3, 48.6, false),
  edge('far south of a segment along a parallel', parallel, -100.3, 30, false),
  edge('on a segment along a parallel', parallel, -100.25, 49, false),
  edge('north of a long segment at 72 north', arctic, -150, 72.4, false),
  edge('far south of a long segment at 72 north', arctic, -150, 55, false),
  edge(
    'a segment of no length',
    {
      type: 'LineString',
      coordinates: [
        [175, 52],
        [175, 52],
      ],
    },
    174.9,
    52,
    false,
  ),
  edge('a point across the antimeridian', { type: 'Point', coordinates: [-179.9, 52] }, 179.9, 52, false),
  edge(
    'several points',
    {
      type: 'MultiPoint',
      coordinates: [
        [-68, 44],
        [-68.1, 44.1],
        [-68, 44],
      ],
    },
    -68.09,
    44.09,
    false,
  ),
];
