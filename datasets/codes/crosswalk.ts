/** A change of county codes: `from` was replaced by `to` on a date. One entry in `to` is a one-to-one renaming. */
interface CountyChange {
  readonly from: string;
  readonly to: readonly string[];
  /** Day the change took effect, YYYY-MM-DD. */
  readonly date: string;
}

/**
 * County code changes since 2010 (Census Bureau, "Substantial Changes to Counties and County Equivalent Entities").
 * Connecticut's planning regions follow other lines than its counties, so no region equals a county.
 */
const COUNTY_CHANGES: readonly CountyChange[] = [
  { from: '51515', to: ['51019'], date: '2013-07-01' },
  { from: '02270', to: ['02158'], date: '2015-07-01' },
  { from: '46113', to: ['46102'], date: '2015-05-01' },
  { from: '02261', to: ['02063', '02066'], date: '2019-01-02' },
  ...['09001', '09003', '09005', '09007', '09009', '09011', '09013', '09015'].map(from => ({
    from,
    to: ['09110', '09120', '09130', '09140', '09150', '09160', '09170', '09180', '09190'],
    date: '2022-06-01',
  })),
];

/** Bedford city became part of Bedford County: the county's code stands for another area before and after. */
const MERGED = new Set(['51515']);

/**
 * The code of exactly the same county in another vintage, either way round.
 * @returns the other code; null when the county changed without a one-to-one counterpart; undefined when it never changed.
 */
export function countyCounterpart(fips: string): string | null | undefined {
  const changes = COUNTY_CHANGES.filter(c => c.from === fips || c.to.includes(fips));
  if (!changes.length) return undefined;
  const [change] = changes;
  if (changes.length > 1 || change!.to.length > 1 || MERGED.has(change!.from)) return null;
  return change!.from === fips ? change!.to[0]! : change!.from;
}
