import { closeSync, openSync, writeSync } from 'node:fs';
import type { Geometry } from '../../../datasets/geometry.ts';
import { toGeoJson } from '../../../query/search/page/geojson.ts';
import type { ExportTable, TableWriter } from './writer.ts';

/** Begins each record (RFC 8142). */
const RECORD = '\u001e';

const geometryOf = (geometry: Geometry | null): object | null => {
  if (!geometry) return null;
  return geometry.type === 'Point' ? { type: 'Point', coordinates: [...geometry.xy] } : toGeoJson(geometry);
};

/** GeoJSON text sequence (RFC 8142): a feature a record. */
export function geojsonseqWriter(path: string, { columns }: ExportTable): TableWriter {
  const file = openSync(path, 'w', 0o600);
  return {
    write({ count, values, geometries }) {
      const lists = columns.map(({ name }) => [name, values.get(name)!] as const);
      let text = '';
      for (let row = 0; row < count; row++) {
        const properties = Object.fromEntries(lists.map(([name, list]) => [name, list[row] ?? null]));
        const feature = { type: 'Feature', geometry: geometryOf(geometries[row]!), properties };
        text += `${RECORD}${JSON.stringify(feature)}\n`;
      }
      writeSync(file, text);
    },
    finish: () => closeSync(file),
  };
}
