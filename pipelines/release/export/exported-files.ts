import { isMapLayer, type MapLayerId } from '../../../datasets/map-layers.ts';
import type { Manifest, Partition, ReleaseFile } from '../../../datasets/release.ts';

/** A file of an export: the file of the release, and its path in the export. */
export interface ExportedFile {
  readonly dataset: string;
  readonly layer: string;
  readonly partition: Partition;
  readonly file: ReleaseFile;
  /** Path below the exported folder, with `/` between its parts. */
  readonly path: string;
}

/** Ending by role. Addresses, coverage, rejects and row stores are not exported: only Plat uses them. */
const ENDINGS: Readonly<Partial<Record<ReleaseFile['role'], string>>> = {
  features: 'fgb',
  rows: 'parquet',
  raster: 'tif',
  columns: 'parquet',
};

/** Returns the folders of a key: `ME/23019` → `state=ME/county=23019`, `ME/852b1b4ffffffff` → `state=ME/h3=…`, `US` → `state=US`. */
function foldersOf(key: string): string {
  const [state, part] = key.split('/') as [string, string | undefined];
  if (part === undefined) return `state=${state}`;
  return `state=${state}/${/^\d{5}$/.test(part) ? 'county' : 'h3'}=${part}`;
}

const nameOf = ({ place }: Partition) => place.replaceAll(', ', '+');

/**
 * Returns the files of an export: features as FlatGeobuf, rows as Parquet, rasters as GeoTIFF, and below `calculations/` the
 * calculations of parcels, whose `ord` is that of the county's rows. Where a place fills a partition of a layer with several
 * files, the further ones are `PLACE.2`, `PLACE.3` and so on, in the order of the manifest.
 * @param state two-letter code: only this state and the whole country; undefined for all.
 */
export function exportedFiles({ datasets, overlays }: Manifest, state: string | undefined): ExportedFile[] {
  const out: ExportedFile[] = [];
  const taken = new Set<string>();
  for (const [dataset, layers] of Object.entries(datasets))
    for (const [layer, { partitions }] of Object.entries(layers))
      for (const partition of partitions) {
        const { key, files } = partition;
        if (state !== undefined && key !== 'US' && key.split('/')[0] !== state) continue;
        const add = (file: ReleaseFile, folder: string) => {
          const ending = ENDINGS[file.role];
          if (ending === undefined) return;
          const stem = `${folder}/${foldersOf(key)}/${nameOf(partition)}`;
          let path = `${stem}.${ending}`;
          for (let n = 2; taken.has(path); n++) path = `${stem}.${n}.${ending}`;
          taken.add(path);
          out.push({ dataset, layer, partition, file, path });
        };
        for (const file of files) add(file, `${dataset}/${layer}`);
        const features = files.find(({ role }) => role === 'features');
        for (const [name, overlay] of Object.entries(overlays?.[features?.sha256 ?? ''] ?? {}))
          for (const file of overlay.files) add(file, `calculations/${name}`);
      }
  return out;
}

/** The tiles of a map layer in an export. */
export interface ExportedTiles {
  readonly map: MapLayerId;
  /** Empty in releases of earlier builds, where one archive is of all. */
  readonly ground: string;
  readonly file: ReleaseFile;
  readonly path: string;
}

/** Returns the tiles of an export, `map/tiles/LAYER/GROUND.pmtiles`. @param state as of exportedFiles. */
export function exportedTiles({ tiles = {} }: Manifest, state: string | undefined): ExportedTiles[] {
  return Object.entries(tiles).flatMap(([key, { file }]) => {
    const [map, ...ground] = key.split('/') as [string, ...string[]];
    if (!file || !isMapLayer(map) || (state !== undefined && ground[0] !== state && ground[0] !== 'US')) return [];
    return [{ map, ground: ground.join('/'), file, path: `map/tiles/${key}.pmtiles` }];
  });
}
