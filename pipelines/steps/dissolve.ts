import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { OutputRow } from '../../ingest/writer.ts';
import type { GeosPolygons } from '../../query/geometry/geos.ts';

interface Group {
  readonly properties: Record<string, Value>;
  readonly geometries: Geometry[];
}

/**
 * Joins the polygons with the same value in one column, by GEOS unary union without snapping. If the rows of a key have different
 * values in a column, the column becomes null. All geometries are in memory, because a union needs them.
 */
export class Dissolve {
  readonly #key: string;
  readonly #groups = new Map<string, Group>();

  /** @param key target column whose equal values belong together. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Adds a row. @returns false if the row has no key. */
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

  /** Yields one row for each key, ordered by key as text, so that the file does not depend on the order of the source. */
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
