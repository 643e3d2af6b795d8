import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';

const SCHEMAS = join(import.meta.dirname, 'stac');

const position = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 };
/** GeoJSON as far as an item holds any (RFC 7946): polygons, or nothing. */
const geometry = {
  $id: 'https://geojson.org/schema/Geometry.json',
  type: 'object',
  required: ['type', 'coordinates'],
  properties: {
    type: { const: 'Polygon' },
    coordinates: { type: 'array', minItems: 1, items: { type: 'array', items: position, minItems: 4 } },
  },
};
const feature = {
  $id: 'https://geojson.org/schema/Feature.json',
  type: 'object',
  required: ['type', 'properties', 'geometry'],
  properties: {
    type: { const: 'Feature' },
    properties: { type: ['object', 'null'] },
    geometry: { anyOf: [{ type: 'null' }, { $ref: 'https://geojson.org/schema/Geometry.json' }] },
  },
};

/** Makes the judgement of the published schemas of STAC 1.0.0: what is wrong with a catalog, collection or item. */
export function stacCheck(): (document: { readonly type: string }) => readonly ErrorObject[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addFormat('date-time', text => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat('iri', text => URL.canParse(text));
  ajv.addFormat('uri', text => URL.canParse(text));
  ajv.addFormat('iri-reference', text => URL.canParse(text, 'https://example.org/'));
  ajv.addSchema([geometry, feature]);
  for (const name of readdirSync(SCHEMAS).filter(name => name.endsWith('.json')))
    ajv.addSchema(JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')));
  return document => {
    const kind = document.type === 'Feature' ? 'item' : document.type.toLowerCase();
    const valid = ajv.getSchema(`https://schemas.stacspec.org/v1.0.0/${kind}-spec/json-schema/${kind}.json`)!;
    return valid(document) ? [] : (valid.errors ?? []);
  };
}
