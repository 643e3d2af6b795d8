import { statfs } from 'node:fs/promises';
import type { Protocol } from '../../datasets/acquire.ts';
import { catalog } from '../../datasets/catalog.ts';
import { MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Place } from '../../datasets/place/place.ts';
import type { Manifest } from '../../datasets/release.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { Store } from '../../query/release/home/store.ts';
import { sourcesOf } from '../../query/tile/tile.ts';
import { secondsAhead } from './estimate.ts';
import { lookAt, publishedFiles } from './published-files.ts';

/** The publisher's present version of a file. */
interface PublishedOutlook {
  readonly file: string;
  /** Protocol of the publisher, and datasets whose layers read the file. */
  readonly via: Protocol;
  readonly datasets: readonly string[];
  readonly url: string;
  readonly vintage: string;
  readonly held: string | null;
  readonly isNew: boolean;
  readonly bytes: number | null;
  readonly rows: number | null;
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

/** How a place gets each of its datasets: from where, how much, or by hand and why. */
export function acquisitionsOf(place: Place, files: readonly PublishedOutlook[]): Acquisition[] {
  const byDataset = Map.groupBy(place.layers, ({ dataset }) => dataset);
  return [...byDataset].map(([dataset, layers]) => {
    const own = files.filter(file => file.datasets.includes(dataset));
    const names = new Set(own.map(({ file }) => file));
    const isWhole = layers.every(({ file }) => names.has(file));
    const { acquire } = catalog.datasets.get(dataset)!;
    const declared = acquire.files?.map(({ url }) => url).join(', ');
    const why = acquire.byHand ?? `the place file does not name them under files; they are published at ${declared}`;
    const rows = sum(own.map(file => file.rows)) ?? sum(layers.map(({ expectRows = null }) => expectRows));
    return {
      dataset,
      how: [...new Set(own.map(({ via }) => via)), ...(isWhole ? [] : ['by hand'])],
      from: own.map(({ url }) => url),
      bytes: sum(own.map(file => file.bytes)),
      rows,
      why: isWhole ? null : why,
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
 * change in the release. @throws AcquireError.
 */
export async function outlookOf(place: Place, sources: string, home: string, client: Client): Promise<RefreshOutlook> {
  const datasets = [...new Set(place.layers.map(({ dataset }) => dataset))];
  const wanted = publishedFiles(place, datasets);
  const seen = await lookAt(wanted, { sources, client, now: () => new Date() });
  const files = seen.map(({ file, url, vintage, held, isNew, seen: said }, i) => ({
    file,
    via: wanted[i]!.located.via,
    datasets: wanted[i]!.datasets,
    url,
    vintage,
    held: held?.vintage ?? null,
    isNew,
    bytes: said.bytes,
    rows: said.rows,
  }));
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
