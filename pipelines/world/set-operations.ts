import initGeos from 'geos-wasm';
import { geojsonToGeosGeom, geosGeomToGeojson } from 'geos-wasm/helpers';
import { type Position, polygonsOf, type Ring, type Shape } from './format/feature.ts';
import { METRES } from './frame.ts';

type Geos = Awaited<ReturnType<typeof initGeos>>;
/** Polygons, each a shell and its holes; an empty list is the empty area. */
export type Area = readonly (readonly Ring[])[];

/** Vertices of results lie on this grid of degrees: see round7. */
const GRID = 1e-7;

const asShape = (area: Area): Shape => ({ type: 'MultiPolygon', coordinates: area });

/** Set operations on areas (GEOS overlay on a fixed grid, so that neighbours share their vertices). */
export class SetOperations {
  readonly #geos: Geos;

  private constructor(geos: Geos) {
    this.#geos = geos;
  }

  static async load(): Promise<SetOperations> {
    return new SetOperations(await initGeos());
  }

  /** The ground within `metres` of lines or areas. */
  buffer(shapes: readonly Shape[], metres: number): Area {
    const scale = ([lng, lat]: Position): Position => [lng * METRES[0], lat * METRES[1]];
    const back = ([x, y]: Position): Position => [x / METRES[0], y / METRES[1]];
    // Lines of one width are buffered together, which GEOS does far quicker than one by one.
    const lines = shapes.flatMap(shape => (shape.type === 'LineString' ? [shape.coordinates] : []));
    const others = shapes.filter(shape => shape.type !== 'LineString');
    const together: Shape[] = lines.length ? [{ type: 'MultiLineString', coordinates: lines }, ...others] : others;
    return together
      .map(shape => this.#run([transform(shape, scale)], ([g]) => this.#geos.GEOSBuffer(g!, metres, 4)))
      .map(area => area.map(rings => rings.map(ring => ring.map(back))))
      .reduce<Area>((sum, area) => this.union(sum, area), []);
  }

  union(a: Area, b: Area): Area {
    return this.#run([asShape(a), asShape(b)], ([x, y]) => this.#geos.GEOSUnionPrec(x!, y!, GRID));
  }

  difference(a: Area, b: Area): Area {
    return this.#run([asShape(a), asShape(b)], ([x, y]) => this.#geos.GEOSDifferencePrec(x!, y!, GRID));
  }

  intersection(a: Area, b: Area): Area {
    return this.#run([asShape(a), asShape(b)], ([x, y]) => this.#geos.GEOSIntersectionPrec(x!, y!, GRID));
  }

  #run(shapes: readonly Shape[], operation: (pointers: number[]) => number): Area {
    const geos = this.#geos;
    const pointers = shapes.map(shape => geojsonToGeosGeom(shape as never, geos) as number);
    const result = operation(pointers);
    const out = result ? (geosGeomToGeojson(result, geos) as unknown as Shape & { geometries?: Shape[] }) : null;
    for (const pointer of [...pointers, result]) if (pointer) geos.GEOSGeom_destroy(pointer);
    if (!out) throw new Error('GEOS refused an overlay of the synthetic area: an input is invalid');
    const polygons = (out.geometries ?? [out]).flatMap(polygonsOf).filter(rings => (rings[0]?.length ?? 0) > 3);
    return polygons;
  }
}

function transform(shape: Shape, map: (p: Position) => Position): Shape {
  if (shape.type === 'Point') return { ...shape, coordinates: map(shape.coordinates) };
  if (shape.type === 'LineString') return { ...shape, coordinates: shape.coordinates.map(map) };
  if (shape.type === 'MultiPolygon')
    return { ...shape, coordinates: shape.coordinates.map(rings => rings.map(ring => ring.map(map))) };
  return { ...shape, coordinates: shape.coordinates.map(part => part.map(map)) };
}
