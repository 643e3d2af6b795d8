import { remarksOf, type Table } from './format.ts';

/** The column that a feature has as its geometry instead of a property. */
const GEOMETRY = 'geometry';

/** Writes a table as GeoJSON (RFC 7946): a feature for each row, and the remarks as the member `plat`. */
export function writeGeojson(table: Table): Uint8Array {
  const columns = table.columns.filter(({ name }) => name !== GEOMETRY);
  const features = table.geometries.map((geometry, row) => ({
    type: 'Feature',
    geometry,
    properties: Object.fromEntries(columns.map(({ name, values }) => [name, values[row] ?? null])),
  }));
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', plat: remarksOf(table), features }));
}
