import { closeSync, openSync, writeSync } from 'node:fs';
import type { Geometry } from '../../../datasets/geometry.ts';
import { JsonBytes, Phrase } from '../../../query/format/json-bytes.ts';
import { toGeoJson, writeGeoJson } from '../../../query/search/page/geojson.ts';
import type { ExportTable, TableWriter } from './writer.ts';

/** Begins each record (RFC 8142). */
const FEATURE = new Phrase('\u001e{"type":"Feature","geometry":');
const PROPERTIES = new Phrase(',"properties":{');
const END = new Phrase('}}\n');

function putGeometry(out: JsonBytes, geometry: Geometry | null): void {
  if (!geometry) out.null();
  else if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') writeGeoJson(out, geometry);
  else out.plain(JSON.stringify(toGeoJson(geometry)));
}

function putValue(out: JsonBytes, value: unknown): void {
  if (typeof value === 'object' && value !== null) out.plain(JSON.stringify(value));
  else out.value((value ?? null) as string | number | boolean | null);
}

/** GeoJSON text sequence (RFC 8142): a feature a record. */
export function geojsonseqWriter(path: string, { columns }: ExportTable): TableWriter {
  const file = openSync(path, 'w', 0o600);
  const keys = columns.map(({ name }, i) => new Phrase(`${i === 0 ? '' : ','}${JSON.stringify(name)}:`));
  return {
    write({ count, values, geometries }) {
      const out = JsonBytes.take();
      const lists = columns.map(({ name }) => values.get(name)!);
      for (let row = 0; row < count; row++) {
        out.say(FEATURE);
        putGeometry(out, geometries[row]!);
        out.say(PROPERTIES);
        for (let i = 0; i < lists.length; i++) {
          out.say(keys[i]!);
          putValue(out, lists[i]![row]);
        }
        out.say(END);
      }
      writeSync(file, out.written());
      out.release();
    },
    finish: () => closeSync(file),
  };
}
