import { hash, randomBytes } from 'node:crypto';
import type { Geometry } from '../../datasets/geometry.ts';
import { isArea, type SetFilter } from '../../query/sets/set-filter.ts';
import type { MatchMapRecords } from '../state/maps/match-maps.ts';

/** Milliseconds for which a map can be looked at (a decision of the design). */
const MAP_MS = 3_600_000;
/** Maps of one account at once: a further one ends its oldest. */
const MOST_MAPS = 100;
/** Bytes of an address that nobody can guess. */
const SECRET_BYTES = 18;
/** The form of such an address. */
const ADDRESS = /^[A-Za-z0-9_-]{24}$/;

/** A map that is to be kept. */
export interface NewMatchMap {
  /** As writeFilters writes them. */
  readonly filters: string;
  readonly release: string;
}

/** A map that is kept. */
export interface KeptMatchMap {
  /** Of its tiles, with {z}, {x} and {y}. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A geometry as JSON holds it: coordinates are written as they are compared. */
interface WrittenGeometry {
  readonly type: Geometry['type'];
  readonly xy: readonly number[];
  readonly ends: readonly number[];
  readonly parts: readonly number[];
}

/** Filters as JSON text. */
export const writeFilters = (filters: readonly SetFilter[]): string =>
  JSON.stringify(
    filters.map(filter => {
      if (!isArea(filter)) return filter;
      const { type, xy, ends, parts } = filter.geometry;
      return { ...filter, geometry: { type, xy: [...xy], ends: [...ends], parts: [...parts] } };
    }),
  );

/** Filters that writeFilters wrote. */
export const readFilters = (text: string): readonly SetFilter[] =>
  (JSON.parse(text) as (SetFilter & { readonly geometry?: WrittenGeometry })[]).map(filter => {
    if (!filter.geometry) return filter;
    const { type, xy, ends, parts } = filter.geometry;
    const geometry = { type, xy: Float64Array.from(xy), ends: Uint32Array.from(ends), parts: Uint32Array.from(parts) };
    return { ...filter, geometry } as SetFilter;
  });

/** The key of filters as text. */
export const keyOfFilters = (text: string): string => hash('sha256', text, 'base64url');

/** The id of a map in the store, from which nobody learns its address. Null where the text is no address. */
export const mapId = (secret: string): string | null =>
  ADDRESS.test(secret) ? hash('sha256', secret, 'base64url') : null;

/** Keeps a map of a set in the store that all servers share. @param publicUrl the address under which clients reach them. */
export async function keepMatchMap(
  maps: MatchMapRecords,
  { filters, release }: NewMatchMap,
  { account, publicUrl, now }: { readonly account: string | null; readonly publicUrl: string; readonly now: number },
): Promise<KeptMatchMap> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = now + MAP_MS;
  const row = { id: mapId(secret)!, accountId: account, release, createdAt: now, expiresAt };
  await maps.add({ ...row, filters }, MOST_MAPS);
  return { address: `${publicUrl}/tiles/matches/${secret}/{z}/{x}/{y}.mvt`, expiresAt };
}
