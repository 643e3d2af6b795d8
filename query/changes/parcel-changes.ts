import { parcelId } from '../format/parcel-id.ts';
import type { ParcelSide, ParcelValue } from './parcel-side.ts';
import { type Share, sharesOf } from './rows.ts';
import type { Work } from './work.ts';

/** Old and new value of a name; null where the release does not have the parcel. */
interface FieldChange {
  readonly before: ParcelValue | null;
  readonly after: ParcelValue | null;
}

/** A parcel that differs between two releases under some names. */
export interface ParcelChange {
  readonly parcel_key: string;
  /** As enrichment and lookup answer it. */
  readonly parcel_id: string;
  readonly state: string;
  readonly county_fips: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Of a removed one where its row is still in the parcel file: what its ground is now. */
  readonly reason?: string;
  /** Only where nothing but the order of the rows said which one of its stack this parcel is. */
  readonly by_rank?: true;
  readonly fields: Readonly<Record<string, FieldChange>>;
}

/** Where a comparison of a county goes on: first the parcels of the later release, then those that only the earlier one has. */
export interface ParcelPosition {
  readonly share: number;
  readonly side: 'after' | 'before';
  readonly ord: number;
}

export const FIRST_PARCEL: ParcelPosition = { share: 0, side: 'after', ord: 0 };

/** A county's parcels in two releases; null where one of them does not have it. */
export interface CountyPair {
  /** `ME/23019`. */
  readonly key: string;
  readonly before: ParcelSide | null;
  readonly after: ParcelSide | null;
  /** Whether both have the parcels in one file. */
  readonly sameFile: boolean;
}

const isSame = (a: ParcelValue, b: ParcelValue) =>
  a.status === b.status && (a.value === b.value || JSON.stringify(a.value) === JSON.stringify(b.value));

const noValues = async (): Promise<readonly ParcelValue[]> => [];
const NO_KEYS: ReadonlyMap<string, number> = new Map();

/**
 * The parcels of a county that differ, in an order that is the same each time.
 * @param names that each release has which has the county.
 * @param full asked before each parcel.
 * @returns where to go on; null when the county is done.
 * @throws Fault or DamagedFile when a file cannot be read; TimeUp, Interrupted.
 */
export async function parcelChanges(
  { key, before, after }: CountyPair,
  names: readonly string[],
  from: ParcelPosition,
  work: Work,
  full: () => boolean,
  take: (change: ParcelChange) => void,
): Promise<ParcelPosition | null> {
  const [state, county_fips] = key.split('/') as [string, string];
  const [ranksBefore, ranksAfter] = [await before?.ranks(), await after?.ranks()];
  const tell = (
    parcel_key: string,
    change: ParcelChange['change'],
    old: readonly ParcelValue[] | null,
    fresh: readonly ParcelValue[] | null,
    reason: string | null = null,
  ) => {
    const fields: Record<string, FieldChange> = {};
    for (const [i, name] of names.entries()) {
      const [a, b] = [old?.[i] ?? null, fresh?.[i] ?? null];
      if (!a || !b || !isSame(a, b)) fields[name] = { before: a, after: b };
    }
    if (Object.keys(fields).length === 0) return;
    take({
      ...{ parcel_key, parcel_id: parcelId(parcel_key), state, county_fips, change },
      ...(reason === null ? {} : { reason }),
      ...((ranksAfter?.get(parcel_key) ?? 0) > (ranksBefore?.get(parcel_key) ?? 0) ? { by_rank: true } : {}),
      fields,
    });
  };
  const [readOld, readNew] = [before?.reader(names) ?? noValues, after?.reader(names) ?? noValues];
  const shares = sharesOf(before?.features.file.count ?? 0, after?.features.file.count ?? 0);
  for (let number = from.share; number < shares; number++) {
    const share: Share = { number, of: shares };
    const start = number === from.share ? from : FIRST_PARCEL;
    const old = (await before?.keys(share, work)) ?? NO_KEYS;
    const fresh = (await after?.keys(share, work)) ?? NO_KEYS;
    for (const [parcel, ord] of start.side === 'after' ? fresh : NO_KEYS) {
      if (ord < start.ord) continue;
      if (full()) return { share: number, side: 'after', ord };
      if (work.step()) await work.rest();
      work.judge();
      const was = old.get(parcel);
      if (was === undefined) tell(parcel, 'added', null, await readNew(ord));
      else tell(parcel, 'changed', await readOld(was), await readNew(ord));
    }
    for (const [parcel, ord] of old) {
      if (fresh.has(parcel) || (start.side === 'before' && ord < start.ord)) continue;
      if (full()) return { share: number, side: 'before', ord };
      if (work.step()) await work.rest();
      work.judge();
      tell(parcel, 'removed', await readOld(ord), null, (await after?.groundOf(before!.features.feature(ord))) ?? null);
    }
  }
  return null;
}
