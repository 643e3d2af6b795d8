import pg from 'pg';
import type { Box } from '../../datasets/geometry.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { utf8 } from '../../query/format/json-bytes.ts';
import { decodeWkb } from '../../query/geometry/wkb.ts';
import { createCache } from '../../query/release/cache.ts';
import type { Release } from '../../query/release/open-release.ts';
import { pageText, type WrittenResult } from '../../query/search/page/written-page.ts';
import { isTooLarge, judgeAreas } from '../../query/search/request/area.ts';
import { statesOf } from '../../query/search/request/filter.ts';
import type { Position } from '../../query/search/request/position.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import { calculatedFields } from './calculation.ts';
import { partitionsInOrder } from './load.ts';
import { toMatch } from './match.ts';
import { type Prepared, selectPage, selectValid } from './query.ts';

type Row = Record<string, string | number | boolean | null> & {
  readonly id: number;
  readonly partition_state: string;
  readonly partition_fips: string;
  readonly partition_place: string;
};

// Integers and dates in the form in which Plat keeps them; PostgreSQL's own are text and local midnights.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, text => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => new Date(text).toISOString());

/**
 * The engine of the peer: a search is one prepared statement on PostGIS. What comes before and after it (reading of
 * the body, cursors, matches, JSON, HTTP) is Plat's own.
 * @param url of a database that `loadParcels` has filled from the release.
 * @param connections at most; each is a process of PostgreSQL.
 */
export function createPostgisEngine(url: string, release: Release, connections: number): Engine {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 });
  const calculated = calculatedFields(release);
  const columns = new Set([...(release.layer(PARCELS.dataset, PARCELS.layer)?.columns ?? []), ...calculated]);
  const partitions = partitionsInOrder(release);
  const partitionOf = new Map(partitions.map(p => [`${p.key} ${p.place}`, p]));
  const extent = partitions.reduce<Box>(
    (all, { box }) =>
      box
        ? [Math.min(all[0], box[0]), Math.min(all[1], box[1]), Math.max(all[2], box[2]), Math.max(all[3], box[3])]
        : all,
    [Infinity, Infinity, -Infinity, -Infinity],
  );
  const held = new Set(partitions.map(p => p.key.split('/')[0]!));
  const run = async (statement: Prepared) => (await pool.query<Row>(statement)).rows;
  const unsupported = () => Promise.reject(new Error('The peer of the search bench answers searches alone'));
  const page = async (request: SearchRequest): Promise<WrittenResult> => {
    const { filters, limit, outputs, countyByFips, budget } = request;
    if (filters.areas.length) {
      const geometries = filters.areas.map(area => area.geometry);
      const isLarge = geometries.some(geometry => isTooLarge(geometry, budget.maxSquareKm));
      const [judged] = isLarge ? [] : await run(selectValid(geometries));
      if (!judged?.valid)
        return { issues: (await judgeAreas(filters.areas, budget.maxSquareKm, createCache(16))).issues };
    }
    const rows = await run(selectPage(request, extent, calculated));
    const page = rows.slice(0, limit);
    const found = page.map(row => {
      const { partition_state: state, partition_fips: fips, partition_place: place, geom } = row;
      const partition = partitionOf.get(`${state}/${fips} ${place}`)!;
      const boundary = () => decodeWkb(geom as unknown as Buffer);
      return toMatch(row, boundary, partition, { state, fips }, outputs, countyByFips);
    });
    const matches = pageText([utf8(JSON.stringify(found))]);
    if (rows.length > limit) {
      const { partition_state: state, partition_fips: fips, id: ord } = page.at(-1)!;
      const next: Position = { state, fips, ord, file: '', key: null };
      return { matches, status: 'limited', reason: 'limit_reached', next };
    }
    return statesOf(filters.tests).every(state => held.has(state))
      ? { matches, status: 'complete', reason: 'exhausted', next: null }
      : { matches, status: 'partial', reason: 'source_unavailable', next: null };
  };
  return {
    search: page,
    fetch: unsupported,
    matchParcel: unsupported,
    enrich: unsupported,
    geocode: unsupported,
    changes: unsupported,
    keptReleases: () => [],
    overlayProgress: () => null,
    readSite: unsupported,
    screenGround: unsupported,
    route: unsupported,
    places: unsupported,
    tile: unsupported,
    mapLayers: () => [],
    parcelColumns: () => columns,
    versionOf: () => release.id,
    installed: () => [],
    status: () => ({
      release: release.id,
      datasets: {},
      workers: { size: connections, ready: connections },
      waiting: 0,
      warm: { loaded: [], on_demand: [] },
      damage: [],
    }),
    shrinkCaches: () => {},
    close: () => pool.end(),
  };
}
