import { type AreaQuantiles, sharesAbout } from '../../query/parcel/quantiles.ts';
import type { Ctx } from '../context.ts';
import { fetchAt } from '../fetch/location.ts';
import type { Place } from '../geocode/resolver.ts';
import type { Standing } from './backend.ts';

/** Fewest parcels with a value that a place is compared with. */
const FEWEST = 20;

/** The parcels of an area that a value is compared with. */
export interface ParcelArea {
  readonly of: Standing['of'];
  readonly place: Standing['place'];
  readonly release: string;
  readonly quantiles: AreaQuantiles;
}

/** The comparatives of a field: of a greater value and of a smaller one. */
const WORDS: readonly (readonly [RegExp, string, string])[] = [
  [/slope/, 'steeper than', 'gentler than'],
  [/_distance_m$/, 'farther than', 'nearer than'],
  [/_count(_|$)|population|claim/, 'more than', 'fewer than'],
  [/acres|acreage|area/, 'larger than', 'smaller than'],
];

const areaWords = ({ of, place }: Pick<ParcelArea, 'of' | 'place'>): string =>
  of === 'county' ? 'the county' : of === 'state' ? `the state (${place})` : 'all counties that are installed here';

/**
 * Where a value stands among the parcels of an area. Pure.
 * @returns null where the area has no quantiles of the field, too few parcels, or one value for nearly all.
 */
export function standingOf(value: unknown, field: string, area: ParcelArea): Standing | null {
  const { of, place, release, quantiles } = area;
  const own = Object.hasOwn(quantiles.fields, field) ? quantiles.fields[field]! : null;
  if (typeof value !== 'number' || own === null || own.count < FEWEST) return null;
  const { below: share, above } = sharesAbout(value, own);
  if (share === 0 && above === 0) return null;
  const [, greater, smaller] = WORDS.find(([pattern]) => pattern.test(field)) ?? [null, 'higher than', 'lower than'];
  // Of all is more than quantiles tell.
  const percent = Math.min(99, Math.round(Math.max(share, above) * 100));
  const words = share >= above ? greater : smaller;
  const county = place !== null && of === 'county' ? `&county_fips=${place}` : '';
  return {
    ...{ share, above, of, place, count: own.count },
    citation: { source: 'parcel_quantiles', source_url: `/v1/meta/quantiles?fields=${field}${county}`, release },
    text: `${words} ${of === 'county' ? '' : 'about '}${percent} percent of the parcels of ${areaWords(area)}`,
  };
}

const COUNTY = 'county_fips';

/** The parcels that values at a place may be compared with: those of its county, where the release has their quantiles, else of all. */
export async function parcelAreaAt(ctx: Ctx, place: Place): Promise<ParcelArea | null> {
  const { release } = ctx.engine.status();
  // What cannot be read is not compared with.
  const read = (area: string) => ctx.engine.quantiles(area).catch(() => null);
  const all = await read('US');
  if (release === null || all === null) return null;
  const { fields } = ctx.catalog.fields.has(COUNTY) ? await fetchAt(ctx, [COUNTY], place) : { fields: {} };
  const fips = (fields as Record<string, { readonly value?: unknown }>)[COUNTY]?.value;
  const own = typeof fips === 'string' ? await read(fips) : null;
  if (own) return { of: 'county', place: fips as string, release, quantiles: own };
  return { of: 'release', place: null, release, quantiles: all };
}
