// Measures microseconds of the search kernel for each parcel whose box meets the area. Compares intersects and within with
// prepared GEOS (WebAssembly, with geometries made beforehand) and turf. The whole answer is compared before it is timed.
import { readFileSync } from 'node:fs';
import * as turf from '@turf/turf';
import type * as GeoJSON from 'geojson';
import initGeosJs from 'geos-wasm';
import { geojsonToGeosGeom } from 'geos-wasm/helpers';
import { boxOf } from '../datasets/geometry.ts';
import { loadGeos } from '../query/geometry/geos.ts';
import { PreparedArea } from '../query/geometry/prepared-area.ts';
import { fromGeoJSON, toGeoJSON } from '../test/oracle/geojson.ts';
import { Lattice, latticeParcels } from '../test/query/search/lattice.ts';
import { type BenchRow, report } from './report.ts';

const geos = await initGeosJs();
const parcels = latticeParcels(new Lattice(40, -68.8, 44.7, 0.004, 1), 1, 'Bench').map(parcel => parcel.geometry);
const shapes = parcels.map(parcel => toGeoJSON(parcel) as GeoJSON.Polygon);
const pointers = shapes.map(shape => geojsonToGeosGeom(shape, geos));

/** A wavy ring of so many vertices about the middle of the parcels. */
function wavy(vertices: number, size: number): GeoJSON.Polygon {
  const ring = Array.from({ length: vertices - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (vertices - 1);
    const radius = size * (1 + 0.2 * Math.sin(9 * angle) + 0.02 * Math.sin(131 * angle));
    return [-68.72 + radius * Math.cos(angle), 44.78 + radius * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

/** Microseconds an item: rounds for a fifth of a second after as long to warm up; one round where that takes longer. */
function microseconds(items: readonly number[], call: (item: number) => unknown): number {
  const rounds = () => {
    const start = performance.now();
    let calls = 0;
    do {
      for (const item of items) call(item);
      calls += items.length;
    } while (performance.now() - start < 200);
    return ((performance.now() - start) * 1000) / calls;
  };
  rounds();
  return rounds();
}

const rows: BenchRow[] = [];
for (const [name, vertices, size] of [
  ['5 vertices, 1 km', 5, 0.006],
  ['500 vertices, 10 km', 500, 0.06],
  ['10,000 vertices, 10 km', 10_000, 0.06],
] as const) {
  const shape = wavy(vertices, size);
  const area = fromGeoJSON(shape);
  const ours = new PreparedArea(area, await loadGeos());
  const pointer = geojsonToGeosGeom(shape, geos);
  const prepared = geos.GEOSPrepare(pointer);
  const [x0, y0, x1, y1] = boxOf(area);
  const near = [...parcels.keys()].filter(i => {
    const [a, b, c, d] = boxOf(parcels[i]!);
    return a <= x1 && b <= y1 && c >= x0 && d >= y0;
  });
  for (const op of ['intersects', 'within'] as const) {
    const mine = (i: number) => (op === 'intersects' ? ours.intersects(parcels[i]!) : ours.covers(parcels[i]!));
    const theirs = (i: number) =>
      (op === 'intersects'
        ? geos.GEOSPreparedIntersects(prepared, pointers[i]!)
        : geos.GEOSPreparedCovers(prepared, pointers[i]!)) === 1;
    const differing = near.filter(i => mine(i) !== theirs(i));
    if (differing.length > 0) throw new Error(`${name}, ${op}: ${differing.length} parcels are judged differently`);
    const [us, them] = [microseconds(near, mine), microseconds(near, theirs)];
    rows.push({ case: `${op}, ${name}, against GEOS prepared`, unit: 'µs', ours: us, peer: them, ratio: them / us });
    if (op === 'intersects') {
      const few = near.slice(0, 20);
      const turfs = microseconds(few, i => turf.booleanIntersects(shapes[i]!, shape));
      const again = microseconds(few, mine);
      rows.push({ case: `${op}, ${name}, against turf`, unit: 'µs', ours: again, peer: turfs, ratio: turfs / again });
    }
  }
  const setup = microseconds([0], () => new PreparedArea(area, null as never));
  rows.push({ case: `preparing the area, ${name}`, unit: 'µs', ours: setup, peer: null, ratio: null });
}
const version = (name: string) =>
  (
    JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version;
report('search-kernel', { 'geos-wasm': version('geos-wasm'), '@turf/turf': version('@turf/turf') }, rows);
