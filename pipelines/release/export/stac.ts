import { catalog } from '../../../datasets/catalog.ts';
import type { Box } from '../../../datasets/geometry.ts';
import { MAP_LAYERS } from '../../../datasets/map-layers.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { sourcesOf } from '../../../query/tile/tile.ts';
import type { ExportedFile, ExportedTiles } from './exported-files.ts';

/** Version of the SpatioTemporal Asset Catalog specification that these documents follow. */
const VERSION = '1.0.0';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  fgb: 'application/vnd.flatgeobuf',
  parquet: 'application/vnd.apache.parquet',
  tif: 'image/tiff; application=geotiff',
  pmtiles: 'application/vnd.pmtiles',
};

/** Box (lng,lat) of files without a place, such as a national table: the whole earth. */
const EVERYWHERE: Box = [-180, -90, 180, 90];

const link = (rel: string, href: string, title: string) => ({ rel, href, type: 'application/json', title });

/** Returns the box that holds all others. */
function around(all: readonly (Box | null)[]): Box {
  const boxes = all.flatMap(box => (box ? [box] : []));
  const ends = (side: 0 | 1 | 2 | 3) => boxes.map(box => box[side]);
  return boxes.length
    ? [Math.min(...ends(0)), Math.min(...ends(1)), Math.max(...ends(2)), Math.max(...ends(3))]
    : EVERYWHERE;
}

/** Returns the STAC asset of a file: title, publisher, date, licence, rows and checksum. */
function assetOf({ partition, file, path }: ExportedFile, href: string) {
  const { provenance, key, place } = partition;
  return {
    href,
    title: `${provenance.title}, ${key} (${place})`,
    description: `${provenance.publisher}; ${provenance.vintage}; license: ${provenance.licence}${provenance.note ? `. ${provenance.note}` : ''}`,
    type: MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)]!,
    roles: ['data'],
    'plat:source': provenance.source,
    'plat:retrieved_at': provenance.retrievedAt,
    'plat:synthetic': provenance.synthetic,
    'plat:rows': file.rows,
    'plat:bytes': file.bytes,
    'plat:sha256': file.sha256,
  };
}

/** Returns the path of a file relative to the document of its collection, which lies in `folder`. */
type HrefOf = (file: Pick<ExportedFile, 'file' | 'path'>, folder: string) => string;

const inExport: HrefOf = ({ path }, folder) => `./${path.slice(folder.length + 1)}`;

/** Path of a stored file relative to PLAT_HOME/releases/stac/RELEASE/dataset/layer. */
export const inStore: HrefOf = ({ file }) => `../../../../${file.path}`;

/** Returns the folder of a collection: `dataset/layer` or `calculations/NAME`. */
const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** Returns the links of a collection to its catalog. */
const upwards = ({ id }: Manifest) => ['root', 'parent'].map(rel => link(rel, '../../catalog.json', `Release ${id}`));

/** Folder of the tiles of the map. */
const TILES = 'map/tiles';

function tilesOf(manifest: Manifest, tiles: readonly ExportedTiles[], hrefOf: HrefOf) {
  const boxes = tiles.flatMap(({ map }) =>
    sourcesOf(map).flatMap(({ dataset, layer }) =>
      (manifest.datasets[dataset]?.[layer]?.partitions ?? []).map(({ box }) => box),
    ),
  );
  const assetOfTiles = (tile: ExportedTiles) => ({
    href: hrefOf(tile, TILES),
    title: `${MAP_LAYERS[tile.map].title}${tile.ground && `, ${tile.ground}`}`,
    type: MEDIA_TYPES.pmtiles,
    roles: ['visual'],
    'plat:rows': tile.file.rows,
    'plat:bytes': tile.file.bytes,
    'plat:sha256': tile.file.sha256,
  });
  return {
    stac_version: VERSION,
    type: 'Collection',
    id: 'map:tiles',
    title: 'Map',
    description:
      'Vector tiles of the layers of the map, one archive for each layer and ground, drawn from the layers of this release.',
    license: 'various',
    extent: { spatial: { bbox: [around(boxes)] }, temporal: { interval: [[null, manifest.createdAt]] } },
    links: upwards(manifest),
    assets: Object.fromEntries(tiles.map(tile => [tile.path.slice(TILES.length + 1), assetOfTiles(tile)])),
  };
}

function collectionOf(manifest: Manifest, folder: string, files: readonly ExportedFile[], hrefOf: HrefOf) {
  const [{ dataset, layer }] = files as [ExportedFile];
  const calculated = folder.startsWith('calculations/');
  const { title, publisher, url } = catalog.datasets.get(dataset) ?? { title: dataset, publisher: dataset, url: null };
  const box = around(files.map(({ partition }) => partition.box));
  const name = calculated ? folder.slice(folder.indexOf('/') + 1) : layer === 'main' ? title : `${title}: ${layer}`;
  return {
    stac_version: VERSION,
    type: 'Collection',
    id: folder.replace('/', ':'),
    title: calculated ? `Calculations of parcels: ${name}` : name,
    description: calculated
      ? `What was calculated of parcels by ${name}, one row a parcel; ord is that of the rows of parcel_store/main in the same county.`
      : `Layer ${layer} of ${title}, as release ${manifest.id} has it. Each asset says its publisher, date and license.`,
    // Each file has the licence of its publisher.
    license: 'various',
    ...(calculated
      ? {}
      : {
          providers: [
            { name: publisher, roles: ['producer'], ...(url !== null && /^https?:\S+$/.test(url) && { url }) },
          ],
        }),
    extent: {
      spatial: { bbox: [box] },
      temporal: { interval: [[null, manifest.createdAt]] },
    },
    links: upwards(manifest),
    assets: Object.fromEntries(
      files.map(file => [file.path.slice(folder.length + 1), assetOf(file, hrefOf(file, folder))]),
    ),
  };
}

/**
 * Returns the STAC documents of a release by path: `catalog.json` names a collection for each layer, whose assets are its files.
 * Schemas: https://schemas.stacspec.org/v1.0.0/.
 */
export function stacDocuments(
  manifest: Manifest,
  files: readonly ExportedFile[],
  tiles: readonly ExportedTiles[],
  hrefOf: HrefOf = inExport,
): ReadonlyMap<string, object> {
  const folders = Map.groupBy(files, ({ path }) => folderOf(path));
  const collections = new Map<string, { readonly title: string }>(
    [...folders].map(
      ([folder, own]) => [`${folder}/collection.json`, collectionOf(manifest, folder, own, hrefOf)] as const,
    ),
  );
  if (tiles.length > 0) collections.set(`${TILES}/collection.json`, tilesOf(manifest, tiles, hrefOf));
  const root = {
    stac_version: VERSION,
    type: 'Catalog',
    id: `plat-${manifest.id}`,
    title: `Release ${manifest.id}`,
    description: `Release ${manifest.id}, made ${manifest.createdAt}: public data about places in the United States.`,
    links: [
      link('root', './catalog.json', `Release ${manifest.id}`),
      ...[...collections].map(([path, { title }]) => link('child', `./${path}`, title)),
    ],
  };
  return new Map<string, object>([['catalog.json', root], ...collections]);
}
