import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type Dataset, defineDataset, type Value } from '../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { Budget } from '../../../../query/cql/expression.ts';
import { shapeOf, typeNamed } from '../../../../query/cql/shape.ts';
import type { FeatureSpec } from '../../release-fixture.ts';

/**
 * The test dataset of CQL2 (OGC 21-065r2, annex A), tag cql2-1.0.0 of github.com/opengeospatial/ogcapi-features,
 * cql2/standard/data/ne110m4cql2.gpkg: Natural Earth at 1:110 million, which is in the public domain, with the columns alone that
 * predicates ask for.
 */
export type Source = 'countries' | 'places' | 'rivers';

interface Row {
  readonly of: Source;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly [name: string]: unknown;
}

const ROWS = brotliDecompressSync(readFileSync(new URL('natural-earth.ndjson.br', import.meta.url)))
  .toString()
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as Row);

const geometryOf = ({ type, coordinates }: Row['geometry']): Geometry =>
  shapeOf(typeNamed(type)!, coordinates, new Budget());

/** Features of a source, for a release of tests. */
export const featuresOf = (source: Source): FeatureSpec[] =>
  ROWS.filter(({ of }) => of === source).map(({ of, geometry, ...properties }) => ({
    ...(properties as Record<string, Value>),
    geometry: geometryOf(geometry),
  }));

const layer = { title: 'a source', kind: 'vector', joinKey: null, partition: 'national' } as const;

/** The sources as layers of a dataset. */
export const naturalEarth: Dataset = defineDataset({
  id: 'natural_earth',
  title: 'Natural Earth for CQL2',
  publisher: 'OGC',
  url: 'https://github.com/opengeospatial/ogcapi-features',
  format: 'geojson',
  licence: 'public domain',
  cadence: 'irregular',
  vintageRule: 'The tag.',
  acquire: { byHand: 'It lies beside the test.' },
  layers: {
    countries: { ...layer, geometry: 'polygon', columns: { NAME: { type: 'string' }, POP_EST: { type: 'number' } } },
    places: {
      ...layer,
      geometry: 'point',
      columns: {
        name: { type: 'string' },
        nameascii: { type: 'string' },
        pop_max: { type: 'integer' },
        pop_min: { type: 'integer' },
        pop_other: { type: 'integer' },
        date: { type: 'date' },
        start: { type: 'timestamp' },
        end: { type: 'timestamp' },
        boolean: { type: 'boolean' },
      },
    },
    rivers: { ...layer, geometry: 'line', columns: { name: { type: 'string' } } },
  },
  fields: {},
});
