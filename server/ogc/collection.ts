import type { Catalog } from '../../datasets/catalog.ts';
import type { ScalarType } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import { nameOf } from '../../datasets/layer-words.ts';
import { memo } from '../../datasets/memo.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { type CollectionRef, isParcels, PARCEL_ID, propertiesOf } from '../../query/features/collection.ts';
import { ServiceError } from '../errors/registry.ts';
import { around } from '../tiles/tile-credits.ts';
import { CRS84, MERCATOR } from './reference-system.ts';

/** The collection of parcels, which is what most clients come for. */
export const PARCELS = 'parcels';

/** The name by which filters and the schema of a collection mean the geometry. */
export const GEOMETRY = 'geometry';

/** The relation of a resource to the properties that filters of it can ask for (OGC 19-079r2, 6.2). */
export const QUERYABLES = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';

/** A layer of the release as a collection of features. */
export interface Collection extends CollectionRef {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly geometry: 'point' | 'line' | 'polygon';
  readonly properties: ReadonlyMap<string, ScalarType>;
  /** lng,lat around all of its files; null where one has no feature. */
  readonly box: Box | null;
  /** Publishers and licences of its files, each once. */
  readonly credits: readonly { readonly publisher: string; readonly licence: string; readonly url: string | null }[];
}

/** The id of a layer as a collection: `:` would have a meaning of its own in an address. */
export const idOf = (ref: CollectionRef) => (isParcels(ref) ? PARCELS : nameOf(ref).replace(':', '.'));

function collectionOf(
  catalog: Catalog,
  ref: CollectionRef,
  sources: ReturnType<Engine['installed']>,
): Collection | null {
  const properties = propertiesOf(catalog, ref);
  const dataset = catalog.datasets.get(ref.dataset);
  const layer = dataset?.layers[ref.layer];
  if (!properties || !dataset || layer?.kind !== 'vector') return null;
  const credits = sources.map(({ publisher, licence, url }) => ({ publisher, licence, url }));
  const title = layer.title ?? dataset.title;
  return {
    dataset: ref.dataset,
    layer: ref.layer,
    id: idOf(ref),
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: `${dataset.title}, published by ${dataset.publisher}.`,
    geometry: layer.geometry,
    properties,
    box: around(sources.map(({ box }) => box)),
    credits: [...new Map(credits.map(credit => [JSON.stringify(credit), credit])).values()],
  };
}

/** Makes the reader of the open release's vector layers as collections by id, parcels first: once a release, since a nation has many files. */
export function collectionReader(
  engine: Pick<Engine, 'installed'>,
  catalog: Catalog,
): () => ReadonlyMap<string, Collection> {
  const read = memo((installed: ReturnType<Engine['installed']>) => {
    const layers = Map.groupBy(installed, nameOf);
    const all = [...layers.values()].flatMap(sources => collectionOf(catalog, sources[0]!, sources) ?? []);
    all.sort((a, b) => Number(isParcels(b)) - Number(isParcels(a)) || (a.id < b.id ? -1 : 1));
    return new Map(all.map(collection => [collection.id, collection]));
  });
  return () => read(engine.installed());
}

/** The collection of an id. @throws ServiceError ogc_not_found. */
export function collectionNamed(all: ReadonlyMap<string, Collection>, id: string): Collection {
  const collection = all.get(id);
  if (collection) return collection;
  const advice = 'GET /v1/ogc/collections lists those that there are.';
  throw new ServiceError('ogc_not_found', { what: 'collection', advice });
}

/** A collection as its document says it. @param base address of the OGC API. */
export function collectionDocument({ id, title, description, credits, box }: Collection, base: string) {
  const link = (rel: string, path: string, type: string, of: string) => ({
    href: `${base}${path}`,
    rel,
    type,
    title: of,
  });
  const path = `/collections/${id}`;
  return {
    id,
    title,
    description,
    itemType: 'feature',
    ...(box && { extent: { spatial: { bbox: [box], crs: CRS84 } } }),
    crs: [CRS84, MERCATOR],
    storageCrs: CRS84,
    ...(credits.length > 0 && {
      attribution: [...new Set(credits.map(({ publisher, licence }) => `${publisher} (${licence})`))].join('; '),
    }),
    links: [
      link('self', path, 'application/json', 'This collection'),
      link('items', `${path}/items`, 'application/geo+json', `Features of ${title}`),
      link(QUERYABLES, `${path}/queryables`, 'application/schema+json', 'Properties that a filter can ask for'),
      ...credits.flatMap(({ url }) => (url ? [{ href: url, rel: 'describedby', title: 'Where it is published' }] : [])),
    ],
  };
}

const JSON_TYPES: Readonly<Record<ScalarType, object>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
};

const SHAPES = { point: 'point', line: 'linestring', polygon: 'polygon' } as const;

/** The properties that a filter can ask for, as JSON Schema (OGC 19-079r2, 6.2). */
export function queryablesDocument({ id, title, geometry, properties }: Collection, base: string) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/collections/${id}/queryables`,
    type: 'object',
    title,
    properties: {
      [GEOMETRY]: {
        title: 'Geometry',
        format: `geometry-${SHAPES[geometry]}-or-multi${SHAPES[geometry]}`,
        // QGIS 3.36 to 3.40 know by it which property an area of a filter is compared with.
        $ref: 'https://geojson.org/schema/Geometry.json',
      },
      ...Object.fromEntries(
        [...properties].map(([name, type]) => [
          name,
          { title: name, ...JSON_TYPES[type], ...(name === PARCEL_ID && { 'x-ogc-role': 'id' }) },
        ]),
      ),
    },
    additionalProperties: false,
  };
}
