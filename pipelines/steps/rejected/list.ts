import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Manifest } from '../../../datasets/release.ts';
import { partsOf } from '../../../query/release/part.ts';
import type { Reject } from './reject.ts';

/** A row that a release leaves out, has repaired or finds by no address, and where it was to stand. */
export interface ListedReject extends Reject {
  readonly place: string;
  /** `dataset:layer`. */
  readonly layer: string;
}

/** Which rows are wanted; all places and layers where none is named. */
interface Wanted {
  readonly layer?: string | undefined;
  readonly place?: string | undefined;
  readonly repaired: boolean;
  readonly addresses?: boolean;
}

/** `dataset:layer` and place of every partition of a release. */
export function contentsOf(manifest: Manifest): { readonly layers: Set<string>; readonly places: Set<string> } {
  const layers = new Set<string>();
  const places = new Set<string>();
  for (const [dataset, versions] of Object.entries(manifest.datasets))
    for (const [layer, { partitions }] of Object.entries(versions)) {
      layers.add(`${dataset}:${layer}`);
      for (const { place } of partitions.flatMap(partsOf)) places.add(place);
    }
  return { layers, places };
}

/**
 * The rows that a release leaves out, layer by layer in the order of their files.
 * @param releases folder that the manifest's paths are below.
 * @throws Error when a rejects file cannot be read.
 */
export async function* listRejects(
  releases: string,
  manifest: Manifest,
  { layer, place, repaired, addresses = false }: Wanted,
): AsyncGenerator<ListedReject> {
  const isWanted = { rejected: true, repaired, unaddressed: addresses };
  for (const [dataset, versions] of Object.entries(manifest.datasets))
    for (const [name, { partitions }] of Object.entries(versions)) {
      const id = `${dataset}:${name}`;
      if (layer !== undefined && layer !== id) continue;
      for (const partition of partitions.flatMap(partsOf)) {
        if (place !== undefined && place !== partition.place) continue;
        for (const file of partition.files) {
          if (file.role !== 'rejects') continue;
          const lines = createInterface({ input: createReadStream(join(releases, file.path)), crlfDelay: Infinity });
          for await (const line of lines) {
            if (line === '') continue;
            const reject = JSON.parse(line) as Reject;
            if (isWanted[reject.action]) yield { place: partition.place, layer: id, ...reject };
          }
        }
      }
    }
}
