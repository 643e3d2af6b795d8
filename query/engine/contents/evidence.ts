import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import type { Box } from '../../../datasets/geometry.ts';
import type { LayerVersion, Partition } from '../../../datasets/release.ts';
import type { Point } from '../../evaluate/answer.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { overlayLayers, standInLayers } from '../../evaluate/parcel-stand-in.ts';
import { layersRead } from '../../evaluate/version.ts';
import { type AcceptedCorrection, correctionsOf } from '../../release/corrections/correction-list.ts';
import { LayerLists } from '../../release/lists/layer-lists.ts';
import type { Release } from '../../release/open-release.ts';
import { boxesAt } from '../../release/partitions-about.ts';
import { type Failure, failureOf } from '../failure.ts';

/** What an answer was made of: names of fields, sources that it cites, and its places. */
export interface EvidenceRequest {
  readonly names: readonly string[];
  /** As answers cite them. */
  readonly sources: readonly string[];
  readonly points: readonly Point[];
}

/** A layer that fields read. */
interface LayerEvidence {
  /** `dataset:layer`. */
  readonly layer: string;
  /** Hash over all its files. */
  readonly version: string;
  /** Partitions whose ground holds a place, 100 at most. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/** The hashes of what an answer was made of. */
export interface Evidence {
  readonly release: string;
  /** Of the bytes of its manifest, which has the hash of every file. */
  readonly manifest_sha256: string;
  readonly layers: readonly LayerEvidence[];
  /** The corrections that answers about the names were told with, the first 200 of so many; left out where there are none. */
  readonly corrections?: { readonly count: number; readonly entries: readonly AcceptedCorrection[] };
}

/** Files of a layer that are named; all are in the manifest. */
const MOST_FILES = 100;
/** Corrections that are named. */
const MOST_CORRECTIONS = 200;
const PARCELS = 'parcel_store:main';
const DATA: ReadonlySet<string> = new Set(['features', 'rows', 'raster', 'records', 'coverage']);

const manifests = new LRUCache<string, string>({ max: 8 });

/** SHA-256 of the manifest's bytes. @throws Error when it cannot be read. */
function manifestDigest({ home, id }: Pick<Release, 'home' | 'id'>): string {
  const path = join(home, 'releases', `${id}.json`);
  let digest = manifests.get(path);
  if (digest === undefined) {
    digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    manifests.set(path, digest);
  }
  return digest;
}

const meets = ([west, south, east, north]: Box, [w, s, e, n]: Box): boolean =>
  west <= e && east >= w && south <= n && north >= s;

/** Files of a layer whose ground holds one of some points. @throws Fault when a list of it cannot be read. */
function filesAt(layer: LayerVersion, points: readonly Point[]): LayerEvidence['files'] {
  const boxes = points.flatMap(({ lng, lat }) => boxesAt(lng, lat));
  if (boxes.length === 0) return [];
  const files: { path: string; sha256: string }[] = [];
  for (const { partitions } of LayerLists.of(layer).about(boxes))
    for (const { box, files: own } of partitions) {
      if (box && !boxes.some(one => meets(box, one))) continue;
      for (const { role, path, sha256 } of own) if (DATA.has(role)) files.push({ path, sha256 });
      if (files.length >= MOST_FILES) return files.slice(0, MOST_FILES);
    }
  return files;
}

/** The layers that hold something of the sources at the places: what answers that tell no field by name were made of. */
function* layersCited(
  { manifest }: Release,
  sources: ReadonlySet<string>,
  points: readonly Point[],
): Generator<string> {
  const boxes = points.flatMap(({ lng, lat }) => boxesAt(lng, lat));
  if (sources.size === 0 || boxes.length === 0) return;
  // Several sources of one partition stand in it with `;` between.
  const isCited = ({ provenance }: Partition) =>
    provenance.source.split(';').some(source => sources.has(source.trim()));
  for (const [dataset, layers] of Object.entries(manifest.datasets))
    for (const [name, layer] of Object.entries(layers))
      for (const { partitions } of LayerLists.of(layer).about(boxes))
        if (partitions.some(isCited)) yield `${dataset}:${name}`;
}

/** The layers of the datasets that a calculation of enrichment alone reads; none of another name. */
function layersOfOnly(name: string, { manifest }: Release): string[] {
  const datasets = Object.hasOwn(ENRICH_ONLY, name) ? ENRICH_ONLY[name as keyof typeof ENRICH_ONLY].datasets : [];
  return datasets.flatMap(dataset => Object.keys(manifest.datasets[dataset] ?? {}).map(layer => `${dataset}:${layer}`));
}

/** The hashes of what an answer was made of. Never throws but Interrupted. */
export async function evidenceTask(
  { names, sources, points }: EvidenceRequest,
  { catalog, release, deadline }: TaskEnvironment,
): Promise<Evidence | Failure> {
  try {
    if (!release) return { failed: 'nothing was published yet', late: false };
    const layers = new Set(layersCited(release, new Set(sources), points));
    for (const name of names)
      if (catalog.fields.has(name))
        for (const layer of [...layersRead(catalog, name), ...standInLayers(catalog, name)]) layers.add(layer);
      else {
        layers.add(PARCELS);
        for (const layer of [...overlayLayers(name), ...layersOfOnly(name, release)]) layers.add(layer);
      }
    const wanted = new Set(names);
    const corrections = correctionsOf(release).entries.filter(({ field, also, touches = [] }) =>
      [field, ...also, ...touches].some(name => wanted.has(name)),
    );
    return {
      release: release.id,
      manifest_sha256: manifestDigest(release),
      layers: [...layers].sort().flatMap(id => {
        const [dataset, name] = id.split(':') as [string, string];
        const layer = release.layer(dataset, name);
        return layer ? [{ layer: id, version: layer.version, files: filesAt(layer, points) }] : [];
      }),
      ...(corrections.length === 0
        ? {}
        : { corrections: { count: corrections.length, entries: corrections.slice(0, MOST_CORRECTIONS) } }),
    };
  } catch (error) {
    return failureOf(error, deadline);
  }
}
