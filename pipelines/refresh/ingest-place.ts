import type { Place } from '../../datasets/place/place.ts';
import { Client } from '../../ingest/acquire/client.ts';
import { parseMirror } from '../../ingest/acquire/mirror.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { type RunOptions, type RunReport, run } from '../run.ts';
import { fetchFiles, publishedFiles, withVintages } from './published-files.ts';

/** A client of publishers as the settings want it. @throws RangeError when the mirror is no list of rules. */
export function clientOf(
  { mirror, acquireConnections }: Pick<Settings, 'mirror' | 'acquireConnections'>,
  told?: (line: string) => void,
): Client {
  return new Client({ mirror: parseMirror(mirror), perHost: acquireConnections, ...(told ? { told } : {}) });
}

interface IngestOptions extends Omit<RunOptions, 'prepare' | 'only' | 'place'> {
  readonly place: Place;
  readonly client: Client;
  /** Datasets to refresh; none named are all. */
  readonly datasets: readonly string[];
  /** YYYY-MM-DD. */
  readonly since?: string | undefined;
}

/**
 * Downloads what is new of a place's published files, and ingests what that changes: layers whose inputs are those of an
 * earlier run are taken from the ledger.
 * @throws what run throws, and AcquireError; then nothing was published.
 */
export function ingestPlace({ place, client, datasets, since, ...options }: IngestOptions): Promise<RunReport> {
  const { sources, progress } = options;
  return run({
    ...options,
    place,
    ...(datasets.length > 0 ? { only: datasets } : {}),
    prepare: async signal => {
      await fetchFiles(publishedFiles(place, datasets), {
        sources,
        client,
        now: () => new Date(),
        signal,
        progress,
        since,
      });
      return withVintages(place, sources);
    },
  });
}
