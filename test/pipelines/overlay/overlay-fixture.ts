import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../../datasets/catalog.ts';
import type { Place } from '../../../datasets/place/place.ts';
import whole from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { overlayCatalog } from '../../../pipelines/overlay/attributes.ts';
import { planOverlays } from '../../../pipelines/overlay/plan.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { run } from '../../../pipelines/run.ts';
import { isOnly, ONLY } from '../../../query/enrich/only.ts';
import { layersOfKey } from '../../../query/evaluate/area-key.ts';
import { layersRead } from '../../../query/evaluate/version.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { Layers } from '../../../query/release/layers.ts';
import type { Release } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';
import { folder } from '../world/truth.ts';

/** Every operator, both kinds of coverage and tables by area are in these. */
const KEPT = new Set([
  ...['parcel_store', 'census_tiger', 'usfws_nwi', 'usgs_3dep', 'mrlc_nlcd', 'usda_ssurgo', 'fema_nfhl', 'census_acs'],
  ...['census_pep', 'usgs_nhdplus_hr', 'usgs_padus', 'noaa_normals', 'fema_nri', 'usgs_wbd', 'cdfi_opportunity_zones'],
]);
export const synthetic: Place = { ...whole, layers: whole.layers.filter(layer => KEPT.has(layer.dataset)) };
/** One moment for all runs, so that equal overlays have equal bytes. */
export const now = new Date('2026-11-21T08:00:00.000Z');
export const sources = folder();
/** Ingested without overlays, and copied for those that try something. */
export const plain = folder();
export const home = folder();
const homes = [sources, plain, home];
export const overlayOf = (at: string) => runOverlay({ home: at, threads: 0, memoryMb: 256, progress: SILENT, now });
export const manifestOf = (at: string): Manifest => {
  const releases = join(at, 'releases');
  return readManifest(releases, currentId(releases)!);
};
export const copy = (): string => {
  const to = folder();
  homes.push(to);
  cpSync(plain, to, { recursive: true });
  return to;
};
/** Takes the shared area's files, ingests them into `plain`, and computes the overlays of a copy of it, `home`. */
export async function ingestAndOverlay(): Promise<void> {
  cpSync((await syntheticHome()).sources, sources, { recursive: true });
  await run({ home: plain, sources, place: synthetic, threads: 0, progress: SILENT, now });
  cpSync(plain, home, { recursive: true });
  await overlayOf(home);
}

/** Removes every folder that was made. */
export function removeHomes(): void {
  for (const path of homes) rmSync(path, { recursive: true, force: true });
}

export const parcelsOf = (of: Release) => of.layer('parcel_store', 'main')!.partitions;

/** Whether a stored column rests on a dataset. */
export function isFedBy(name: string, dataset: string): boolean {
  const layers = isOnly(name)
    ? [...ONLY[name].layers, ...ONLY[name].optional]
    : overlayCatalog().fields.has(name)
      ? layersRead(overlayCatalog(), name)
      : layersOfKey(name).map(at => `${at.dataset}:${at.layer}`);
  return layers.some(id => id.startsWith(`${dataset}:`));
}

export interface Moved {
  readonly key: string;
  box: [number, number, number, number];
  readonly files: { readonly role: string; sha256: string }[];
}

/** All columns of a release's overlays as parcels and name, and which of them the overlays of the first run are not right for. */
export function staleness(
  of: Release,
  full: NonNullable<Manifest['overlays']>,
): { columns: [string, string][]; stale: string[] } {
  const columns: [string, string][] = [];
  const stale: string[] = [];
  for (const { file, parcels, overlays } of planOverlays(overlayCatalog(), of))
    for (const { dataset, inputs, fields } of overlays)
      for (const name of fields) {
        columns.push([parcels.key, name]);
        if (full[file.sha256]![dataset]!.inputs !== inputs) stale.push(String([parcels.key, name]));
      }
  return { columns, stale };
}

/** What is stored for every parcel, as the facade tells it. */
export async function* storedParcels(release: Release, every: number) {
  const cache = createCache(256);
  for (const partition of parcelsOf(release)) {
    const calculated = new Calculated(new Layers(release, cache), catalog, partition);
    const file = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
    for (let ord = 0; ord < file.count; ord += every)
      yield { partition, calculated, ord, properties: file.properties(ord), cache };
    file.close();
  }
}
