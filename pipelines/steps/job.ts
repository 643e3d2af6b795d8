import { join } from 'node:path';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { Manifest, Part, Partition, ReleaseFile } from '../../datasets/release.ts';
import type { StagedFile, Store } from '../../query/release/home/store.ts';
import { type Contribution, NATIONAL, wholePartition } from '../release/manifest.ts';
import { isParcelLayer, PARCEL_LAYER } from '../release/parcel-layer.ts';
import { reachOf } from './ground/cut.ts';
import type { CountyBefore, CountyJob, LayerJob, LayerResult, StagedPart } from './layer-job.ts';
import { partitionKey } from './partition.ts';
import type { Built } from './quality/built.ts';

/** Where a run reads and writes. */
interface Folders {
  /** Of the store. */
  readonly releases: string;
  /** Of the published files. */
  readonly sources: string;
  /** Of the run. */
  readonly folder: string;
  readonly now: Date;
}

/** The parts of a partition as it is recorded. */
const recorded = (partition: Partition): readonly Part[] => partition.parts ?? [partition];

/** What a county held in the release before. */
function beforeOf(
  partitions: readonly Partition[],
  releases: string,
  isReplaced: (part: Part) => boolean,
): CountyBefore[] {
  return partitions.flatMap(partition => {
    const file = partition.files.find(f => f.role === 'features');
    const parts = recorded(partition).map(part => ({ part: ownOf(part), kept: !isReplaced(part) }));
    const besideOf = (role: ReleaseFile['role']) => {
      const found = partition.files.find(f => f.role === role);
      return found ? join(releases, found.path) : null;
    };
    return file
      ? [{ path: join(releases, file.path), ended: besideOf('ended'), stacks: besideOf('stacks'), parts }]
      : [];
  });
}

/** Files that a part has of its own. */
const OWN_ROLES: readonly ReleaseFile['role'][] = ['coverage', 'rejects', 'rejected', 'ground'];

/** A part with the files alone that are its own, and nothing of the partition it may have been. */
function ownOf({ files, ...part }: Part): Part {
  const { place, county, rows, box, coverage, reach, provenance, accuracyM, unpublished } = part;
  const own = files.filter(({ role }) => OWN_ROLES.includes(role));
  const stated = {
    ...(county ? { county } : {}),
    ...(reach ? { reach } : {}),
    ...(accuracyM === undefined ? {} : { accuracyM }),
  };
  return { place, ...stated, rows, box, files: own, coverage, provenance, unpublished };
}

/** Layers whose files make one thing together with a layer's, itself included: those of one road graph. */
function layersBuiltTogether(layers: readonly PlaceLayer[], layer: PlaceLayer): readonly PlaceLayer[] {
  if (layerOf(catalog.datasets, layer.dataset, layer.layer).kind !== 'roads') return [layer];
  return layers.filter(other => other.dataset === layer.dataset && other.layer === layer.layer);
}

/**
 * The work of a run: a job for each layer, and one for the parcels of each county, which all files of the place fill together
 * with those of other places. Counties that the place has left, and those that an earlier build stored in several files, are
 * built again from what they held.
 */
export function jobsOf(
  place: Place,
  previous: Manifest | null,
  folders: Folders,
  counties: ReadonlyMap<string, Box> = new Map(),
): (LayerJob | CountyJob)[] {
  const { sources, folder, now, releases } = folders;
  const { layers, ...head } = place;
  const mapped = layers.map(layer => layer.file);
  const common = (i: number, county: string | undefined) => ({
    sources,
    folder: join(folder, String(i)),
    asOf: now.toISOString().slice(0, 10),
    countyBox: counties.get(county ?? ''),
    mapped,
  });
  const placeOf = ({ state, county }: Pick<PlaceLayer, 'state' | 'county'>) => ({
    ...head,
    state: state ?? head.state,
    county: county ?? head.county,
  });
  const jobs: (LayerJob | CountyJob)[] = [];
  for (const layer of layers) {
    if (isParcelLayer(layer)) continue;
    const together = layersBuiltTogether(layers, layer);
    if (together[0] !== layer) continue;
    const also = together.length > 1 ? { also: together.slice(1) } : {};
    jobs.push({ ...common(jobs.length, placeOf(layer).county), place: placeOf(layer), layer, ...also });
  }

  const held = Map.groupBy(
    previous?.datasets[PARCEL_LAYER.dataset]?.[PARCEL_LAYER.layer]?.partitions ?? [],
    p => p.key,
  );
  const brought = Map.groupBy(layers.filter(isParcelLayer), layer =>
    partitionKey('county', placeOf(layer), layer.national ?? false, null),
  );
  for (const key of new Set([...brought.keys(), ...held.keys()])) {
    const own = brought.get(key) ?? [];
    const partitions = held.get(key) ?? [];
    const name = key === 'US' ? NATIONAL : place.name;
    // National files are replaced only where the place brings them.
    const isReplaced = (part: Part) => part.place === name && (key !== 'US' || own.length > 0);
    const before = beforeOf(partitions, releases, isReplaced);
    const parts = before.flatMap(file => file.parts);
    if (own.length === 0 && before.length < 2 && parts.every(({ kept }) => kept)) continue;
    if (own.length === 0 && !parts.some(({ kept }) => kept)) continue;
    const [state, county] = key.split('/');
    const at = own[0] ? placeOf(own[0]) : { ...head, state: state!, county: county ?? head.county };
    jobs.push({ ...common(jobs.length, at.county), place: at, key, layers: own, before });
  }
  return jobs;
}

/** What was built of each layer of a place, in their order there. */
export function builtOf(
  { layers }: Pick<Place, 'layers'>,
  results: readonly Pick<LayerResult, 'counts' | 'examples'>[],
): Built[] {
  const done = results.flatMap(({ counts, examples }) => counts.map((count, i) => ({ count, examples: examples[i]! })));
  return layers.map(layer => {
    // One file may fill a layer twice: each time another of its counts.
    const at = done.findIndex(
      ({ count }) => count.dataset === layer.dataset && count.layer === layer.layer && count.file === layer.file,
    );
    const [own] = done.splice(at, 1);
    return { layer, ...own! };
  });
}

/** Takes what a job staged into the store. */
export async function adopt(
  store: Store,
  result: LayerResult,
  job: LayerJob | CountyJob,
  now: Date,
): Promise<Contribution> {
  const saidOf = (layer: PlaceLayer) => {
    const { provenance, accuracyM, unpublished, national } = layer;
    const reach = reachOf({ layer, place: job.place });
    return {
      ...(national ? {} : { county: job.place.county }),
      ...(reach ? { reach } : {}),
      provenance: { ...provenance, retrievedAt: now.toISOString(), synthetic: job.place.synthetic ?? false },
      ...(accuracyM === undefined ? {} : { accuracyM }),
      unpublished: unpublished ?? [],
    };
  };
  const stored = new Map<string, ReleaseFile>();
  const adopted = async (files: readonly StagedFile[]) => {
    const out: ReleaseFile[] = [];
    for (const file of files) {
      // Partitions of a layer share its coverage file: the second time it is in the store already.
      const cached = stored.get(file.path) ?? (await store.adopt(file));
      stored.set(file.path, cached);
      out.push(cached);
    }
    return out;
  };
  const partitions: Partition[] = [];
  for (const { parts: staged, ...partition } of result.partitions) {
    const files = await adopted(partition.files);
    if ('layers' in job) {
      const parts: Part[] = [];
      for (const part of staged!) parts.push(await adoptedPart(part, job, adopted, saidOf));
      partitions.push(wholePartition(partition, files, parts));
    } else partitions.push({ ...partition, files, ...saidOf(job.layer) });
  }
  const { dataset, layer } = 'layers' in job ? PARCEL_LAYER : job.layer;
  return { dataset, layer, columns: result.columns, partitions };
}

async function adoptedPart(
  { layer, kept, place, rows, box, files, coverage }: StagedPart,
  job: CountyJob,
  adopted: (files: readonly StagedFile[]) => Promise<ReleaseFile[]>,
  saidOf: (layer: PlaceLayer) => Pick<Part, 'county' | 'reach' | 'provenance' | 'accuracyM' | 'unpublished'>,
): Promise<Part> {
  const own = await adopted(files);
  if (kept) return { ...kept, files: [...own, ...kept.files] };
  return { place, rows, box, files: own, coverage, ...saidOf(job.layers[layer!]!) };
}
