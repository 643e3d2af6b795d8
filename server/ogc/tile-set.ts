import type { tileIndex } from '../tiles/tile-index.ts';
import { CRS84, MERCATOR } from './reference-system.ts';

/** The grid of all tiles (OGC 17-083r4, annex D.1). */
export const GRID = 'WebMercatorQuad';
const GRID_URI = `http://www.opengis.net/def/tilematrixset/OGC/1.0/${GRID}`;

const MVT = 'application/vnd.mapbox-vector-tile';

/** The sets of vector tiles: one, of all layers that the map has. */
export function tileSetsDocument(base: string) {
  return {
    links: [{ rel: 'self', type: 'application/json', href: `${base}/tiles` }],
    tilesets: [
      {
        title: 'Layers of the map',
        dataType: 'vector',
        crs: MERCATOR,
        tileMatrixSetURI: GRID_URI,
        links: [{ rel: 'self', type: 'application/json', href: `${base}/tiles/${GRID}` }],
      },
    ],
  };
}

/** The set of tiles of all layers with the address of each tile, from what maps are told of it. */
export function tileSetDocument(base: string, index: ReturnType<typeof tileIndex>) {
  const { vector_layers: layers, bounds, minzoom, maxzoom, attribution, tiles } = index;
  const template = tiles[0]!.replace('{z}', '{tileMatrix}').replace('{y}', '{tileRow}').replace('{x}', '{tileCol}');
  return {
    title: 'Layers of the map',
    dataType: 'vector',
    crs: MERCATOR,
    tileMatrixSetURI: GRID_URI,
    ...(attribution !== undefined && { attribution }),
    ...(bounds && {
      boundingBox: { lowerLeft: [bounds[0], bounds[1]], upperRight: [bounds[2], bounds[3]], crs: CRS84 },
    }),
    layers: layers.map(({ id, description, minzoom: least, maxzoom: most, fields }) => ({
      id,
      title: description,
      dataType: 'vector',
      minTileMatrix: String(least),
      maxTileMatrix: String(most),
      propertiesSchema: {
        type: 'object',
        properties: Object.fromEntries(Object.keys(fields).map(name => [name, { title: name }])),
      },
    })),
    minTileMatrix: String(minzoom),
    maxTileMatrix: String(maxzoom),
    links: [
      { rel: 'self', type: 'application/json', href: `${base}/tiles/${GRID}` },
      { rel: 'item', type: MVT, href: template, templated: true },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
        type: 'application/json',
        href: `${base}/tileMatrixSets/${GRID}`,
      },
    ],
  };
}

/** Half of the side of the square of web maps, meters. */
const HALF_M = 20_037_508.342_789_244;
/** Meters of a pixel of 0.28 mm at a scale of 1 (OGC 17-083r4, 6.1). */
const PIXEL_M = 0.000_28;
const TILE_PIXELS = 256;
const DEEPEST = 24;

/** The definition of the grid. */
export function gridDocument() {
  const matrices = Array.from({ length: DEEPEST + 1 }, (_, z) => {
    const cellSize = (2 * HALF_M) / TILE_PIXELS / 2 ** z;
    return {
      id: String(z),
      scaleDenominator: cellSize / PIXEL_M,
      cellSize,
      pointOfOrigin: [-HALF_M, HALF_M],
      tileWidth: TILE_PIXELS,
      tileHeight: TILE_PIXELS,
      matrixWidth: 2 ** z,
      matrixHeight: 2 ** z,
    };
  });
  return {
    id: GRID,
    title: 'Google Maps Compatible for the World',
    uri: GRID_URI,
    crs: MERCATOR,
    orderedAxes: ['X', 'Y'],
    tileMatrices: matrices,
  };
}

/** The list of grids. */
export const gridsDocument = (base: string) => ({
  tileMatrixSets: [
    {
      id: GRID,
      uri: GRID_URI,
      links: [{ rel: 'self', type: 'application/json', href: `${base}/tileMatrixSets/${GRID}` }],
    },
  ],
});
