import { catalog } from '../../datasets/catalog.ts';
import { Availability } from '../../query/enrich/availability.ts';
import { evaluate } from '../../query/evaluate/evaluate.ts';
import { createCache } from '../../query/release/cache.ts';
import { installedIn } from '../../query/release/installed.ts';
import type { Release } from '../../query/release/open-release.ts';
import { storedParcels } from './parcels.ts';

/** What is said to be answerable of a release, all of its sources readable. @param county five digits; null: anywhere. */
export const availabilityOf = (release: Release, county: string | null = null): Availability =>
  new Availability(
    catalog,
    release,
    installedIn(release, error => {
      throw error;
    }),
    county,
  );

interface At {
  readonly lat: number;
  readonly lng: number;
}

/** Interior points of some parcels of a release, spread over their order. @param state two letters; null: of all. */
export async function parcelPoints(release: Release, points: number, state: string | null = null): Promise<At[]> {
  const parcels = (await storedParcels(release.home)).filter(one => state === null || one.state === state);
  return Array.from({ length: points }, (_, i) => {
    const { centroid_lat, centroid_lon } = parcels[Math.floor((i * parcels.length) / points)]!.properties;
    return { lat: Number(centroid_lat), lng: Number(centroid_lon) };
  });
}

/** Where what a release is said to answer and what fetch answers at points differ, and how many fields it lacks. @param county of all of the points; null: of any. */
export async function differences(
  release: Release,
  points: readonly At[],
  county: string | null = null,
): Promise<{ found: string[]; lacking: number }> {
  const availability = availabilityOf(release, county);
  const names = [...catalog.fields.keys()];
  const cache = createCache(256);
  const found = new Set<string>();
  for (const point of points) {
    const answers = await evaluate(names, point, { release, catalog, cache, deadline: Date.now() + 300_000 });
    for (const name of names) {
      const { status, retryable, error } = answers[name]!;
      const lack = availability.lackOf(name);
      if (lack !== null && status === 'ok') found.add(`${name} is answered, but: ${lack}`);
      // What is there and cannot be answered all the same would be a fault of the release.
      if (lack === null && status === 'failed') found.add(`${name} fails (${retryable}): ${error}`);
    }
  }
  cache.clear();
  return { found: [...found], lacking: names.filter(name => availability.lackOf(name) !== null).length };
}
