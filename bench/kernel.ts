// Measures microseconds of a call of the geometry kernel. Compares point in polygon with GEOS (prepared) and turf, and distance
// to a line or polygon with turf's geodesic pointToLineDistance (on a sphere). Each call is at another point of decoded features.
import { readFileSync } from 'node:fs';
import * as turf from '@turf/turf';
import type * as GeoJSON from 'geojson';
import initGeosJs from 'geos-wasm';
import { geojsonToGeosGeom } from 'geos-wasm/helpers';
import { boxOf } from '../datasets/geometry.ts';
import { distanceTo } from '../query/geometry/feature-distance.ts';
import { contains } from '../query/geometry/point-in-polygon.ts';
import { PolygonOverlap } from '../query/geometry/polygon-overlap.ts';
import { fromGeoJSON } from '../test/oracle/geojson.ts';
import { type BenchRow, report } from './report.ts';

const geos = await initGeosJs();
const CALLS = 4000;

/** Points spread evenly, the same each run, over a square of `half` degrees about the place (R2 sequence). */
const points = (half: number): [number, number][] =>
  Array.from({ length: CALLS }, (_, i) => [
    -68.7 + half * (2 * ((i * 0.7548776662466927) % 1) - 1),
    44.8 + half * (2 * ((i * 0.5698402909980532) % 1) - 1),
  ]);

/** A wavy ring of so many vertices, about 0.1 degrees across or as wide as is said. */
function wavy(vertices: number, width = 0.05, lng = -68.7, lat = 44.8): number[][] {
  const ring = Array.from({ length: vertices - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (vertices - 1);
    const radius = width * (1 + 0.2 * Math.sin(9 * angle) + 0.02 * Math.sin(131 * angle));
    return [lng + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

/** Microseconds a call: rounds over all places for a fifth of a second, after as long to warm up. */
function microseconds(places: [number, number][], call: (lng: number, lat: number) => unknown): number {
  const rounds = () => {
    const start = performance.now();
    let calls = 0;
    do {
      for (const [lng, lat] of places) call(lng, lat);
      calls += places.length;
    } while (performance.now() - start < 200);
    return ((performance.now() - start) * 1000) / calls;
  };
  rounds();
  return rounds();
}

const rows: BenchRow[] = [];
function compare(name: string, ours: number, peer: number): void {
  rows.push({ case: name, unit: 'µs', ours, peer, ratio: peer / ours });
}

for (const vertices of [10, 500, 10_000]) {
  const ring = wavy(vertices);
  const polygon: GeoJSON.Polygon = { type: 'Polygon', coordinates: [ring] };
  const line: GeoJSON.LineString = { type: 'LineString', coordinates: ring };
  const geometry = fromGeoJSON(polygon);
  const flatLine = fromGeoJSON(line);
  const pointer = geojsonToGeosGeom(polygon, geos);
  const prepared = geos.GEOSPrepare(pointer);
  const near = points(0.08);
  const few = near.slice(0, vertices > 1000 ? 100 : CALLS);

  const inside = microseconds(near, (x, y) => contains(geometry, x, y));
  compare(
    `contains, ${vertices} vertices, geos-wasm prepared`,
    inside,
    microseconds(near, (x, y) => geos.GEOSPreparedIntersectsXY(prepared, x, y)),
  );
  compare(
    `contains, ${vertices} vertices, turf`,
    inside,
    microseconds(few, (x, y) => turf.booleanPointInPolygon([x, y], polygon)),
  );
  const close = microseconds(near, (x, y) => distanceTo(flatLine, x, y));
  compare(
    `distanceTo, ${vertices} vertices within 10 km, turf`,
    close,
    microseconds(few.slice(0, 20), (x, y) => turf.pointToLineDistance([x, y], line, { units: 'meters' })),
  );
  const limited = microseconds(near, (x, y) => distanceTo(flatLine, x, y, 500));
  rows.push({
    case: `distanceTo, ${vertices} vertices, limit 500 m`,
    unit: 'µs',
    ours: limited,
    peer: null,
    ratio: null,
  });
  const far = points(10)
    .filter(([x, y]) => Math.hypot(x + 68.7, y - 44.8) > 2)
    .slice(0, 1000);
  const distant = microseconds(far, (x, y) => distanceTo(flatLine, x, y));
  compare(
    `distanceTo, ${vertices} vertices from 200 to 1,500 km, turf`,
    distant,
    microseconds(far.slice(0, 20), (x, y) => turf.pointToLineDistance([x, y], line, { units: 'meters' })),
  );
}

// A national forest under the lots of a county: each of the polygons once in the sweep.
const polygonOf = (ring: number[][]) => fromGeoJSON({ type: 'Polygon', coordinates: [ring] });
const forest = polygonOf(wavy(50_000));
const lots = points(0.065)
  .slice(0, 2000)
  .map(([x, y], i) => polygonOf(wavy(10, 0.0005 + 0.002 * (i / 2000), x, y)));
const swept: number[] = [];
for (let round = 0; round < 5; round++) {
  const overlap = new PolygonOverlap(forest, boxOf(forest));
  for (const lot of lots) overlap.add(lot);
  const before = process.cpuUsage();
  overlap.measure();
  const { user, system } = process.cpuUsage(before);
  swept.push(user + system);
}
rows.push({
  case: 'overlap of a mask of 50,000 vertices with 2,000 polygons, processor time',
  ...{ unit: 'µs', ours: Math.min(...swept), peer: null, ratio: null },
});

const version = (name: string) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version as string;
report('kernel', { '@turf/turf': version('@turf/turf'), 'geos-wasm': version('geos-wasm') }, rows);
