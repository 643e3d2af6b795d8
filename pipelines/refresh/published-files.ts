import { catalog } from '../../datasets/catalog.ts';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { AcquireError } from '../../ingest/acquire/fault.ts';
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
}

/** Returns the published files of a place. @param datasets only the files of these datasets; an empty list means all. */
export function publishedFiles(place: Place, datasets: readonly string[] = []): PublishedFileOfPlace[] {
  const read = filesOfPlace(place);
  return Object.entries(place.files ?? {}).flatMap(([file, at]) => {
    const own = [...new Set((read.get(file) ?? []).map(layer => layer.split(':')[0]!))];
    const isCoverage = own.includes('coverage');
    if (datasets.length > 0 && !isCoverage && !own.some(dataset => datasets.includes(dataset))) return [];
    const [source] = declarationsOf(catalog, at);
    return [{ file, located: locate(source!, at, place), datasets: own }];
  });
}

interface LookOptions {
  readonly sources: string;
  readonly client: Client;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
}

/** Files that are asked for at once. For each publisher there is a further limit of connections. */
const AT_ONCE = 4;

/** Calls a function for all items, a few at a time, and returns the results in order. The first failure stops the rest. */
async function each<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(list.length);
  const queue = list.entries();
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, list.length) }, async () => {
      for (const [i, item] of queue) results[i] = await work(item);
    }),
  );
  return results;
}

/** What a publisher said of a file, or why it said nothing. */
type Look = { readonly file: string } & (Outlook | { readonly fault: string });

/** Returns the publishers' versions of some files beside the held ones, and downloads nothing. */
export async function lookAt(
  files: readonly PublishedFileOfPlace[],
  { sources, client, now, signal }: LookOptions,
): Promise<Look[]> {
  const taken = new TakenFiles(sources);
  return each(files, async ({ file, located }) => {
    try {
      return { file, ...(await look({ sources, file, located, taken, client, now, signal })) };
    } catch (error) {
      if (!(error instanceof AcquireError)) throw error;
      return { file, fault: error.message };
    }
  });
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
