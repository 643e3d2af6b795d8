import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isMapLayer, MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { TileFailed } from '../../query/engine/tiles.ts';
import { isTile, type TileName } from '../../query/tile/tile-grid.ts';
import { ServiceError } from '../errors/registry.ts';

const unzip = promisify(gunzip);
const zip = promisify(gzip);
/** Fast, and within a few percent of the best: tiles of several layers are compressed while somebody waits for them. */
const GZIP_LEVEL = 5;

/** A tile, as its URL names it. */
export interface TileAddress {
  /** Names, separated by commas. */
  readonly layers: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
}

/** A tile in which something lies. */
export interface FoundTile {
  /** Names its content. */
  readonly digest: string;
  /** The tile in gzip: of one layer as its archive holds it. */
  zipped(): Promise<Uint8Array>;
  plain(): Promise<Uint8Array>;
}

/** The error for a tile that there is none of. @param problem why, as a clause. */
export const missing = (problem: string) => new ServiceError('tile_not_found', { problem });

/** Reads the layers. @throws ServiceError tile_not_found. */
function layersOf(text: string, engine: Engine): MapLayerId[] {
  const there = engine.mapLayers();
  return [...new Set(text.split(','))].map(name => {
    if (!isMapLayer(name)) throw missing('the map has no layer of that name');
    if (!there.includes(name))
      throw missing(`this release has no tiles of ${name}; plat ingest overlay makes those that a release lacks`);
    return name;
  });
}

/** Reads the position. @throws ServiceError tile_not_found. */
function tileNamed({ z, x, y }: TileAddress, layers: readonly MapLayerId[]): TileName {
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  if (![z, x, y].every(text => /^\d{1,8}$/.test(text)) || !isTile(tile)) throw missing('the grid has no such place');
  const deepest = Math.max(...layers.map(id => MAP_LAYERS[id].maxZoom));
  if (tile.z > deepest) throw missing(`the deepest zoom is ${deepest}`);
  return tile;
}

/** A tile of some layers. A tile is a sequence of layers, so those of one layer each are put one behind the other. */
function found(tiles: readonly Uint8Array[]): FoundTile {
  const digest = createHash('sha256');
  for (const tile of tiles) digest.update(tile);
  const plain = async () => Buffer.concat(await Promise.all(tiles.map(tile => unzip(tile))));
  return {
    digest: digest.digest('base64url'),
    plain,
    zipped: async () => (tiles.length === 1 ? tiles[0]! : zip(await plain(), { level: GZIP_LEVEL })),
  };
}

/**
 * A tile of the open release. Layers whose deepest zoom is less deep are not in it: maps enlarge tiles of that zoom.
 * @param release the tile must be of this release; undefined accepts any.
 * @returns null when nothing lies in the tile. @throws ServiceError tile_not_found, tile_unavailable.
 */
export async function tileAt(
  engine: Engine,
  address: TileAddress,
  release: string | undefined,
): Promise<FoundTile | null> {
  if (release !== undefined && release !== engine.status().release) throw missing('its release is not the current one');
  const layers = layersOf(address.layers, engine);
  const tile = tileNamed(address, layers);
  const shown = layers.filter(id => tile.z <= MAP_LAYERS[id].maxZoom);
  try {
    const tiles = await Promise.all(shown.map(id => engine.tile(id, tile)));
    const there = tiles.filter(bytes => bytes !== null);
    return there.length > 0 ? found(there) : null;
  } catch (error) {
    if (error instanceof TileFailed) throw new ServiceError('tile_unavailable');
    throw error;
  }
}
