import type { Place } from '../../datasets/place/place.ts';
import { parseTokens } from '../../ingest/acquire/arcgis/tokens.ts';
import { Client } from '../../ingest/acquire/client.ts';
import { parseMirror } from '../../ingest/acquire/mirror.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { type RunOptions, type RunReport, run } from '../run.ts';
import { fetchFiles, publishedFiles, withVintages } from './published-files.ts';

/** Returns a client for publishers by the settings. @throws RangeError when PLAT_MIRROR or PLAT_ARCGIS_TOKENS is no list of rules. */
export function clientOf(
  { mirror, acquireConnections, arcgisTokens }: Pick<Settings, 'mirror' | 'acquireConnections' | 'arcgisTokens'>,
  told?: (line: string) => void,
): Client {
  const tokens = parseTokens(arcgisTokens);
  return new Client({ mirror: parseMirror(mirror), tokens, perHost: acquireConnections, ...(told ? { told } : {}) });
}

interface IngestOptions extends Omit<RunOptions, 'prepare' | 'only' | 'place'> {
  readonly place: Place;
  readonly client: Client;
  /** Datasets to refresh; an empty list means all. */
  readonly datasets: readonly string[];
  /** YYYY-MM-DD. */
  readonly since?: string | undefined;
}

/**
 * Downloads the new published files of a place and ingests what they change. Layers with the inputs of an earlier run come from
 * the ledger.
 * @throws the errors of run, and AcquireError. Nothing was published then.
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
