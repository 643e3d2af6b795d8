import { LRUCache } from 'lru-cache';
import { isMapLayer, MAX_TILE_ZOOM, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { type TileBytes, TileFailed } from '../../query/engine/tile/tile-task.ts';
import { isTile, type TileName } from '../../query/tile/tile-grid.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';

/**
 * Bytes of drawn tiles that a server keeps: some hundred views of a map. Without them eight people who look around in one city
 * cost 1.5 times the processor, and their median tile takes nearly twice as long (`make bench-tiles`).
 */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Bytes that a kept tile takes beside its content. */
const ENTRY_BYTES = 500;
/** Milliseconds that a tile may take, including the wait. */
const TILE_LIMIT_MS = 10_000;

/** A tile, as its URL names it. */
export interface TileAddress {
  /** Names, separated by commas. */
  readonly layers: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
}

const missing = (problem: string) => new ServiceError('tile_not_found', { problem });

/** Reads the layers. @throws ServiceError tile_not_found. */
function layersOf(text: string, engine: Engine): MapLayerId[] {
  const there = engine.mapLayers();
  const names = [...new Set(text.split(','))];
  if (!names.every(name => isMapLayer(name) && there.includes(name)))
    throw missing('this release has no layer of that name');
  return names as MapLayerId[];
}

/** Reads the position. @throws ServiceError tile_not_found. */
function tileNamed({ z, x, y }: TileAddress): TileName {
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  if (![z, x, y].every(text => /^\d{1,8}$/.test(text)) || !isTile(tile)) throw missing('the grid has no such place');
  if (tile.z > MAX_TILE_ZOOM) throw missing(`the deepest zoom is ${MAX_TILE_ZOOM}`);
  return tile;
}

/**
 * Makes a function that draws tiles of the open release and keeps the most recent ones.
 * @param keptBytes differs in benches only.
 */
export function createTiles(engine: Engine, keptBytes = KEPT_BYTES) {
  const kept = new LRUCache<string, TileBytes>({
    maxSize: keptBytes,
    sizeCalculation: ({ bytes, zipped }) => bytes.length + zipped.length + ENTRY_BYTES,
  });
  /**
   * @param release the tile must be of this release; undefined accepts any.
   * @param owner of the request: owners are served in turn.
   * @returns no bytes when nothing lies in the tile.
   * @throws ServiceError tile_not_found, tiles_busy, tile_unavailable, worker_stopped; AbortError.
   */
  return async (address: TileAddress, release: string | undefined, owner: string, signal: AbortSignal) => {
    const current = engine.status().release;
    if (release !== undefined && release !== current) throw missing('its release is not the current one');
    const layers = layersOf(address.layers, engine);
    const tile = tileNamed(address);
    const key = JSON.stringify([current, layers, tile.z, tile.x, tile.y]);
    const found = kept.get(key);
    if (found) return found;
    try {
      const terms = { deadline: Date.now() + TILE_LIMIT_MS, signal, account: owner };
      const drawn = await engine.tile({ layers, tile }, terms);
      kept.set(key, drawn);
      return drawn;
    } catch (error) {
      if (error instanceof TileFailed) throw new ServiceError('tile_unavailable');
      throw engineRefusal(error, () => new ServiceError('tiles_busy'));
    }
  };
}
