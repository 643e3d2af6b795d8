import { catalog } from '../../datasets/catalog.ts';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { AcquireError, isOfConnection } from '../../ingest/acquire/fault.ts';
import { declarationsOf, type Located, locate } from '../../ingest/acquire/locate.ts';
import { look, type Outlook } from '../../ingest/acquire/take.ts';
import { TakenFiles } from '../../ingest/acquire/taken.ts';
import { filesOfPlace } from '../steps/acquire.ts';
import { LayerError } from '../steps/layer-job.ts';

/** A file of a place that is downloaded. */
export interface PublishedFileOfPlace {
  /** Path below the sources folder. */
  readonly file: string;
  readonly located: Located;
  /** Datasets whose layers read it. */
  readonly datasets: readonly string[];
  /** Whether the place is ingested without it where its publisher has none. */
  readonly isOptional: boolean;
}

/** Returns the published files of a place. @param datasets only the files of these datasets; an empty list means all. */
export function publishedFiles(place: Place, datasets: readonly string[] = []): PublishedFileOfPlace[] {
  const read = filesOfPlace(place);
  return Object.entries(place.files ?? {}).flatMap(([file, at]) => {
    const own = [...new Set((read.get(file) ?? []).map(layer => layer.split(':')[0]!))];
    const isCoverage = own.includes('coverage');
    if (datasets.length > 0 && !isCoverage && !own.some(dataset => datasets.includes(dataset))) return [];
    const [source] = declarationsOf(catalog, at);
    return [{ file, located: locate(source!, at, place), datasets: own, isOptional: at.optional ?? false }];
  });
}

interface LookOptions {
  readonly sources: string;
  readonly client: Client;
  readonly now: () => Date;
  readonly patienceMs?: number;
}

/** Milliseconds that a publisher has to tell of one file. */
const PATIENCE_MS = 10_000;

/** What is said of files of a publisher that did not answer. */
const SILENT = 'size not known (publisher did not answer)';

/** The host that is asked for a file: that of its address, or of the page that names the address. */
function hostOf({ url, vintage }: Located): string {
  const index = vintage && 'index' in vintage ? vintage.index : null;
  return URL.parse(url)?.host ?? URL.parse(index ?? '')?.host ?? url;
}

/** Whether nothing was answered, rather than a refusal or what is no file. */
const isSilence = (error: unknown): boolean =>
  (error as Error).name === 'TimeoutError' || (error instanceof AcquireError && isOfConnection(error.cause));

/** What a publisher said of a file, or why it said nothing. */
type Look = { readonly file: string } & (Outlook | { readonly fault: string; readonly isSilent: boolean });

/**
 * Returns the publishers' versions of some files beside the held ones, and downloads nothing. Publishers are asked at once, each for
 * one file after another. One that does not answer is not asked for its other files.
 * @param patienceMs milliseconds for each file.
 */
export async function lookAt(
  files: readonly PublishedFileOfPlace[],
  { sources, client, now, patienceMs = PATIENCE_MS }: LookOptions,
): Promise<Look[]> {
  const taken = new TakenFiles(sources);
  const looks = new Map<PublishedFileOfPlace, Look>();
  const ask = async (own: readonly PublishedFileOfPlace[]) => {
    let isSilent = false;
    for (const one of own) {
      const { file, located } = one;
      const signal = AbortSignal.timeout(patienceMs);
      try {
        if (!isSilent)
          looks.set(one, { file, ...(await look({ sources, file, located, taken, client, now, signal })) });
      } catch (error) {
        isSilent = isSilence(error);
        if (!isSilent && !(error instanceof AcquireError)) throw error;
        if (!isSilent) looks.set(one, { file, fault: (error as Error).message, isSilent });
      }
      if (isSilent) looks.set(one, { file, fault: `${located.url}: ${SILENT}`, isSilent });
    }
  };
  await Promise.all([...Map.groupBy(files, ({ located }) => hostOf(located)).values()].map(ask));
  return files.map(file => looks.get(file)!);
}

const VINTAGE = '{vintage}';

/**
 * Returns a place in whose provenances `{vintage}` is replaced by the vintage of the layer's file.
 * @throws LayerError when a file has no vintage, because it was put there by hand.
 */
export function withVintages(place: Place, sources: string): Place {
  if (!place.layers.some(layer => layer.provenance.vintage.includes(VINTAGE))) return place;
  const taken = new TakenFiles(sources);
  const told = (layer: PlaceLayer): PlaceLayer => {
    const { vintage } = layer.provenance;
    if (!vintage.includes(VINTAGE)) return layer;
    const found = taken.get(layer.file)?.vintage;
    if (found === undefined)
      throw new LayerError(
        `${layer.dataset}:${layer.layer}: the vintage of ${layer.file} is not known, because it was not downloaded; write it in the place file instead of ${VINTAGE}`,
      );
    return { ...layer, provenance: { ...layer.provenance, vintage: vintage.replaceAll(VINTAGE, found) } };
  };
  return { ...place, layers: place.layers.map(told) };
}
