import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBGeometryValue,
  DuckDBScalarFunction,
  GEOMETRY,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { latLngToCell } from 'h3-js';
import type { Geometry } from '../../datasets/geometry.ts';
import { type GeosPolygons, loadGeos } from '../geometry/geos.ts';
import { PreparedArea } from '../geometry/prepared-area.ts';
import { decodeWkb, WkbError } from '../geometry/wkb.ts';

/** Areas kept prepared: a join meets the same ones again and again. */
const KEPT_AREAS = 64;

const POLYGONAL = ['Polygon', 'MultiPolygon'];

/** The polygons of a value. @throws WkbError when it is none. */
function polygonsOf({ bytes }: DuckDBGeometryValue): Geometry {
  const geometry = decodeWkb(bytes);
  if (POLYGONAL.includes(geometry.type)) return geometry;
  throw new WkbError('unsupported', `a ${geometry.type} was given where a Polygon or MultiPolygon was expected`);
}

/** Areas by their bytes, prepared once. */
class Areas {
  readonly #geos: GeosPolygons;
  readonly #kept = new Map<string, PreparedArea | null>();
  #last: { readonly bytes: Buffer; readonly area: PreparedArea | null } | null = null;

  constructor(geos: GeosPolygons) {
    this.#geos = geos;
  }

  /** @returns null for an empty area. @throws WkbError when the area is not valid. */
  of(value: DuckDBGeometryValue): PreparedArea | null {
    const bytes = Buffer.from(value.bytes.buffer, value.bytes.byteOffset, value.bytes.byteLength);
    if (this.#last?.bytes.equals(bytes)) return this.#last.area;
    const key = bytes.toString('latin1');
    let area = this.#kept.get(key);
    if (area === undefined) {
      area = this.#prepare(value);
      this.#kept.set(key, area);
      if (this.#kept.size > KEPT_AREAS) this.#kept.delete(this.#kept.keys().next().value!);
    }
    // DuckDB's memory is reused for the next chunk.
    this.#last = { bytes: Buffer.from(bytes), area };
    return area;
  }

  #prepare(value: DuckDBGeometryValue): PreparedArea | null {
    const geometry = polygonsOf(value);
    if (geometry.xy.length === 0) return null;
    const reason = this.#geos.invalidReason(geometry);
    if (reason !== null) throw new WkbError('corrupt', `the area is not valid: ${reason}`);
    return new PreparedArea(geometry, this.#geos);
  }
}

/**
 * Registers the exact predicates of the parcel search on a connection, both on GEOMETRY in lng,lat with planar edges:
 * `plat_intersects(geometry, area)`, whether they share any point, and `plat_within(geometry, area)`, whether the area
 * covers all of the geometry; boundaries belong to both. The area must be valid polygons, else the query fails saying
 * why. Null and empty operands: null gives null, empty gives false. And `plat_h3(lat, lng, resolution)`, the H3 cell of a point as text.
 */
export async function registerPredicates(connection: DuckDBConnection): Promise<void> {
  const geos = await loadGeos();
  const register = (name: string, holds: (area: PreparedArea, geometry: Geometry) => boolean) => {
    const areas = new Areas(geos);
    const judge = (value: DuckDBGeometryValue | null, within: DuckDBGeometryValue | null): boolean | null => {
      if (value === null || within === null) return null;
      const area = areas.of(within);
      const geometry = polygonsOf(value);
      return area !== null && geometry.xy.length > 0 && holds(area, geometry);
    };
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        returnType: BOOLEAN,
        parameterTypes: [GEOMETRY, GEOMETRY],
        mainFunction(info, input, output) {
          try {
            const [values, within] = [input.getColumnVector(0), input.getColumnVector(1)];
            for (let row = 0; row < input.rowCount; row++)
              output.setItem(
                row,
                judge(
                  values.getItem(row) as DuckDBGeometryValue | null,
                  within.getItem(row) as DuckDBGeometryValue | null,
                ),
              );
            output.flush();
          } catch (error) {
            info.setError(`${name}: ${(error as Error).message}`);
          }
        },
      }),
    );
  };
  register('plat_intersects', (area, geometry) => area.intersects(geometry));
  register('plat_within', (area, geometry) => area.covers(geometry));
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: 'plat_h3',
      returnType: VARCHAR,
      parameterTypes: [DOUBLE, DOUBLE, INTEGER],
      mainFunction(_info, input, output) {
        const [lats, lngs, resolutions] = [
          input.getColumnVector(0),
          input.getColumnVector(1),
          input.getColumnVector(2),
        ];
        for (let row = 0; row < input.rowCount; row++) {
          const [lat, lng, resolution] = [lats, lngs, resolutions].map(column => column.getItem(row) as number | null);
          output.setItem(
            row,
            lat == null || lng == null || resolution == null ? null : latLngToCell(lat, lng, resolution),
          );
        }
        output.flush();
      },
    }),
  );
}
