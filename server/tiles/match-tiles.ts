import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { DEEPEST_MATCHES } from '../../query/sets/map/match-tile-drawing.ts';
import type { SetFilter } from '../../query/sets/set-filter.ts';
import { isTile } from '../../query/tile/tile-grid.ts';
import type { Services } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { SearchServices } from '../search/operation.ts';
import type { MatchMapRow } from '../state/maps/match-maps.ts';
import { keyOfFilters, mapId, readFilters } from './match-map.ts';
import { type FoundTile, missing, type TileAddress } from './operation.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);
/** Fast, and within a few percent of the best. */
const GZIP_LEVEL = 5;

/** Milliseconds that a tile may take: its first one goes through the parcels of a county. */
const LIMIT_MS = 20_000;
/** Bytes of filters that are kept, as text: what somebody looks at asks for twenty tiles at once. */
const FILTER_BYTES = 16 * 1024 * 1024;
/** Milliseconds until the store is asked again for a map: another one of its account may have ended it. */
const FRESH_MS = 30_000;
/** Bytes of drawn tiles that are kept. */
const TILE_BYTES = 32 * 1024 * 1024;

/** A map whose filters were read. */
interface OpenMap extends Omit<MatchMapRow, 'filters'> {
  readonly filters: readonly SetFilter[];
  /** Their key. */
  readonly key: string;
  readonly bytes: number;
}

/** A tile of a map. */
interface DrawnTile extends FoundTile {
  readonly bytes: number;
}

/** A tile, and until when it may be kept. */
export interface MatchTileFound {
  /** Null where no match lies in it. */
  readonly tile: FoundTile | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

async function drawnTile(bytes: Uint8Array): Promise<DrawnTile> {
  const zipped = await zip(bytes, { level: GZIP_LEVEL });
  return {
    digest: createHash('sha256').update(bytes).digest('base64url'),
    zipped: async () => zipped,
    plain: () => unzip(zipped),
    bytes: zipped.length + 300,
  };
}

/** Draws tiles of sets of parcels in the workers, in turn with all else that their accounts ask, and keeps the last. */
export class MatchTiles {
  readonly #services: Pick<Services, 'engine' | 'clock' | 'state'> & { readonly search: SearchServices };
  readonly #open = new LRUCache<string, OpenMap>({
    maxSize: FILTER_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: FRESH_MS,
  });
  readonly #drawn = new LRUCache<string, DrawnTile>({ maxSize: TILE_BYTES, sizeCalculation: ({ bytes }) => bytes });

  constructor(services: Pick<Services, 'engine' | 'clock' | 'state'> & { readonly search: SearchServices }) {
    this.#services = services;
  }

  /**
   * A tile of a map, in the release that the map was made in.
   * @param secret the part of the address that nobody can guess.
   * @throws ServiceError tile_not_found, tile_unavailable; AbortError when the client has gone.
   */
  async tile(secret: string, { z, x, y }: Omit<TileAddress, 'layers'>, signal: AbortSignal): Promise<MatchTileFound> {
    const tile = { z: Number(z), x: Number(x), y: Number(y) };
    if (![z, x, y].every(text => /^\d{1,8}$/.test(text)) || !isTile(tile)) throw missing('the grid has no such place');
    if (tile.z > DEEPEST_MATCHES) throw missing(`the deepest zoom is ${DEEPEST_MATCHES}`);
    const map = await this.#map(secret);
    const { key, release, filters, accountId, expiresAt } = map;
    const name = `${key} ${release} ${z} ${x} ${y}`;
    const kept = this.#drawn.get(name);
    if (kept) return { tile: kept, expiresAt };
    const { engine, clock, search } = this.#services;
    if (release !== engine.status().release && !engine.keptReleases().includes(release))
      throw missing('its release is not kept any more');
    const { batch, maxCandidates, maxEvaluated, maxSquareKm } = search;
    const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
    const request = { filters, outputs: [], countyByFips: false, budget, key, tile };
    const terms = { deadline: clock.now() + LIMIT_MS, signal, account: accountId ?? undefined, release };
    const answer = await engine.matchTile(request, terms).catch((error: Error) => {
      if (error.name === 'AbortError') throw error;
      throw new ServiceError('tile_unavailable');
    });
    if ('uncounted' in answer || 'issues' in answer || answer.unread) throw new ServiceError('tile_unavailable');
    if (answer.bytes === null) return { tile: null, expiresAt };
    const drawn = await drawnTile(answer.bytes);
    this.#drawn.set(name, drawn);
    return { tile: drawn, expiresAt };
  }

  /** @throws ServiceError tile_not_found. */
  async #map(secret: string): Promise<OpenMap> {
    const id = mapId(secret);
    const now = this.#services.clock.now();
    const open = id === null ? undefined : this.#open.get(id);
    if (open && open.expiresAt > now) return open;
    const row = id === null ? null : await this.#services.state.matchMaps.map(id, now);
    if (!row) throw missing('there is no such map, or its hour is over');
    const { filters: text, ...rest } = row;
    const map = { ...rest, filters: readFilters(text), key: keyOfFilters(text), bytes: 2 * text.length };
    this.#open.set(row.id, map);
    return map;
  }
}
