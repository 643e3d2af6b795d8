import type { Partition } from '../../datasets/release.ts';
import type { Context } from '../evaluate/context.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { type Hit, searchOf } from '../evaluate/vector/vector-search.ts';
import { whereOf } from '../geocode/index/address-partition.ts';
import { chunks } from '../release/duckdb-scan.ts';
import { partOf, wholeOf } from '../release/part.ts';
import { requireUnchanged, verify } from '../release/verified-file.ts';
import { ofUnit, readSitus, type Situs, sameHouse } from './situs.ts';

const ANYWHERE = { state: null, county: null };
/** Situs columns that tell addresses apart beside the street line. */
const CITY = 'city';
const ZIP = 'szip5';

/** Rows of one county whose street line begins with the digits of the house number, or with a range of numbers. */
async function* candidates(ctx: Context, partition: Partition, columns: readonly string[], { number }: Situs) {
  const file = ctx.layers.file(partition, 'rows');
  const at = await verify(ctx.layers.release, file);
  const { path } = at;
  const digits = /^[NSEW\d]*\d/.exec(number.text)![0];
  const column = (name: string) => (columns.includes(name) ? name : `NULL AS ${name}`);
  const text = `SELECT ord, address, ${column(CITY)}, ${column(ZIP)} FROM read_parquet($path) WHERE starts_with(upper(ltrim(address)), $digits) OR regexp_matches(address, '^ *[0-9]+ *- *[0-9]')`;
  for await (const chunk of chunks({ text, values: { path, digits }, types: {} }, () => ctx.check())) {
    requireUnchanged(file, at);
    for (const [ord, address, city, zip] of chunk.getRows())
      yield {
        ord: Number(ord),
        address: address as string | null,
        city: city as string | null,
        zip: zip as string | null,
      };
  }
  requireUnchanged(file, at);
}

/** What the situs columns of a parcel say of an address; null where they say another house. */
export const situsOf = ({ feature: { properties }, partition }: Hit, address: Situs): Situs | null =>
  sameHouse(
    address,
    { address: properties.address ?? null, city: properties[CITY] ?? null, zip: properties[ZIP] ?? null },
    whereOf(partition.key),
  );

/**
 * Parcels of the counties at the point whose situs address is the given one. Where it has a unit, they are those of the unit, or of
 * the house where none is.
 * @param address as `12 MAIN ST, BANGOR, ME 04401`.
 * @throws Fault or DamagedFile when a county's files cannot be read.
 */
export async function parcelsAtAddress(ctx: Context, address: string): Promise<Hit[]> {
  if (readSitus(address, ANYWHERE) === null) return [];
  const { at } = await searchOf(ctx, PARCELS, null);
  if (!at.version.columns.includes('address')) return [];
  const hits: (Hit & { readonly unit: string | null })[] = [];
  const telling = at.covering.filter(part => !part.unpublished.includes('address'));
  for (const county of new Set(telling.map(wholeOf))) {
    const where = whereOf(county.key);
    const situs = readSitus(address, where)!;
    for await (const row of candidates(ctx, county, at.version.columns, situs)) {
      const same = sameHouse(situs, row, where);
      if (!same) continue;
      const feature = (await ctx.layers.features(county)).feature(row.ord);
      const partition = partOf(county, feature.properties);
      if (telling.includes(partition)) hits.push({ feature, partition, unit: same.unit });
    }
  }
  return ofUnit(hits, readSitus(address, ANYWHERE)!.unit);
}
