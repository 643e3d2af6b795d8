import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TERRAIN } from '../../datasets/map-layers.ts';
import type { ContourUnit } from '../../query/tile/contour-tile.ts';
import { isTile } from '../../query/tile/tile-grid.ts';
import type { Services } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { missing, type TileAddress } from './operation.ts';

/** Milliseconds that a tile of the ground may take. */
const LIMIT_MS = 10_000;
/** Bytes of drawn tiles that are kept: what one reader looks at, the next one often does too. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A tile of the ground. */
export interface GroundTile {
  readonly bytes: Uint8Array;
  /** Names its content. */
  readonly digest: string;
}

/** Draws tiles of the release's own terrain in the workers, and keeps the last. */
export class Ground {
  readonly #services: Pick<Services, 'engine' | 'clock'>;
  readonly #drawn = new LRUCache<string, GroundTile>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });

  constructor(services: Pick<Services, 'engine' | 'clock'>) {
    this.#services = services;
  }

  /**
   * A tile of the ground in the open release.
   * @param contours their unit; null: heights as a picture. @param release the tile must be of this one; undefined accepts any.
   * @returns null where nothing is known of the ground, or it is level. @throws ServiceError tile_not_found, tile_unavailable;
   *   AbortError when the client has gone.
   */
  async tile(
    { z, x, y }: Omit<TileAddress, 'layers'>,
    contours: ContourUnit | null,
    release: string | undefined,
    signal: AbortSignal,
  ): Promise<GroundTile | null> {
    const { engine, clock } = this.#services;
    const current = engine.status().release;
    if (release !== undefined && release !== current) throw missing('its release is not the current one');
    const { dataset, layer } = TERRAIN.source;
    if (!engine.installed().some(source => source.dataset === dataset && source.layer === layer))
      throw missing('this release has no terrain');
    const tile = { z: Number(z), x: Number(x), y: Number(y) };
    if (![z, x, y].every(text => /^\d{1,8}$/.test(text)) || !isTile(tile)) throw missing('the grid has no such place');
    const { minZoom, maxZoom } = contours === null ? TERRAIN.heights : TERRAIN.contours;
    if (tile.z < minZoom || tile.z > maxZoom) throw missing(`its zooms are ${minZoom} to ${maxZoom}`);
    const key = `${current} ${contours} ${z} ${x} ${y}`;
    const kept = this.#drawn.get(key);
    if (kept) return kept;
    const terms = { deadline: clock.now() + LIMIT_MS, signal };
    const bytes = await engine.terrain({ ...tile, contours }, terms).catch((error: Error) => {
      if (error.name === 'AbortError') throw error;
      throw new ServiceError('tile_unavailable');
    });
    if (bytes === null) return null;
    const drawn = { bytes, digest: createHash('sha256').update(bytes).digest('base64url') };
    this.#drawn.set(key, drawn);
    return drawn;
  }
}
