import type { SearchEnvironment } from '../../search/page/environment.ts';
import type { Issue } from '../../search/request/issue.ts';
import { onGround, type SetRequest } from '../ground/set-ground.ts';
import { Selection } from '../selection.ts';
import { MatchColumns } from './match-columns.ts';

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
  /** Whether the places of the parcels are wanted. */
  readonly located: boolean;
  /** What the table of the parcels holds beside their outputs; null where none is wanted. */
  readonly table: {
    /** Of the H3 cells. */
    readonly resolution: number;
    /** Whether it has the outlines. */
    readonly shapes: boolean;
  } | null;
}

/** A parcel of a part: its id, where it is stored, and its analysis point. */
export interface PartPlace extends SetPlace {
  readonly id: string;
  readonly lng: number;
  readonly lat: number;
}

/** Some parcels of a set. */
export interface SetPart {
  readonly count: number;
  /** Bytes of a MatchTable, where it was asked for. */
  readonly table: Uint8Array | null;
  /** Of each parcel, where they were asked for; otherwise none. */
  readonly places: readonly PartPlace[];
  /** Null where the set has come to its end. */
  readonly next: SetPlace | null;
  /** Whether something between could not be read; and whether the time was up before the part was whole. */
  readonly unread: boolean;
  readonly late: boolean;
}

export type SetPartAnswer = SetPart | { readonly issues: readonly Issue[] };

/**
 * The next parcels of a set. A walk that goes on from `next` until it is null takes every parcel once.
 * @throws Interrupted when `stopped` says so.
 */
export function partOfSet(request: SetPartRequest, environment: SearchEnvironment): Promise<SetPartAnswer> {
  const { filters, after, limit, located, table } = request;
  return onGround(request, environment, async ground => {
    const columns = table && new MatchColumns(request, table.resolution, table.shapes);
    const places: PartPlace[] = [];
    let count = 0;
    let last: SetPlace = { county: '', row: 0 };
    const selection = new Selection(after?.county);
    await selection.walk(filters, ground, async (set, rows) => {
      const county = set.county.partition.key;
      const pick = set.parcels.columnPick(['centroid_lat', 'centroid_lon']);
      const first = county === after?.county ? rows.findIndex(row => row > after.row) : 0;
      if (first < 0) return true;
      for (const row of rows.subarray(first)) {
        // The next one is known to be there.
        if (count === limit) return false;
        await ground?.step();
        const id = set.parcelId(row);
        if (columns) await columns.add(set, row, id);
        if (located) {
          const { centroid_lat: lat, centroid_lon: lng } = set.parcels.pick(row, pick);
          places.push({ id, county, row, lng: Number(lng), lat: Number(lat) });
        }
        count++;
        last = { county, row };
      }
      return true;
    });
    return {
      count,
      table: columns?.bytes() ?? null,
      places,
      next: selection.ended ? last : null,
      unread: selection.unread,
      late: selection.late,
    };
  });
}
