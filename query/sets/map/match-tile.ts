import { DamagedFile } from '../../format/damaged-file.ts';
import { sharedBytes } from '../../format/shared-memory.ts';
import { Fault } from '../../release/fault.ts';
import type { SearchEnvironment } from '../../search/page/environment.ts';
import type { Notice } from '../../search/page/notices.ts';
import { type County, countiesAbout, countiesOf } from '../../search/predicate/counties.ts';
import type { Issue } from '../../search/request/issue.ts';
import { boxOfTile, type TileName } from '../../tile/tile-grid.ts';
import { CountySet } from '../county-set.ts';
import { onGround, type SetGround, type SetRequest, TimeUp } from '../ground/set-ground.ts';
import { verdictOfRows } from '../row-verdict.ts';
import { type SetFilter, verdictOfKey } from '../set-filter.ts';
import { noticesOfSet } from '../set-notices.ts';
import { lacksState } from '../tally.ts';
import { MatchTileDrawing, type Passing } from './match-tile-drawing.ts';

/** A judged question for a map of all parcels of a set, plain data. */
export interface MatchTileRequest extends SetRequest {
  /** The key of the filters: two sets with the same key have the same filters. */
  readonly key: string;
  /** The tile; null judges the filters alone. */
  readonly tile: TileName | null;
}

/** A tile of a set: none where no parcel of it lies there. */
export interface MatchTile {
  readonly bytes: Uint8Array | null;
  /** Whether something could not be read or not in time: parcels may be missing. */
  readonly unread: boolean;
  /** Parcels for which a filter's calculation failed, where the filters alone were judged; 0 of a tile. */
  readonly unknown: number;
  /** Notices of the filters, where they alone were judged. */
  readonly notices: readonly Notice[];
}

export type MatchTileAnswer = MatchTile | { readonly issues: readonly Issue[] };

/** The rows of a county that pass every filter, kept for the tiles beside this one. @throws Fault or DamagedFile. */
const passingIn = (set: CountySet, left: ReadonlyMap<number, SetFilter>, key: string): Promise<Passing> =>
  set.factOf(`matches ${key}`, async () => {
    const { all, unknown } = await verdictOfRows(set, left);
    const rows = sharedBytes(set.count);
    for (const row of all.rows()) rows[row] = 1;
    return { rows, unknown: unknown?.size ?? 0, bytes: rows.byteLength };
  });

/** The filters that a county's key leaves open, by place; null where none of its parcels passes. */
function leftIn(county: County, filters: readonly SetFilter[]): ReadonlyMap<number, SetFilter> | null {
  const left = new Map<number, SetFilter>();
  for (const [i, filter] of filters.entries()) {
    const verdict = verdictOfKey(filter, county);
    if (verdict === 'none') return null;
    if (verdict !== 'all') left.set(i, verdict);
  }
  return left;
}

/**
 * Judges the filters of a set in all counties, and tells what they could not tell.
 * @throws Interrupted when nobody waits any more.
 */
async function judgeSet({ filters, key }: MatchTileRequest, ground: SetGround): Promise<MatchTile> {
  const counties = countiesOf(ground.layers.release);
  let unread = lacksState(filters, counties);
  let passes = false;
  let unknown = 0;
  for (const county of counties) {
    const left = leftIn(county, filters);
    if (!left) continue;
    try {
      ground.check();
      const passing = await passingIn(await CountySet.open(county, ground), left, key);
      passes ||= passing.rows.includes(1);
      unknown += passing.unknown;
    } catch (error) {
      if (!(error instanceof Fault || error instanceof DamagedFile || error instanceof TimeUp)) throw error;
      unread = true;
      if (error instanceof TimeUp) break;
    }
  }
  return { bytes: null, unknown, unread, notices: await noticesOfSet(filters, !passes, ground) };
}

/**
 * A vector tile of all parcels that pass every filter: the layer `matches` of outlines with `parcel_id` and `apn`, and where those are
 * too small to be seen the layer `match_points` with the `count` of parcels there. A tile with a hole is none: it would say that no
 * parcel passes there.
 * @throws Interrupted when nobody waits any more.
 */
export function matchTile(request: MatchTileRequest, environment: SearchEnvironment): Promise<MatchTileAnswer> {
  const { filters, key, tile } = request;
  return onGround<MatchTile>(request, environment, async ground => {
    if (!ground) return { bytes: null, unknown: 0, unread: true, notices: [] };
    if (!tile) return judgeSet(request, ground);
    const drawing = new MatchTileDrawing(tile);
    try {
      for (const county of countiesAbout(countiesOf(ground.layers.release), boxOfTile(tile))) {
        const left = leftIn(county, filters);
        if (!left) continue;
        ground.check();
        const set = await CountySet.open(county, ground);
        await drawing.add(set, await passingIn(set, left, key), ground);
      }
    } catch (error) {
      if (!(error instanceof Fault || error instanceof DamagedFile || error instanceof TimeUp)) throw error;
      return { bytes: null, unknown: 0, unread: true, notices: [] };
    }
    const bytes = drawing.bytes();
    return { bytes: bytes.length > 0 ? bytes : null, unknown: 0, unread: false, notices: [] };
  });
}
