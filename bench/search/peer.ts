import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { questionsAbout } from '../../query/engine/set/set-questions.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { utf8 } from '../../query/format/json-bytes.ts';
import { decodeWkb } from '../../query/geometry/wkb.ts';
import type { Release } from '../../query/release/open-release.ts';
import { pageText, type WrittenResult } from '../../query/search/page/written-page.ts';
import { isTooLarge, judgeAreas } from '../../query/search/request/area.ts';
import { statesOf } from '../../query/search/request/filter.ts';
import type { Position } from '../../query/search/request/position.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import { calculatedFields } from '../postgis/calculation.ts';
import { partitionsInOrder } from '../postgis/load.ts';
import { toMatch } from '../postgis/match.ts';

/** One parcel as a database answers it. */
export type Row = Record<string, string | number | boolean | null> & {
  readonly id: number;
  readonly partition_state: string;
  readonly partition_fips: string;
  readonly partition_place: string;
};

/** A database that holds the parcels of a release and answers searches alone. */
export interface Database {
  /** The rows of a page in stored order, and one more where there is another page; `geom` is WKB where it is shown. */
  rows(request: SearchRequest): Promise<readonly Row[]>;
  /** Whether areas are valid. */
  valid(areas: readonly Geometry[]): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Share of the extent below which an index on geometry is the shorter way: a candidate from it costs about three times
 * what a row in stored order does, and half of those come before the first match.
 */
const SMALL_SHARE = 0.1;

const sizeOf = ([minX, minY, maxX, maxY]: Box) => (maxX - minX) * (maxY - minY);

/** The box of all parcels of a release. */
export const extentOf = (release: Release): Box =>
  partitionsInOrder(release).reduce<Box>(
    (all, { box }) =>
      box
        ? [Math.min(all[0], box[0]), Math.min(all[1], box[1]), Math.max(all[2], box[2]), Math.max(all[3], box[3])]
        : all,
    [Infinity, Infinity, -Infinity, -Infinity],
  );

/** Whether one of the areas of a search is small in the extent of all parcels. */
export const isSmall = ({ filters }: SearchRequest, extent: Box): boolean =>
  filters.areas.some(({ geometry }) => sizeOf(boxOf(geometry)) < SMALL_SHARE * sizeOf(extent));

/**
 * An engine whose searches a database answers. What comes before and after it (reading of the body, cursors, matches,
 * JSON, HTTP) is Plat's own.
 */
export function createPeerEngine(database: Database, release: Release): Engine {
  const columns = new Set([
    ...(release.layer(PARCELS.dataset, PARCELS.layer)?.columns ?? []),
    ...calculatedFields(release),
  ]);
  const partitions = partitionsInOrder(release);
  const partitionOf = new Map(partitions.map(p => [`${p.key} ${p.place}`, p]));
  const held = new Set(partitions.map(p => p.key.split('/')[0]!));
  const unsupported = () => Promise.reject(new Error('A peer of the search bench answers searches alone'));
  const page = async (request: SearchRequest): Promise<WrittenResult> => {
    const { filters, limit, outputs, countyByFips, budget } = request;
    if (filters.areas.length) {
      const geometries = filters.areas.map(area => area.geometry);
      const isLarge = geometries.some(geometry => isTooLarge(geometry, budget.maxSquareKm));
      if (isLarge || !(await database.valid(geometries)))
        return { issues: (await judgeAreas(filters.areas, budget.maxSquareKm)).issues };
    }
    const rows = await database.rows(request);
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
    ...questionsAbout(() => unsupported),
    accumulation: unsupported,
    area: unsupported,
    fetch: unsupported,
    matchParcel: unsupported,
    enrich: unsupported,
    geocode: unsupported,
    pointTable: unsupported,
    suggest: unsupported,
    terrain: unsupported,
    features: unsupported,
    changes: unsupported,
    keptReleases: () => [],
    releaseBy: () => null,
    parcelColumnsOf: unsupported,
    overlayProgress: () => null,
    readSite: unsupported,
    screenGround: unsupported,
    route: unsupported,
    places: unsupported,
    tile: unsupported,
    mapLayers: () => [],
    evidence: unsupported,
    parcelColumns: () => columns,
    versionOf: () => release.id,
    listsMark: () => null,
    withheldSince: () => Number.NEGATIVE_INFINITY,
    installed: () => [],
    parcelCounts: unsupported,
    scorecard: unsupported,
    counties: () => [],
    quantiles: unsupported,
    rejectedParcels: unsupported,
    availability: () => ({ lack: () => null, lackOf: () => null, sourcesOf: () => [] }),
    retrieved: () => new Map(),
    status: () => ({
      release: release.id,
      datasets: {},
      workers: { size: 1, ready: 1 },
      waiting: 0,
      warm: { loaded: [], on_demand: [] },
      damage: [],
    }),
    shrinkCaches: () => {},
    close: () => database.close(),
  };
}
