import type { Place } from '../../datasets/place/place.ts';
import { parseTokens } from '../../ingest/acquire/arcgis/tokens.ts';
import { Client } from '../../ingest/acquire/client.ts';
import { parseKeys } from '../../ingest/acquire/keys.ts';
import { parseMirror } from '../../ingest/acquire/mirror.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { LockedError } from '../../query/release/home/lock.ts';
import { type RunOptions, type RunReport, run } from '../run.ts';
import { reasonOf } from '../steps/quality/breach.ts';
import { withoutAbsent } from './absent-layers.ts';
import { fetchFiles } from './downloads.ts';
import { PlaceBook } from './place-book.ts';
import { publishedFiles, withVintages } from './published-files.ts';

/** Returns a client for publishers by the settings. @param retries attempts beside the first. @throws RangeError when PLAT_MIRROR, PLAT_ARCGIS_TOKENS or PLAT_PUBLISHER_KEYS is no list of rules. */
export function clientOf(
  {
    mirror,
    acquireConnections,
    arcgisTokens,
    publisherKeys,
  }: Pick<Settings, 'mirror' | 'acquireConnections' | 'arcgisTokens' | 'publisherKeys'>,
  told?: (line: string) => void,
  retries?: number,
): Client {
  const [tokens, keys] = [parseTokens(arcgisTokens), parseKeys(publisherKeys)];
  return new Client({
    mirror: parseMirror(mirror),
    tokens,
    keys,
    perHost: acquireConnections,
    ...(told ? { told } : {}),
    ...(retries === undefined ? {} : { retries }),
  });
}

interface IngestOptions extends Omit<RunOptions, 'prepare' | 'only' | 'place'> {
  readonly place: Place;
  /** Null: nothing is downloaded, the files are those in the folder. */
  readonly client: Client | null;
  /** Datasets to refresh; an empty list means all. */
  readonly datasets: readonly string[];
  /** YYYY-MM-DD. */
  readonly since?: string | undefined;
}

/**
 * Downloads the new published files of a place, where it is given a client, and ingests what they change. Layers with the inputs of an earlier run come from
 * the ledger.
 * @throws the errors of run, and AcquireError. Nothing was published then.
 */
export async function ingestPlace({ place, client, datasets, since, ...options }: IngestOptions): Promise<RunReport> {
  const { home, sources, progress } = options;
  const book = new PlaceBook(home);
  const files = publishedFiles(place, datasets);
  const told = (isNew: boolean, why: string | null) => {
    if (client !== null && Object.keys(place.files ?? {}).length > 0)
      book.place(place.name, Object.keys(place.files ?? {}), { isNew, why });
  };
  try {
    const report = await run({
      ...options,
      place,
      ...(datasets.length > 0 ? { only: datasets } : {}),
      prepare: async signal => {
        const options = { now: () => new Date(), signal, progress, since, book };
        const gone = client === null ? new Map() : await fetchFiles({ place, sources, files }, { ...options, client });
        const { place: whole, left } = await withoutAbsent(place, sources, gone);
        return { place: withVintages(whole, sources), left, failures: new Map() };
      },
    });
    told(report.changed, null);
    return report;
  } catch (error) {
    if (!(error instanceof LockedError || options.signal?.aborted)) told(false, reasonOf(error));
    throw error;
  }
}
