/** Classes of conformance that the service declares: GDAL and QGIS send to servers what these promise. */
const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
  // Its name in drafts: QGIS 3.36 to 3.40 send areas to servers that say this one alone.
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions-plus',
  'http://www.opengis.net/spec/cql2/1.0/conf/spatial-functions',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/dataset-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt',
] as const;

export const conformanceDocument = () => ({ conformsTo: CONFORMANCE });

/** The first page of the OGC API. @param root address of the service. @param base address of its OGC API. */
export function landingDocument(root: string, base: string) {
  const json = 'application/json';
  const link = (rel: string, href: string, type: string, title: string) => ({ rel, href, type, title });
  return {
    title: 'Plat',
    description: 'Parcels and the public layers about them, as features with filters and as vector tiles.',
    links: [
      link('self', base, json, 'This document'),
      link(
        'service-desc',
        `${root}/v1/openapi.json`,
        'application/vnd.oai.openapi+json;version=3.1',
        'The API description',
      ),
      link('service-doc', `${root}/v1/docs`, 'text/html', 'The page of the API'),
      link('conformance', `${base}/conformance`, json, 'What this API conforms to'),
      link('data', `${base}/collections`, json, 'The collections of features'),
      link('http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector', `${base}/tiles`, json, 'The vector tiles'),
    ],
  };
}
