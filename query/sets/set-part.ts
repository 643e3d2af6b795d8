import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Issue } from '../search/request/issue.ts';
import { onGround, type SetRequest } from './ground/set-ground.ts';
import { MatchList } from './match-list.ts';
import { Selection } from './selection.ts';

/** Where the walk through a set stands: the county of the last parcel that was taken, and its row. */
export interface SetPlace {
  /** Key of the partition. */
  readonly county: string;
  readonly row: number;
}

/** A judged question for the next parcels of a set in stored order, plain data. */
export interface SetPartRequest extends SetRequest {
  /** Null: from the beginning. */
  readonly after: SetPlace | null;
  readonly limit: number;
}

/** A parcel of a part: where it is stored, and its analysis point. */
export interface PartPlace extends SetPlace {
  readonly lng: number;
  readonly lat: number;
}

/** Some parcels of a set. */
export interface SetPart {
  /** JSON array of matches, each with its `parcel_id`. */
  readonly matches: string;
  readonly places: readonly PartPlace[];
  /** Null where the set has come to its end. */
  readonly next: SetPlace | null;
  /** Whether something between could not be read; and whether the time was up before the part was whole. */
  readonly unread: boolean;
  readonly late: boolean;
}

export type SetPartAnswer = SetPart | { readonly issues: readonly Issue[] };

/** JSON text of matches with a member more. */
const withIds = (text: string, ids: readonly string[]): string =>
  JSON.stringify((JSON.parse(text) as object[]).map((match, i) => ({ ...match, parcel_id: ids[i] })));

/**
 * The next parcels of a set. A walk that goes on from `next` until it is null takes every parcel once.
 * @throws Interrupted when `stopped` says so.
 */
export function partOfSet(request: SetPartRequest, environment: SearchEnvironment): Promise<SetPartAnswer> {
  const { filters, after, limit } = request;
  return onGround(request, environment, async ground => {
    const list = new MatchList(request);
    const places: PartPlace[] = [];
    const ids: string[] = [];
    try {
      const selection = new Selection(after?.county);
      await selection.walk(filters, ground, async (set, rows) => {
        const county = set.county.partition.key;
        const pick = set.parcels.columnPick(['centroid_lat', 'centroid_lon']);
        const first = county === after?.county ? rows.findIndex(row => row > after.row) : 0;
        if (first < 0) return true;
        for (const row of rows.subarray(first)) {
          // The next one is known to be there.
          if (places.length === limit) return false;
          await ground?.step();
          await list.add(set, row);
          ids.push(set.parcelId(row));
          const { centroid_lat: lat, centroid_lon: lng } = set.parcels.pick(row, pick);
          places.push({ county, row, lng: Number(lng), lat: Number(lat) });
        }
        return true;
      });
      const { county, row } = places.at(-1) ?? { county: '', row: 0 };
      const next = selection.ended ? { county, row } : null;
      return { matches: withIds(list.text(), ids), places, next, unread: selection.unread, late: selection.late };
    } finally {
      list.release();
    }
  });
}
