import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../../datasets/place/place.ts';
import type { Manifest, ReleaseFile } from '../../../datasets/release.ts';
import { townLayer } from '../../query/changes/town.ts';
import { feature, square, writeFiles } from '../village.ts';

/** Degrees that a county is wide, and that its lots are. */
const [WIDE, LOT] = [0.2, 0.0012];
/** Lots of the smallest county. */
const FEWEST = 500;

/** A county of a state that does not exist, with how many lots it has. */
export interface County {
  readonly place: Place;
  readonly lots: number;
  /** Its south-west corner. */
  readonly west: number;
  readonly south: number;
}

/** Counties in rows of ten, from the smallest to one of so many lots, each larger by the same factor: most are small, as in a nation. */
export const countiesOf = (count: number, most: number): County[] =>
  Array.from({ length: count }, (_, i) => {
    const name = `county-${String(i).padStart(2, '0')}`;
    return {
      lots: Math.round(FEWEST * (most / FEWEST) ** (i / Math.max(1, count - 1))),
      west: -70.5 + WIDE * (i % 10),
      south: 43.5 + WIDE * Math.floor(i / 10),
      place: {
        ...{ name, title: `County ${i}`, state: 'ME', county: `23${String(2 * i + 1).padStart(3, '0')}` },
        coverage: { file: 'boundary.geojson' },
        layers: [
          townLayer('parcel_store', 'main', 'lots.geojson', { apn: 'no', parval: { from: 'value', type: 'number' } }),
          townLayer('usfws_nwi', 'main', 'wetlands.geojson', { ATTRIBUTE: 'code', WETLAND_TYPE: 'type' }),
          townLayer('local_zoning', 'main', 'zoning.geojson', { ZONE: 'zone' }),
        ],
      },
    };
  });

/** Writes the files of a county into the folder of its name. @param edition what each of its values begins with. */
export function publishCounty(root: string, { place, lots, west, south }: County, edition: number): void {
  const row = Math.ceil(Math.sqrt(lots));
  const type = 'Freshwater Emergent Wetland';
  writeFiles(join(root, place.name), {
    'boundary.geojson': [feature('Polygon', [square(west, south, WIDE)])],
    'lots.geojson': Array.from({ length: lots }, (_, n) => {
      const corner = [west + LOT * (n % row), south + LOT * Math.floor(n / row)] as const;
      return feature('Polygon', [square(...corner, LOT * 0.9)], { no: `${place.county}-${n}`, value: edition + n });
    }),
    // One in nine lots, and a part of its neighbors.
    'wetlands.geojson': Array.from({ length: Math.ceil(lots / 9) }, (_, n) => {
      const corner = [west + LOT * ((3 * n) % row), south + 3 * LOT * Math.floor((3 * n) / row)] as const;
      return feature('Polygon', [square(...corner, LOT * 1.3)], { code: `P${edition}${n}`, type });
    }),
    'zoning.geojson': Array.from({ length: 16 }, (_, n) => {
      const corner = [west + (WIDE / 4) * (n % 4), south + (WIDE / 4) * Math.floor(n / 4)] as const;
      return feature('Polygon', [square(...corner, WIDE / 4)], { zone: `R-${edition}${n}` });
    }),
  });
}

/** Bytes of what stands below the releases by path, but for what the home keeps for itself. */
export const stored = (releases: string): Map<string, number> =>
  new Map(
    readdirSync(releases, { recursive: true, encoding: 'utf8' })
      .filter(path => /^files\/../.test(path) || /^\d{8}-/.test(path))
      .flatMap(path => {
        const found = statSync(join(releases, path));
        return found.isFile() ? [[path, found.size] as const] : [];
      }),
  );

/** Bytes of what a release has of one county alone. */
export function bytesOf({ datasets, tiles = {}, overlays = {} }: Manifest, { name, county }: Place): number {
  const files: ReleaseFile[] = [];
  for (const layers of Object.values(datasets))
    for (const { partitions } of Object.values(layers))
      for (const partition of partitions) if (partition.place === name) files.push(...partition.files);
  const isOwn = (key: string) => key.endsWith(`/${name}`) || key.endsWith(`/${county}`);
  for (const [key, { file }] of Object.entries(tiles)) if (isOwn(key) && file) files.push(file);
  const hashes = new Set(files.map(({ sha256 }) => sha256));
  for (const [sha256, of] of Object.entries(overlays))
    if (hashes.has(sha256)) for (const { files: own } of Object.values(of)) files.push(...own);
  return [...new Map(files.map(({ path, bytes }) => [path, bytes])).values()].reduce((sum, bytes) => sum + bytes, 0);
}
