import type { HeldLayer } from './held-layer.ts';
import type { StacPlace } from './stac.ts';

/** The box of a layer as schema.org wants it: south, west, north, east. */
const coverageOf = ({ box }: HeldLayer) =>
  box && {
    spatialCoverage: {
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: [box[1], box[0], box[3], box[2]].join(' ') },
    },
  };

function layerDataset({ origin }: StacPlace, layer: HeldLayer) {
  const { id, title, description, publishers, licences, url, retrievedAt, isFeatures } = layer;
  return {
    '@type': 'Dataset',
    '@id': `${origin}/stac/${id}`,
    name: title,
    description,
    creator: publishers.map(name => ({ '@type': 'Organization', name })),
    license: licences.join('; '),
    dateModified: retrievedAt,
    ...(url !== null && { isBasedOn: url }),
    ...coverageOf(layer),
    ...(isFeatures && {
      distribution: {
        '@type': 'DataDownload',
        name: 'Features as GeoJSON; needs a token',
        encodingFormat: 'application/geo+json',
        contentUrl: `${origin}/v1/ogc/collections/${id}/items`,
      },
    }),
  };
}

/**
 * What search engines read of the open release: a Dataset of schema.org with a Dataset for each layer, as JSON-LD. It is about
 * nothing where no release is open.
 */
export function releaseDataset(place: StacPlace, layers: readonly HeldLayer[]): object | null {
  const { origin, release } = place;
  if (release === null) return null;
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${origin}/stac`,
    name: `Plat release ${release}`,
    description: `Public data about places in the United States, as the server at ${origin} answers from it: ${layers.length} layers, each with its publisher, date and license.`,
    url: `${origin}/docs/release`,
    version: release,
    license: 'Each layer has the license of its publisher.',
    creator: { '@type': 'Organization', name: 'Plat', url: origin },
    includedInDataCatalog: { '@type': 'DataCatalog', '@id': `${origin}/data.json`, url: `${origin}/data.json` },
    hasPart: layers.map(layer => layerDataset(place, layer)),
  };
}
