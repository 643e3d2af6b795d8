import type { Box } from '../../datasets/geometry.ts';
import type { HeldLayer } from './held-layer.ts';
import type { StacPlace } from './stac.ts';

/** The form of `mailto:` that DCAT-US takes (its definition `Kind`). */
const MAIL = /^mailto:[\w~!$&'()*+,;=:.-]+@[\w.-]+\.[\w.-]+$/;

/** A box of lng,lat as text, as DCAT-US wants it. */
const polygonText = ([west, south, east, north]: Box): string =>
  `POLYGON((${[
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
    .map(position => position.join(' '))
    .join(', ')}))`;

const organization = (name: string) => ({ '@type': 'Organization', name });

/** Ways to the content of a layer: its features here, and its publication. */
function distributionsOf(origin: string, { id, title, url, isFeatures }: HeldLayer) {
  const features = isFeatures && {
    '@type': 'Distribution',
    title: `Features of ${title} as GeoJSON`,
    accessURL: `${origin}/v1/ogc/collections/${id}/items`,
    mediaType: 'application/geo+json',
    accessRights: 'Needs a token of this server.',
  };
  const published = url !== null && {
    '@type': 'Distribution',
    title: 'Where it is published',
    accessURL: url,
  };
  const described = {
    '@type': 'Distribution',
    title: 'Files of it that the release was made from',
    accessURL: `${origin}/stac/${id}`,
    mediaType: 'application/json',
  };
  return [features, described, published].filter(one => one !== false);
}

function layerDataset(origin: string, layer: HeldLayer, contactPoint: readonly object[]) {
  const { id, title, description, publishers, licences, retrievedAt, box, sources } = layer;
  const [publisher, ...others] = publishers as [string, ...string[]];
  return {
    '@type': 'Dataset',
    '@id': `${origin}/stac/${id}`,
    identifier: `${origin}/stac/${id}`,
    title,
    description,
    publisher: organization(publisher),
    // DCAT-US has one publisher of a dataset.
    ...(others.length > 0 && { wasAttributedTo: others.map(organization) }),
    contactPoint,
    modified: retrievedAt,
    language: 'en',
    rights: licences,
    keyword: [layer.dataset],
    ...(box && { spatial: { '@type': 'Location', bbox: polygonText(box) } }),
    provenance: [...new Set(sources.map(({ source }) => `${source.title}: ${source.vintage}`))],
    distribution: distributionsOf(origin, layer),
  };
}

/**
 * The open release as a catalog of DCAT-US 3.0: a dataset for each layer.
 * @param contacts URIs of the operator; those that are no mail address are not told, because DCAT-US takes no other.
 */
export function dcatCatalog(
  { origin, release }: StacPlace,
  layers: readonly HeldLayer[],
  contacts: readonly string[],
): object {
  const contactPoint = contacts
    .filter(contact => MAIL.test(contact))
    .map(hasEmail => ({ '@type': 'Kind', fn: 'Operator of this server', hasEmail }));
  return {
    '@type': 'Catalog',
    '@id': `${origin}/data.json`,
    title: release === null ? 'Plat, without a release' : `Plat, release ${release}`,
    description: 'Public data about places in the United States that this server answers from.',
    language: 'en',
    ...(contactPoint.length > 0 && { contactPoint }),
    rights: ['Each dataset has the license of its publisher.'],
    dataset: layers.map(layer => layerDataset(origin, layer, contactPoint)),
  };
}
