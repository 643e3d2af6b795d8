import type { InstalledSource } from '../../query/release/installed.ts';
import { type Ctx, termsOf } from '../context.ts';

/** Counties of one answer, at most and by default. */
const MOST_COUNTIES = 100;

/** The query of GET /v1/meta/coverage. Each parameter narrows the answer. */
export interface CoverageQuery {
  readonly state?: string;
  /** Five digits. */
  readonly county?: string;
  /** A dataset of the catalog. Others are never installed. */
  readonly dataset?: string;
  /** The last county of the page before. */
  readonly after?: string;
  /** 1 to MOST_COUNTIES, as text. */
  readonly limit?: string;
}

const DAY_MS = 86_400_000;

/** Makes the entry of a source. @param now epoch milliseconds. */
function told(source: InstalledSource, now: number) {
  const {
    dataset,
    layer,
    place,
    title,
    publisher,
    url,
    licence,
    vintage,
    note,
    synthetic,
    rows,
    coverage,
    box,
    reach,
  } = source;
  return {
    ...{ dataset, layer, place, source: source.source, title, publisher, url, licence, vintage },
    retrieved_at: source.retrievedAt,
    age_days: Math.max(0, Math.floor((now - Date.parse(source.retrievedAt)) / DAY_MS)),
    ...{
      rows,
      ...(source.ground > 0 ? { ground: source.ground } : {}),
      coverage,
      box,
      ...(reach ? { reach } : {}),
      note,
      synthetic,
    },
  };
}

/**
 * GET /v1/meta/coverage: for each county, the layers of the open release with source and age. Files of a whole state or
 * of the country are listed separately, because they apply to every county there.
 */
export async function coverageCatalog(ctx: Ctx, query: CoverageQuery) {
  const now = ctx.clock.now();
  const { state, county, dataset, after = '', limit } = query;
  // The county's first two digits name its state, but files are stored under the state's two letters.
  const wanted = ctx.engine
    .installed()
    .filter(source => dataset === undefined || source.dataset === dataset)
    .filter(source => state === undefined || source.state === null || source.state === state)
    .filter(source => county === undefined || source.county === null || source.county === county);
  const byCounty = new Map<string, InstalledSource[]>();
  for (const source of wanted) {
    if (source.county === null) continue;
    const sources = byCounty.get(source.county) ?? [];
    byCounty.set(source.county, sources);
    sources.push(source);
  }
  const states = new Set([...byCounty.values()].map(([first]) => first!.state));
  const statewide = wanted.filter(
    source => source.county === null && source.state !== null && (county === undefined || states.has(source.state)),
  );
  const all = [...byCounty.keys()].sort().filter(fips => fips > after);
  const page = all.slice(0, limit === undefined ? MOST_COUNTIES : Number(limit));
  const rejected =
    dataset === undefined || dataset === 'parcel_store' ? await ctx.engine.rejectedParcels(page, termsOf(ctx)) : {};
  return {
    release: ctx.engine.status().release,
    national: wanted.filter(source => source.state === null).map(source => told(source, now)),
    statewide: statewide.map(source => ({ state: source.state, ...told(source, now) })),
    counties: page.map(fips => {
      const sources = byCounty.get(fips)!;
      return {
        county_fips: fips,
        state: sources[0]!.state,
        places: [...new Set(sources.map(({ place }) => place))].sort(),
        layers: sources.map(source => told(source, now)),
        parcels_rejected: rejected && (rejected[fips] ?? []),
      };
    }),
    next_after: all.length > page.length ? page.at(-1)! : null,
  };
}
