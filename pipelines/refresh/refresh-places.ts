import type { Place } from '../../datasets/place/place.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { LockedError } from '../../query/release/home/lock.ts';
import type { PlaceRun } from '../place-run.ts';
import type { PlacesReport } from '../places-run.ts';
import { runPlaces } from '../run.ts';
import { reasonOf } from '../steps/quality/breach.ts';
import { withoutAbsent } from './absent-layers.ts';
import { fetchPlaces, type Wanted } from './downloads.ts';
import { PlaceBook } from './place-book.ts';
import { withVintages } from './published-files.ts';

/** A place to refresh. */
export interface RefreshedPlace extends Wanted {
  readonly place: Place;
  /** Datasets to refresh. */
  readonly datasets: readonly string[];
}

interface RefreshOptions extends Omit<Parameters<typeof runPlaces>[0], 'places' | 'what'> {
  readonly client: Client;
  readonly places: readonly RefreshedPlace[];
  readonly accept?: readonly string[];
}

/**
 * Downloads the new files of places and ingests what they change into one release. A file that fails keeps its own layers at their last
 * edition, a place of which nothing could be ingested stays as it is. How each file and place stands is noted in the home.
 * @throws as runPlaces.
 */
export async function refreshPlaces({
  client,
  places,
  accept = [],
  ...options
}: RefreshOptions): Promise<PlacesReport> {
  const { home, progress, signal } = options;
  const book = new PlaceBook(home);
  let own: readonly RefreshedPlace[] = [];
  async function* runs(): AsyncGenerator<PlaceRun> {
    const downloads = fetchPlaces(own, { client, now: () => new Date(), signal, progress, book });
    for await (const { wanted, failures } of downloads) {
      const { place, sources, datasets } = wanted;
      const why = new Map([...failures].map(([file, { message }]) => [file, message] as const));
      const prepare = async () => {
        const { place: whole, left } = await withoutAbsent(place, sources, failures);
        return { place: withVintages(whole, sources), left, failures: why };
      };
      yield { place, sources, prepare, only: datasets, accept, isPartial: true };
    }
  }
  const report = await runPlaces({
    ...options,
    what: `refresh of ${places.length} places`,
    names: places.map(({ place }) => place.name),
    began: free => {
      own = places.filter(({ place }) => free.has(place.name));
      options.began?.(free);
    },
    places: runs(),
  });
  const filesOf = (name: string) => Object.keys(places.find(({ place }) => place.name === name)?.place.files ?? {});
  for (const { place, stale, isNew } of report.places) {
    const why = stale.map(({ layer, why: of }) => `${layer}: ${of}`).join('; ') || null;
    book.place(place, filesOf(place), { isNew, why });
  }
  // Who ingests a place notes how it stands.
  for (const { place, error } of report.failures.filter(({ error }) => !(error instanceof LockedError)))
    book.place(place, filesOf(place), { isNew: false, why: reasonOf(error) });
  return report;
}
