import type { Catalog } from '../../datasets/catalog.ts';
import { type Box, boxesMeet, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Manifest, Partition, ReleaseFile } from '../../datasets/release.ts';
import { addressSourceOf } from '../../query/geocode/index/address-row.ts';
import { boxAround } from '../../query/geometry/boxes-about.ts';
import { polygonsToGeometry, ringsOf } from '../../query/geometry/geos.ts';
import { shardFilesOf } from '../../query/release/home/store.ts';
import { eachCalculation } from '../../query/release/lists/calculation-lists.ts';
import { eachPartition } from '../../query/release/lists/layer-lists.ts';
import { outlineOf } from '../../query/release/lists/outline.ts';
import { fieldReach } from '../place/new/field-reach.ts';

/** Files that only ingests read. */
const OF_INGESTS: ReadonlySet<ReleaseFile['role']> = new Set(['rejects', 'ended', 'stacks']);

/** Layers of census_tiger that are looked up by name, wherever their areas lie. */
const NAMED: ReadonlySet<string> = new Set(['place', 'zcta520', 'county', 'state']);

/** Metres about an area in which parcels, addresses and tiles of the map belong to it. */
const BESIDE_M = 2_000;

/** What of a release answers for an area. */
export interface Contents {
  readonly files: readonly ReleaseFile[];
  /** Those of them by layer (`dataset:layer`), largest first, with how far about the area they reach. */
  readonly layers: readonly { readonly layer: string; readonly km: number; readonly bytes: number }[];
  /** Whether a place of the release covers some of the area with a coverage of its own. */
  readonly covered: boolean;
}

/** Boxes of the polygons of an area, with some metres about each. */
function boxesAround(area: Geometry, metres: number): readonly Box[] {
  return ringsOf(area).map(rings => boxAround(boxOf(polygonsToGeometry([rings])), metres));
}

const meets = (boxes: readonly Box[], box: Box) => boxes.some(one => boxesMeet(one, box));

/** The state of a partition: the first part of its key. */
const stateOf = ({ key }: Partition): string => key.split('/')[0]!;

/**
 * Chooses the files of a release from which an area is answered as from the whole: those of each layer as far about it as a field
 * looks, tables whole, and areas and addresses as far as names are looked up.
 * @throws Fault when a shard of the manifest cannot be read.
 */
export function contentsOf(manifest: Manifest, area: Geometry, catalog: Catalog): Contents {
  const files = new Map<string, ReleaseFile>();
  const layers: { layer: string; km: number; bytes: number }[] = [];
  const add = (file: ReleaseFile): number => {
    if (OF_INGESTS.has(file.role) || files.has(file.path)) return 0;
    files.set(file.path, file);
    return file.bytes;
  };
  const [inside, beside] = [boxesAround(area, 0), boxesAround(area, BESIDE_M)];
  const states = statesOf(manifest, beside);
  const counties = new Set<string>();
  let covered = false;
  shardFilesOf(manifest).forEach(add);
  for (const [dataset, of] of Object.entries(manifest.datasets))
    for (const [name, version] of Object.entries(of)) {
      const km = fieldReach(catalog, dataset, name);
      const about = boxesAround(area, km * 1000);
      const named = dataset === 'census_tiger' && NAMED.has(name);
      const addressed = addressSourceOf(dataset, name) !== null;
      let bytes = 0;
      for (const partition of eachPartition(version)) {
        const { reach } = outlineOf([partition]);
        covered ||= reach !== null && meets(inside, reach);
        // Rows without a place are found by the key of an area.
        const isNear = named || reach === null || (!partition.box && partition.rows > 0) || meets(about, reach);
        if (isNear && dataset === 'parcel_store') counties.add(partition.key.split('/')[1]!);
        for (const file of partition.files)
          if (isNear || (addressed && file.role === 'addresses' && states.has(stateOf(partition)))) bytes += add(file);
      }
      layers.push({ layer: `${dataset}:${name}`, km, bytes });
    }
  const parcels = new Set([...files.values()].flatMap(({ role, sha256 }) => (role === 'features' ? sha256 : [])));
  for (const [sha256, own] of eachCalculation(manifest))
    if (parcels.has(sha256)) for (const overlay of Object.values(own)) overlay.files.forEach(add);
  for (const { file, box } of Object.values(manifest.tiles ?? {}))
    if (file && (box === undefined || (box && meets(beside, box)))) add(file);
  for (const [of, { file }] of Object.entries({ ...manifest.quantiles }))
    if (!/^\d{5}$/.test(of) || counties.has(of)) add(file);
  for (const [county, { file }] of Object.entries({ ...manifest.scorecards })) if (counties.has(county)) add(file);
  return { files: [...files.values()], layers: layers.sort((a, b) => b.bytes - a.bytes), covered };
}

/** The states whose addresses lie about an area, and the whole country. */
function statesOf({ datasets }: Manifest, about: readonly Box[]): ReadonlySet<string> {
  const states = new Set(['US']);
  for (const [dataset, of] of Object.entries(datasets))
    for (const [name, version] of Object.entries(of))
      if (addressSourceOf(dataset, name))
        for (const partition of eachPartition(version))
          if (partition.box && meets(about, partition.box)) states.add(stateOf(partition));
  return states;
}
