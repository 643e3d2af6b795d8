import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { OutputRow } from '../../ingest/writer.ts';
import type { GeosPolygons } from '../../query/geometry/geos.ts';

interface Group {
  readonly properties: Record<string, Value>;
  readonly geometries: Geometry[];
}

/**
 * Unites the polygons that share one column's value, with GEOS unary union and nothing snapped.
 * A column on which the rows of a key disagree becomes null. Holds all geometries, as a union must.
 */
export class Dissolve {
  readonly #key: string;
  readonly #groups = new Map<string, Group>();

  /** @param key target column whose equal values belong together. */
  constructor(key: string) {
    this.#key = key;
  }

  /** @returns false when the row has no key and so belongs nowhere. */
  add(row: OutputRow): boolean {
    const key = row.properties[this.#key];
    if (key === null || key === undefined || !row.geometry) return false;
    const group = this.#groups.get(String(key));
    if (!group) {
      this.#groups.set(String(key), { properties: { ...row.properties }, geometries: [row.geometry] });
      return true;
    }
    for (const name of Object.keys(group.properties))
      if (group.properties[name] !== row.properties[name]) group.properties[name] = null;
    group.geometries.push(row.geometry);
    return true;
  }

  /** One row a key, in order of the keys as text (so that the file does not depend on the order of the source). */
  *rows(geos: GeosPolygons): Generator<OutputRow> {
    for (const key of [...this.#groups.keys()].sort()) {
      const { properties, geometries } = this.#groups.get(key)!;
      const geometry = geometries.length === 1 ? geometries[0]! : geos.union(geometries);
      if (!geometry) throw new Error(`The union of ${geometries.length} polygons of ${this.#key} ${key} is empty`);
      yield { properties, geometry };
      geometries.length = 0;
    }
  }
}
