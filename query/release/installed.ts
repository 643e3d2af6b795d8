import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { type Box, union } from '../../datasets/geometry.ts';
import type { Part, Partition } from '../../datasets/release.ts';
import { eachPartition } from './lists/layer-lists.ts';
import { isGround } from './lists/outline.ts';
import type { Release } from './open-release.ts';
import { lacksRows } from './pack/pack.ts';
import { partsOf } from './part.ts';

/** What one published file brought to a layer of a release: whose it is, how old, and where it covers. */
export interface InstalledSource {
  readonly dataset: string;
  readonly layer: string;
  readonly place: string;
  /** Two letters; null for a file of the whole country. */
  readonly state: string | null;
  /** Five digits; null for a file of a whole state or the country. */
  readonly county: string | null;
  readonly source: string;
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  readonly licence: string;
  readonly vintage: string;
  /** Why another product answers, or that the data is synthetic. */
  readonly note: string | null;
  readonly notes?: Partition['provenance']['notes'];
  readonly synthetic: boolean;
  /** UTC with milliseconds and Z. */
  readonly retrievedAt: string;
  readonly rows: number;
  /** Of parcels: rows of the file that are roads, water or other ground and no parcels. */
  readonly ground: number;
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
  /** lng,lat of what it holds; null for a table. */
  readonly box: Box | null;
  /** As Part.reach. */
  readonly reach?: Box;
  /** Columns and conditions that no part of it publishes (see Part.unpublished). */
  readonly unpublished: readonly string[];
}

const STATES: ReadonlyMap<string, string> = new Map(Object.entries(STATE_FIPS).map(([state, fips]) => [fips, state]));

/** Tells whether a source may hold something of a county: it is the county's own, or of its state or the country. */
export const reaches = ({ state, county: of }: InstalledSource, county: string): boolean =>
  of === null ? state === null || state === STATES.get(county.slice(0, 2)) : of === county;

const groundOf = ({ files }: Part): number => files.filter(isGround).reduce((sum, { rows }) => sum + rows, 0);

/**
 * Every source of a release, a layer and place and product once, whatever number of partitions it fills. It goes through all of
 * them; of a pack those count that it has.
 * @param unread told of partitions that cannot be read, which are left out.
 */
export function installedIn(release: Release | null, unread: (error: unknown) => void): readonly InstalledSource[] {
  const sources = new Map<string, InstalledSource>();
  for (const [dataset, layers] of Object.entries(release?.manifest.datasets ?? {}))
    for (const [layer, version] of Object.entries(layers))
      for (const partition of eachPartition(version, unread)) {
        if (lacksRows(release!, partition)) continue;
        for (const part of partsOf(partition)) {
          const { retrievedAt, synthetic, source, title, publisher, url, licence, vintage, note, notes } =
            part.provenance;
          const [area, below] = part.key.split('/');
          const state = area === 'US' ? null : area!;
          const county = /^\d{5}$/.test(below ?? '') ? below! : state && (part.county ?? null);
          const key = JSON.stringify([dataset, layer, part.place, county, source, vintage, part.coverage]);
          const cached = sources.get(key);
          sources.set(key, {
            ...{ dataset, layer, place: part.place, state, county },
            ...{ source, title, publisher, url, licence, vintage, note, notes, synthetic, retrievedAt },
            rows: part.rows + (cached?.rows ?? 0),
            ground: groundOf(part) + (cached?.ground ?? 0),
            coverage: part.coverage,
            box: union(part.box, cached?.box ?? null),
            ...(part.reach ? { reach: part.reach } : {}),
            unpublished: cached ? cached.unpublished.filter(name => part.unpublished.includes(name)) : part.unpublished,
          });
        }
      }
  return [...sources.values()];
}
