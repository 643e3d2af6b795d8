import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll } from 'vitest';
import type { Column, Value } from '../../../datasets/dataset.ts';
import type { Geometry, GeometryType } from '../../../datasets/geometry.ts';
import type { OutputRow } from '../../../ingest/writer.ts';

/** A folder that goes away after the tests of the file. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plat-writers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const COLUMNS: Readonly<Record<string, Column>> = {
  NAME: { type: 'string', description: 'Name on the map' },
  ACRES: { type: 'number', unit: 'acre' },
  ID: { type: 'integer' },
  OPEN: { type: 'boolean' },
  BUILT: { type: 'date' },
  SEEN: { type: 'timestamp' },
};

export function geometryOf(type: GeometryType, parts: readonly (readonly (readonly number[])[])[]): Geometry {
  const lists = parts.flat();
  const xy = Float64Array.from(lists.flat());
  let vertex = 0;
  let ring = 0;
  return {
    type,
    xy,
    ends: type.endsWith('Point')
      ? Uint32Array.of(xy.length / 2)
      : Uint32Array.from(lists.map(list => (vertex += list.length / 2))),
    parts: type.endsWith('Polygon') ? Uint32Array.from(parts.map(rings => (ring += rings.length))) : new Uint32Array(0),
  };
}

const point = fc
  .tuple(
    fc.double({ min: -180, max: 180, noNaN: true }).map(x => x + 0),
    fc.double({ min: -90, max: 90, noNaN: true }).map(y => y + 0),
  )
  .map(pair => pair as number[]);
const path = (low: number, max = 12) => fc.array(point, { minLength: low, maxLength: max }).map(list => list.flat());
const ring = path(3).map(list => [...list, list[0]!, list[1]!]);
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 4 });

/** Any geometry of the six types; rings are closed but need not be valid, which a writer does not judge. */
export const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  point.map(p => geometryOf('Point', [[p]])),
  path(1).map(p => geometryOf('MultiPoint', [[p]])),
  path(2).map(p => geometryOf('LineString', [[p]])),
  some(path(2)).map(lines => geometryOf('MultiLineString', [lines])),
  some(ring).map(rings => geometryOf('Polygon', [rings])),
  some(some(ring)).map(polygons => geometryOf('MultiPolygon', polygons)),
);

const nullable = (value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const day = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map(date => date.toISOString());

export const anyProperties: fc.Arbitrary<Record<string, Value>> = fc.record({
  NAME: nullable(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(70_000)))),
  ACRES: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
  ID: nullable(fc.maxSafeInteger()),
  OPEN: nullable(fc.boolean()),
  BUILT: nullable(day.map(text => text.slice(0, 10))),
  SEEN: nullable(day),
});

export const anyRow: fc.Arbitrary<OutputRow> = fc.record({ properties: anyProperties, geometry: anyGeometry });

/** A row of small whole numbers whose text is the same in every tool. */
export function square(id: number, x: number, y: number, size: number): OutputRow {
  return {
    properties: { NAME: `№ ${id}`, ACRES: id / 4, ID: id, OPEN: id % 2 === 0, BUILT: '1969-07-20', SEEN: null },
    geometry: geometryOf('Polygon', [[[x, y, x + size, y, x + size, y + size, x, y + size, x, y]]]),
  };
}

/** The same numbers in every run (Park and Miller's minimal standard generator). */
export function dice(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
