import type { Manifest, Partition, ReleaseFile } from '../../../datasets/release.ts';

/** A file of an export: which one of the release it is, and where it lies. */
export interface ExportedFile {
  readonly dataset: string;
  readonly layer: string;
  readonly partition: Partition;
  readonly file: ReleaseFile;
  /** Below the exported folder, `/` between its parts. */
  readonly path: string;
}

/** Ending by what a file holds; addresses, coverage, rejects and row stores serve Plat alone. */
const ENDINGS: Readonly<Partial<Record<ReleaseFile['role'], string>>> = {
  features: 'fgb',
  rows: 'parquet',
  raster: 'tif',
  columns: 'parquet',
};

/** `ME/23019` as `state=ME/county=23019`, `ME/852b1b4ffffffff` as `state=ME/h3=…`; of the country `state=US`. */
function foldersOf(key: string): string {
  const [state, part] = key.split('/') as [string, string | undefined];
  if (part === undefined) return `state=${state}`;
  return `state=${state}/${/^\d{5}$/.test(part) ? 'county' : 'h3'}=${part}`;
}

const nameOf = ({ place }: Partition) => place.replaceAll(', ', '+');

/**
 * What an export of a release holds: features as FlatGeobuf, rows as Parquet, rasters as GeoTIFF, and below
 * `calculations/` what was calculated of parcels, whose `ord` is that of the county's rows.
 * @param state two letters: of this state and of the country alone; undefined for all.
 */
export function exportedFiles({ datasets, overlays }: Manifest, state: string | undefined): ExportedFile[] {
  const out: ExportedFile[] = [];
  for (const [dataset, layers] of Object.entries(datasets))
    for (const [layer, { partitions }] of Object.entries(layers))
      for (const partition of partitions) {
        const { key, files } = partition;
        if (state !== undefined && key !== 'US' && key.split('/')[0] !== state) continue;
        const add = (file: ReleaseFile, folder: string) => {
          const ending = ENDINGS[file.role];
          if (ending === undefined) return;
          const path = `${folder}/${foldersOf(key)}/${nameOf(partition)}.${ending}`;
          out.push({ dataset, layer, partition, file, path });
        };
        for (const file of files) add(file, `${dataset}/${layer}`);
        const features = files.find(({ role }) => role === 'features');
        for (const [name, overlay] of Object.entries(overlays?.[features?.sha256 ?? ''] ?? {}))
          for (const file of overlay.files) add(file, `calculations/${name}`);
      }
  return out;
}
