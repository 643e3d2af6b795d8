import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Box, boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Ring, Shape } from '../../../pipelines/world/format/feature.ts';
import type { CountyWorld, World } from '../../../pipelines/world/world.ts';
import { containing, type Feature } from '../../oracle/features.ts';
import { fromGeoJSON, type Shape as GeoShape } from '../../oracle/geojson.ts';

/** A folder of its own below the system's temporary one. */
export const folder = () => mkdtempSync(join(tmpdir(), 'plat-world-'));

/** A shape of the generator as the oracle takes it. */
export const flat = (shape: Shape): Geometry => fromGeoJSON(structuredClone(shape) as unknown as GeoShape);

/** A ring as a polygon. */
export const ringed = (ring: Ring): Geometry => flat({ type: 'Polygon', coordinates: [ring] });

/** Features with their boxes, so that brute force looks only at candidates. */
export class Layer<T> {
  readonly features: readonly (Feature & { readonly box: Box; readonly value: T })[];

  constructor(rows: Iterable<readonly [key: string, geometry: Geometry, value: T]>) {
    this.features = [...rows].map(([key, geometry, value]) => ({ key, geometry, value, box: boxOf(geometry) }));
  }

  /** Values of all polygons that hold the point, smallest first. */
  at(lng: number, lat: number): T[] {
    const near = this.features.filter(({ box }) => lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3]);
    return containing(near, lng, lat).map(feature => feature.value);
  }
}

/** What both counties of a world hold, one after the other. */
export const all = <T>(world: World, of: (county: CountyWorld) => Iterable<T>): T[] =>
  world.counties.flatMap(county => [...of(county)]);
