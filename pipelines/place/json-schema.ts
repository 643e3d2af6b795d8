import { catalog } from '../../datasets/catalog.ts';
import type { Column, Dataset, Layer } from '../../datasets/dataset.ts';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { layerWords, typeWords } from './catalog-words.ts';

type Json = Record<string, unknown>;

/** Keys that every place must have itself; they are never inherited. */
const OWN = ['name', 'title', 'county'];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a part in draft-07: references lead into `definitions`, and keywords beside a reference are kept. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const out = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, plain(inner)]));
  if (typeof $ref !== 'string') return out;
  const reference = { $ref: `#/definitions/${$ref}` };
  return Object.keys(out).length > 0 ? { ...out, allOf: [reference] } : reference;
}

/** Returns a schema for a text that is one of these names, each with its meaning. */
const choice = (names: readonly { readonly name: string; readonly means: string }[]) =>
  names.map(({ name, means }) => ({ const: name, description: means }));

/** Returns type, unit, meaning, closed list and other names of a column in one line. */
function columnLine(column: Column): string {
  const { values, description, aliases } = column;
  const list = values ? ` One of ${values.join(', ')}.` : '';
  const also = aliases ? ` Also published as ${aliases.join(', ')}.` : '';
  return `${typeWords(column)}.${description ? ` ${description}` : ''}${list}${also}`;
}

/** Pattern of a condition, which distinguishes it from a misspelt name. */
const CONDITION = '[=<>]|\\s(in|is|like|not)\\b';

/** Returns the schema of `columns` and `unpublished` for a layer of the catalog. */
function columnsOf(layer: Layer): Json {
  if (layer.kind === 'raster') return { columns: { maxProperties: 0 }, unpublished: false };
  const mapped = Object.entries(layer.columns).filter(([, column]) => !column.computed);
  return {
    columns: {
      properties: Object.fromEntries(mapped.map(([name, column]) => [name, { description: columnLine(column) }])),
      additionalProperties: false,
    },
    unpublished: {
      items: { anyOf: [{ enum: ['rest', ...Object.keys(layer.columns)] }, { pattern: CONDITION }] },
    },
  };
}

const when = (key: string, value: string, then: Json) => ({
  if: { properties: { [key]: { const: value } }, required: [key] },
  then,
});

/** Returns the schema rule of a dataset: its layers, and the columns of each. */
function datasetRule({ id, layers }: Dataset): Json {
  const all = Object.entries(layers);
  return when('dataset', id, {
    properties: { layer: { anyOf: choice(all.map(([name, layer]) => ({ name, means: layerWords(layer) }))) } },
    allOf: all.map(([name, layer]) => when('layer', name, { properties: columnsOf(layer) })),
  });
}

/** Returns the schema of a layer that changes an inherited one: no key is required, and null removes a key or a column. */
function change(layer: Json): Json {
  const nullable = (schema: unknown): unknown => ({ anyOf: [schema, { type: 'null' }] });
  const { required: _, properties, ...rest } = layer as { required: unknown; properties: Record<string, Json> };
  const changed = Object.entries(properties).map(([key, schema]) => {
    if (key !== 'columns') return [key, nullable(schema)];
    const patterns = schema.patternProperties as Json;
    const columns = Object.fromEntries(Object.entries(patterns).map(([pattern, inner]) => [pattern, nullable(inner)]));
    return [key, nullable({ ...schema, patternProperties: columns })];
  });
  return { ...rest, properties: Object.fromEntries(changed) };
}

/**
 * Returns the JSON Schema (draft-07) of place files, made from their definition and the catalog. With it an editor completes keys,
 * datasets, layers and columns, explains them, and marks unknown ones. `plat ingest plan` checks what a schema cannot: that every
 * column is mapped or unpublished, that texts parse, and what is inherited.
 */
export function placeJsonSchema(): Json {
  const parts = plain(PARTS) as Record<string, Json>;
  const { place, layer, ...others } = parts;
  // Only the checks use these parts, or the schema has them inline.
  for (const name of ['severalByColumn', 'severalWord', 'provenance', 'options']) delete others[name];
  const { required, ...whole } = place as { required: string[]; properties: Json };
  const datasets = [...catalog.datasets.values()];
  const named = {
    ...layer!,
    properties: {
      ...(layer!.properties as Json),
      dataset: {
        ...(layer!.properties as Record<string, Json>).dataset,
        anyOf: choice(datasets.map(({ id, title }) => ({ name: id, means: title }))),
      },
    },
    allOf: [{ $ref: '#/definitions/catalog' }],
  };
  const layersAre = (name: string) => ({ properties: { layers: { items: { $ref: `#/definitions/${name}` } } } });
  const { layers, ...properties } = whole.properties as Record<string, Json>;
  const { items: _, ...list } = layers!;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Place file of Plat',
    ...whole,
    properties: { $schema: { type: 'string' }, ...properties, layers: list },
    patternProperties: { '^x-': { description: 'Anything that anchors hang on; no part of the place.' } },
    if: { properties: { abstract: { const: true } }, required: ['abstract'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: layersAre('change'),
    else: {
      if: { required: ['extends'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: OWN, ...layersAre('change') },
      else: { required: required!, ...layersAre('layer') },
    },
    definitions: { ...others, layer: named, change: change(named), catalog: { allOf: datasets.map(datasetRule) } },
  };
}
