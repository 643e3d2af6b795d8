import type { Place } from '../../datasets/place/place.ts';
import type { PublishedOutlook } from './outlook.ts';

/** What a dataset takes until it is served, before anything of it is downloaded. */
export interface Effort {
  readonly dataset: string;
  /** Bytes to download; null where a publisher says neither bytes nor rows. Nothing where all is held. */
  readonly bytes: number | null;
  /** Bytes of the disk: the files, and what is built of them. */
  readonly disk: number | null;
  /** Downloads and builds one after the other. */
  readonly seconds: number | null;
  /** Why something of it will not come. */
  readonly missing: readonly string[];
  /** Whether a publisher did not answer, so that nothing is known of its files. */
  readonly isSilent: boolean;
}

/** Rates that are assumed, because publishers differ: bytes a second of a file, rows a second of a service by pages of 1,000. */
const [FILE_RATE, SERVICE_RATE] = [4e6, 500];
/** Rows a second that are built of all files and of parcels on two cores (docs/refresh.md). */
const [BUILD_RATE, PARCEL_RATE] = [6_800, 3_200];
/** Bytes of a row as a service sends it, and as a compressed file holds it; of a row that is stored. */
const [SENT, PACKED, STORED] = [900, 150, 400];

/** A file with what is known, or to be expected, of it. */
function sizeOf({ via, bytes, rows }: PublishedOutlook): { readonly bytes: number; readonly rows: number } | null {
  if (rows !== null) return { rows, bytes: bytes ?? rows * SENT };
  if (bytes !== null) return { bytes, rows: bytes / (via === 'http' || via === 'ftp' ? PACKED : SENT) };
  return null;
}

function effortOf(dataset: string, files: readonly PublishedOutlook[]): Effort {
  const missing = files.flatMap(({ file, fault, isSilent }) =>
    fault === null || isSilent ? [] : [`${file}: ${fault}`],
  );
  const coming = files.filter(({ fault, isNew, isSilent }) => isSilent || (fault === null && isNew));
  const isSilent = coming.some(file => file.isSilent);
  const sizes = coming.map(sizeOf);
  if (sizes.includes(null)) return { dataset, bytes: null, disk: null, seconds: null, missing, isSilent };
  let [bytes, disk, seconds] = [0, 0, 0];
  for (const [i, size] of sizes.entries()) {
    const isService = coming[i]!.rows !== null && coming[i]!.bytes === null;
    bytes += size!.bytes;
    disk += size!.bytes + size!.rows * STORED;
    seconds += isService ? size!.rows / SERVICE_RATE : size!.bytes / FILE_RATE;
    seconds += size!.rows / (dataset === 'parcel_store' ? PARCEL_RATE : BUILD_RATE);
  }
  return { dataset, bytes, disk, seconds, missing, isSilent };
}

/** What each dataset of a place takes that is downloaded, in the order of the place. */
export function effortsOf({ layers }: Place, files: readonly PublishedOutlook[]): Effort[] {
  const datasets = [...new Set(layers.map(({ dataset }) => dataset))];
  return datasets.flatMap(dataset => {
    const own = files.filter(file => file.datasets.includes(dataset));
    return own.length > 0 ? [effortOf(dataset, own)] : [];
  });
}
