import { statfs } from 'node:fs/promises';
import type { PublishedFile } from '../../datasets/acquire.ts';
import { catalog } from '../../datasets/catalog.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import { MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Place } from '../../datasets/place/place.ts';
import type { Protocol } from '../../datasets/protocol.ts';
import type { Manifest } from '../../datasets/release.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { type Located, LocateError, locate } from '../../ingest/acquire/locate.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { Store } from '../../query/release/home/store.ts';
import { sourcesOf } from '../../query/tile/tile.ts';
import { secondsAhead } from './estimate.ts';
import { lookAt, publishedFiles } from './published-files.ts';

/** The publisher's present version of a file. */
export interface PublishedOutlook {
  readonly file: string;
  /** Protocol of the publisher, and datasets whose layers read the file. */
  readonly via: Protocol;
  readonly datasets: readonly string[];
  readonly url: string;
  /** Null where the publisher did not say it. */
  readonly vintage: string | null;
  readonly held: string | null;
  readonly isNew: boolean;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** Why the publisher said nothing. */
  readonly fault: string | null;
  /** Whether it did not answer at all, so that the file may still come. */
  readonly isSilent: boolean;
}

/** The work that new files cause. */
interface Recompute {
  /** Layers to build again, with the number of their partitions in the release. */
  readonly layers: readonly { readonly layer: string; readonly partitions: number; readonly bytes: number }[];
  /** Map layers whose tiles are drawn again. */
  readonly maps: readonly string[];
  /** Calculated columns of parcels that read these layers. */
  readonly fields: readonly string[];
  readonly parcels: number;
  /** Estimated seconds without downloads, by the last times on this home; null if not known. */
  readonly seconds: number | null;
  /** Bytes to download as far as publishers tell them, bytes of the present layers, and free bytes of the disk. */
  readonly disk: { readonly download: number; readonly rewritten: number; readonly free: number | null };
}

interface RefreshOutlook {
  readonly files: readonly PublishedOutlook[];
  readonly recompute: Recompute;
}

/** How a place gets one dataset. */
interface Acquisition {
  readonly dataset: string;
  /** Protocols of what is downloaded, or `by hand`. */
  readonly how: readonly string[];
  readonly from: readonly string[];
  /** What the publishers say; null where one does not. */
  readonly bytes: number | null;
  /** Rows that the publishers count, or else that the place file expects. */
  readonly rows: number | null;
  /** Why files are put there by hand. */
  readonly why: string | null;
}

const sum = (numbers: readonly (number | null)[]) =>
  numbers.length === 0 || numbers.includes(null) ? null : (numbers as number[]).reduce((a, b) => a + b, 0);

/** Where a declared file is for a place: its address, or the page that names it. */
function publicAddress(file: PublishedFile, place: Place): string {
  const addressOf = ({ url, vintage }: Pick<Located, 'url' | 'vintage'>) =>
    url === '{link}' && vintage && 'index' in vintage ? vintage.index : url;
  try {
    return addressOf(locate(file, {}, place));
  } catch (error) {
    // The place file says what else stands in the address.
    if (error instanceof LocateError) return addressOf({ url: file.url, vintage: file.vintage ?? null });
    throw error;
  }
}

/** Why some layers are put there by hand: their files are declared and not named, or the dataset says why. */
function handReason({ id, acquire }: Dataset, layers: readonly string[], place: Place): string {
  const declared = layers.map(layer =>
    acquire.files?.find(file => file.layers === undefined || file.layers.includes(layer)),
  );
  const addresses = new Set(declared.flatMap(file => (file ? [publicAddress(file, place)] : [])));
  return [
    ...(addresses.size > 0
      ? [`the place file does not name them under files; they are published at ${[...addresses].join(', ')}`]
      : []),
    ...(declared.includes(undefined) ? [acquire.byHand ?? `${id} declares no file of them`] : []),
  ].join('; ');
}

/** How a place gets each of its datasets: from where, how much, or by hand and why. */
export function acquisitionsOf(place: Place, files: readonly PublishedOutlook[]): Acquisition[] {
  const byDataset = Map.groupBy(place.layers, ({ dataset }) => dataset);
  return [...byDataset].map(([dataset, layers]) => {
    const own = files.filter(file => file.datasets.includes(dataset));
    const names = new Set(own.map(({ file }) => file));
    const byHand = [...new Set(layers.filter(({ file }) => !names.has(file)).map(({ layer }) => layer))];
    const isWhole = byHand.length === 0;
    const rows = sum(own.map(file => file.rows)) ?? sum(layers.map(({ expectRows = null }) => expectRows));
    return {
      dataset,
      how: [...new Set(own.map(({ via }) => via)), ...(isWhole ? [] : ['by hand'])],
      from: own.map(({ url }) => url),
      bytes: sum(own.map(file => file.bytes)),
      rows,
      why: isWhole ? null : handReason(catalog.datasets.get(dataset)!, byHand, place),
    };
  });
}

function current(home: string): Manifest | null {
  const { releases } = new Store(home);
  const id = currentId(releases);
  return id === null ? null : readManifest(releases, id);
}

/**
 * Asks the publishers of a place's files for their versions, by conditional requests without a download, and returns what would
 * change in the release. A publisher that cannot be asked leaves the others as they are.
 * @param client null: nobody is asked, because nothing is downloaded.
 */
export async function outlookOf(
  place: Place,
  sources: string,
  home: string,
  client: Client | null,
): Promise<RefreshOutlook> {
  const datasets = [...new Set(place.layers.map(({ dataset }) => dataset))];
  const wanted = client === null ? [] : publishedFiles(place, datasets);
  const seen = client === null ? [] : await lookAt(wanted, { sources, client, now: () => new Date() });
  const files = seen.map((one, i): PublishedOutlook => {
    const { located, datasets } = wanted[i]!;
    const basis = { file: one.file, via: located.via, datasets };
    if ('fault' in one) {
      const nothing = { vintage: null, held: null, isNew: false, bytes: null, rows: null };
      return { ...basis, url: located.url, ...nothing, fault: one.fault, isSilent: one.isSilent };
    }
    const { url, vintage, held, isNew, seen: said } = one;
    const { bytes, rows } = said;
    return { ...basis, url, vintage, held: held?.vintage ?? null, isNew, bytes, rows, fault: null, isSilent: false };
  });
  const fresh = new Set(files.filter(file => file.isNew).map(({ file }) => file));
  const changed = new Set(wanted.filter(({ file }) => fresh.has(file)).flatMap(file => file.datasets));
  const manifest = current(home);
  const building = place.layers.filter(layer => fresh.has(layer.file));
  const layers = building.map(({ dataset, layer }) => {
    const partitions = manifest?.datasets[dataset]?.[layer]?.partitions ?? [];
    const bytes = partitions.flatMap(p => p.files).reduce((sum, f) => sum + f.bytes, 0);
    return { layer: `${dataset}:${layer}`, partitions: partitions.length, bytes };
  });
  const rebuilt = new Set(layers.map(({ layer }) => layer));
  const maps = (Object.keys(MAP_LAYERS) as MapLayerId[]).filter(id =>
    sourcesOf(id).some(({ dataset, layer }) => rebuilt.has(`${dataset}:${layer}`)),
  );
  const fields = new Set<string>();
  const stale = new Set<string>();
  for (const overlays of Object.values(manifest?.overlays ?? {}))
    for (const [name, overlay] of Object.entries(overlays))
      if (changed.has('parcel_store') || name.split(/[+.]/).some(part => changed.has(part))) {
        stale.add(name);
        for (const field of overlay.fields) fields.add(field);
      }
  const parcels = (manifest?.datasets.parcel_store?.main?.partitions ?? []).reduce((sum, p) => sum + p.rows, 0);
  const room = await statfs(home).catch(() => null);
  return {
    files,
    recompute: {
      layers,
      maps,
      fields: [...fields].sort(),
      parcels: fields.size > 0 ? parcels : 0,
      seconds: secondsAhead(home, {
        layers: building.map(({ dataset, layer, file }) => ({ layer: `${dataset}:${layer}`, file })),
        parcels,
        overlays: stale.size,
        maps,
      }),
      disk: {
        download: files.reduce((sum, file) => sum + (file.isNew ? (file.bytes ?? 0) : 0), 0),
        rewritten: layers.reduce((sum, { bytes }) => sum + bytes, 0),
        free: room && room.bavail * room.bsize,
      },
    },
  };
}
