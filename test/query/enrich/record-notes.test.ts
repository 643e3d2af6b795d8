import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import type { Partition } from '../../../datasets/release.ts';
import { enrichParcel } from '../../../query/enrich/enrich.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import type { MatchedAs } from '../../../query/parcel/bound-parcel.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const { fields } = enrichCatalogOf(catalog);
const cache = createCache(256);

let release: Release;
let partition: Partition;
let parcels: FeatureFile;
beforeAll(async () => {
  release = openRelease((await syntheticHome()).home);
  [partition] = release.layer('parcel_store', 'main')!.partitions.toSorted((a, b) => b.rows - a.rows) as [Partition];
  parcels = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
});

/** The records of a parcel. */
async function recordsOf(ord: number, names: readonly string[], as: MatchedAs | null = null) {
  const environment = { release, catalog, cache, deadline: Date.now() + 60_000, layers: new Layers(release, cache) };
  const { fields } = await enrichParcel(environment, { partition: partition.key, ord }, names, as);
  return JSON.parse(new TextDecoder().decode(fields)) as Record<string, { status: string; notes: string | null }>;
}

/** What of a text stands outside parentheses: names for programs stand within. */
const forPeople = (notes: string): string => notes.replaceAll(/\([^()]*\)/g, '');

it('says in words why a value is absent or less sure: names of layers, columns and keys stand in parentheses', async () => {
  let said = 0;
  for (const ord of [0, 3, parcels.count >> 1, parcels.count - 1])
    for (const [name, { notes }] of Object.entries(await recordsOf(ord, [...fields.keys()]))) {
      if (notes === null) continue;
      said++;
      expect(forPeople(notes), `${name}: ${notes}`).not.toMatch(
        /[a-z]_[a-z]|\w:\w|\b[A-Z]{3,}_|published for missing/i,
      );
    }
  expect(said).toBeGreaterThan(500);
});

describe('a place that is not the interior point', () => {
  const NOTE = /read at the parcel's interior point, (\d+ m|\d+\.\d\d km) from the point asked for/i;
  const names = ['elevation', 'nearest_road_distance_m', 'county_population', 'wetland_fraction_of_parcel', 'apn'];
  const askedFrom = async (ord: number, metres: number) => {
    const { centroid_lon: lng, centroid_lat: lat } = parcels.properties(ord) as Record<string, number>;
    const input = { lng: lng!, lat: lat! + metres / 111_100 };
    return recordsOf(ord, names, { type: 'contains', metres: 0, input });
  };

  it('is said of values that are read there, with the distance, and of no others', async () => {
    const away = await askedFrom(3, 96);
    for (const name of ['elevation', 'nearest_road_distance_m']) {
      expect(away[name]!.notes, name).toMatch(NOTE);
      expect(away[name]!.notes).toMatch(/9[56] m from the point/);
    }
    for (const name of ['county_population', 'wetland_fraction_of_parcel', 'apn'])
      expect(away[name]!.notes ?? '', name).not.toMatch(NOTE);
    // In another county the value of the county is another.
    const far = await askedFrom(3, 200_000);
    expect(far.county_population!.notes).toMatch(/, (199|200|201)\.\d\d km from/);
    expect(far.apn!.notes ?? '').not.toMatch(NOTE);
  });

  it('is not said within 25 m', async () => {
    for (const { notes } of Object.values(await askedFrom(3, 20))) expect(notes ?? '').not.toMatch(NOTE);
  });
});
