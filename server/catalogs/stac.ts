import type { Box } from '../../datasets/geometry.ts';
import { PARCELS } from '../ogc/collection.ts';
import { type HeldLayer, type HeldSource, webAddress } from './held-layer.ts';

/** Version of the SpatioTemporal Asset Catalog specification that these documents follow. */
const VERSION = '1.0.0';
/** Box (lng,lat) of a layer with a file that has no place, such as a table of the country: the whole earth. */
const EVERYWHERE: Box = [-180, -90, 180, 90];

/** Names of licences in the list of SPDX, by the words of the catalog. Public domain has none. */
const SPDX: Readonly<Record<string, string>> = {
  'CC0-1.0': 'CC0-1.0',
  'CC BY 4.0': 'CC-BY-4.0',
  'ODbL 1.0': 'ODbL-1.0',
  'CDLA-Permissive-2.0': 'CDLA-Permissive-2.0',
};

/** Where the documents of a release stand. */
export interface StacPlace {
  /** What the outside calls the server, without a slash at its end. */
  readonly origin: string;
  /** Null where no release is open. */
  readonly release: string | null;
}

const link = (rel: string, href: string, title: string, type = 'application/json') => ({ rel, href, type, title });
const GEOJSON = 'application/geo+json';

const titleOf = ({ release }: StacPlace) => (release === null ? 'No release is open' : `Release ${release}`);
const rootOf = ({ origin }: StacPlace) => `${origin}/stac`;
const addressOf = (place: StacPlace, { id }: HeldLayer) => `${rootOf(place)}/${id}`;
const sourceAddress = (place: StacPlace, layer: HeldLayer, { id }: HeldSource) => `${addressOf(place, layer)}/${id}`;

/** The catalog of a release: a link to the collection of each layer. */
export function stacCatalog(place: StacPlace, layers: Iterable<HeldLayer>) {
  const root = rootOf(place);
  return {
    stac_version: VERSION,
    type: 'Catalog',
    id: place.release === null ? 'plat' : `plat-${place.release}`,
    title: titleOf(place),
    description:
      place.release === null
        ? 'This server has no release yet.'
        : `What release ${place.release} of this server holds: public data about places in the United States, a collection a layer, an item a published file.`,
    links: [
      link('self', root, titleOf(place)),
      link('root', root, titleOf(place)),
      ...[...layers].map(layer => link('child', addressOf(place, layer), layer.title)),
    ],
  };
}

/** The collection of a layer: a link to the item of each file that it was made from. */
export function stacCollection(place: StacPlace, layer: HeldLayer) {
  const { sources, publishers, url, box } = layer;
  return {
    stac_version: VERSION,
    type: 'Collection',
    id: layer.id,
    title: layer.title,
    description: layer.description,
    // Each file has the licence of its publisher.
    license: 'various',
    providers: publishers.map(name => ({
      name,
      roles: ['producer'],
      ...(publishers.length === 1 && url !== null && { url }),
    })),
    extent: {
      spatial: { bbox: [box ?? EVERYWHERE] },
      temporal: { interval: [[null, layer.retrievedAt]] },
    },
    assets: scorecardOf(place, layer, null),
    links: [
      link('self', addressOf(place, layer), layer.title),
      ...['root', 'parent'].map(rel => link(rel, rootOf(place), titleOf(place))),
      ...sources.map(one => link('item', sourceAddress(place, layer, one), one.source.title, GEOJSON)),
    ],
  };
}

const rectangle = ([west, south, east, north]: Box) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** How right the calculations of parcels are, where a scorecard was taken. @param county FIPS code; null for all of the release. */
function scorecardOf({ origin }: StacPlace, { id }: HeldLayer, county: string | null) {
  if (id !== PARCELS) return {};
  const query = county === null ? '' : `?county_fips=${county}`;
  return {
    scorecard: {
      href: `${origin}/v1/meta/scorecard${query}`,
      title: 'Scorecard: how right the values are, by field and county',
      type: 'application/json',
      roles: ['metadata'],
    },
  };
}

/** Where the content of a file is read: its features on this server, and the publication itself. */
function assetsOf(place: StacPlace, layer: HeldLayer, { source }: HeldSource) {
  const { origin } = place;
  const { box, publisher } = source;
  const url = webAddress(source.url);
  const features = `${origin}/v1/ogc/collections/${layer.id}/items${box ? `?bbox=${box.join(',')}` : ''}`;
  return {
    ...(layer.isFeatures && {
      features: {
        href: features,
        title: `Features of ${layer.title} here`,
        description: 'Needs a token: Authorization: Bearer.',
        type: GEOJSON,
        roles: ['data'],
      },
    }),
    ...(source.county !== null && scorecardOf(place, layer, source.county)),
    ...(url !== null && { publication: { href: url, title: `Publication of ${publisher}`, roles: ['metadata'] } }),
  };
}

/** The item of one file: whose it is, how old, where it covers. */
export function stacItem(place: StacPlace, layer: HeldLayer, one: HeldSource) {
  const { source } = one;
  const { box } = source;
  const spdx = SPDX[source.licence];
  return {
    stac_version: VERSION,
    stac_extensions: [],
    type: 'Feature',
    id: one.id,
    collection: layer.id,
    ...(box && { bbox: box }),
    geometry: box && rectangle(box),
    properties: {
      // When this copy was taken; what time the data are about is the publisher's own word for it.
      datetime: source.retrievedAt,
      title: source.title,
      ...(spdx && { license: spdx }),
      providers: [{ name: source.publisher, roles: ['producer'] }],
      'plat:licence': source.licence,
      'plat:vintage': source.vintage,
      'plat:place': source.place,
      'plat:state': source.state,
      'plat:county_fips': source.county,
      'plat:rows': source.rows,
      'plat:coverage': source.coverage,
      'plat:note': source.note,
      'plat:synthetic': source.synthetic,
    },
    links: [
      link('self', sourceAddress(place, layer, one), source.title, GEOJSON),
      link('root', rootOf(place), titleOf(place)),
      ...['parent', 'collection'].map(rel => link(rel, addressOf(place, layer), layer.title)),
    ],
    assets: assetsOf(place, layer, one),
  };
}
