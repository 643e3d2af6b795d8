import { createHash } from 'node:crypto';
import type {
  Acceptance,
  IngestCount,
  LayerVersion,
  Manifest,
  Part,
  Partition,
  ReleaseFile,
} from '../../datasets/release.ts';
import { isParcelLayer } from './parcel-layer.ts';

/** Name of the place to which partitions of national files belong. All places share them. */
export const NATIONAL = 'national';

/** The partitions that one ingest adds to a layer. */
export interface Contribution {
  readonly dataset: string;
  readonly layer: string;
  readonly columns: readonly string[];
  readonly partitions: readonly Partition[];
}

/** Returns JSON with sorted keys, so that equal contents have equal hashes. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns a partition without the times of its retrieval, so that two ingests of the same files are equal. */
function substance(partition: Part & { readonly parts?: readonly Part[] }): unknown {
  const { retrievedAt: _, ...provenance } = partition.provenance;
  const { parts } = partition;
  return { ...partition, provenance, ...(parts ? { parts: parts.map(substance) } : {}) };
}

const joined = (texts: readonly (string | null)[], by = ';'): string | null =>
  [...new Set(texts.filter(text => text !== null && text !== ''))].join(by) || null;

/** Returns the common provenance of several published files. */
function provenanceOf(parts: readonly Part[]): Part['provenance'] {
  const all = parts.map(({ provenance }) => provenance);
  const together = (name: 'source' | 'title' | 'publisher' | 'licence' | 'vintage', by?: string) =>
    joined(
      all.map(said => said[name]),
      by,
    ) ?? '';
  return {
    source: together('source'),
    title: together('title', '; '),
    publisher: together('publisher', '; '),
    url: joined(all.map(({ url }) => url)),
    licence: together('licence', '; '),
    vintage: together('vintage'),
    note: joined(
      all.map(({ note }) => note),
      '; ',
    ),
    retrievedAt: all.map(({ retrievedAt }) => retrievedAt).reduce((a, b) => (a > b ? a : b)),
    synthetic: all.some(({ synthetic }) => synthetic),
  };
}

/** Returns the worst accuracy that one of several files states. */
function worstAccuracy(parts: readonly Part[]): Pick<Part, 'accuracyM'> {
  const stated = parts.flatMap(({ accuracyM }) => accuracyM ?? []);
  return stated.length ? { accuracyM: Math.max(...stated) } : {};
}

/**
 * Returns the partition that several published files fill together. If there is only one file, it has no parts.
 * @param files that all parts share.
 */
export function wholePartition(
  { key, rows, box }: Pick<Partition, 'key' | 'rows' | 'box'>,
  files: readonly ReleaseFile[],
  parts: readonly Part[],
): Partition {
  const [first] = parts;
  if (parts.length === 1) return { ...first!, key, rows, box, files: [...files, ...first!.files] };
  const own = new Map(parts.flatMap(part => part.files).map(file => [file.path, file]));
  const kinds = new Set(parts.map(({ coverage }) => coverage));
  return {
    key,
    place: joined(
      parts.map(({ place }) => place),
      ', ',
    )!,
    rows,
    box,
    files: [...files, ...own.values()],
    coverage: kinds.has('everywhere') ? 'everywhere' : kinds.has('polygon') ? 'polygon' : 'extent',
    provenance: provenanceOf(parts),
    ...worstAccuracy(parts),
    unpublished: first!.unpublished.filter(name => parts.every(part => part.unpublished.includes(name))),
    parts,
  };
}

/** A partition with the text of what it is: made once, because a nation has hundreds of thousands. */
interface Said {
  readonly partition: Partition;
  readonly text: string;
}

const saidOf = (partition: Partition): Said => ({ partition, text: canonical(substance(partition)) });

function layerVersion(columns: readonly string[], partitions: readonly Said[]): LayerVersion {
  const keyed = partitions.map(({ partition, text }) => ({
    partition,
    text,
    order: `${partition.key}\0${partition.place}\0${text}`,
  }));
  keyed.sort((x, y) => (x.order < y.order ? -1 : 1));
  const hash = createHash('sha256').update(`[${canonical(columns)},[`);
  for (const [i, { text }] of keyed.entries()) hash.update(i ? `,${text}` : text);
  const version = hash.update(']]').digest('hex').slice(0, 16);
  return { version, columns, partitions: keyed.map(({ partition }) => partition) };
}

/** Whether two releases hold the same of each layer; partitions that did not change are the same objects. */
function sameDatasets(a: Manifest['datasets'], b: Manifest['datasets']): boolean {
  const versions = (of: Manifest['datasets']) =>
    Object.entries(of).flatMap(([dataset, layers]) =>
      Object.entries(layers).map(([layer, { version }]) => canonical([dataset, layer, version])),
    );
  const [of, others] = [versions(a), new Set(versions(b))];
  return of.length === others.size && of.every(one => others.has(one));
}

const sameCounts = (a: readonly IngestCount[], b: readonly IngestCount[]): boolean =>
  a.length === b.length && a.every((count, i) => count === b[i] || canonical(count) === canonical(b[i]));

/**
 * Composes the release that follows `previous` after the ingest of a place. It replaces the place's own partitions, national
 * partitions of layers that the place brings, and counties of parcels that were built again. All others stay. Partitions that did
 * not change keep the time of their first retrieval.
 * @param accepted expectations that the new data do not meet and that were accepted.
 * @returns the manifest; `previous` itself if nothing changed.
 */
export function compose(
  previous: Manifest | null,
  place: string,
  contributions: readonly Contribution[],
  counts: readonly IngestCount[],
  now: Date,
  accepted: readonly Acceptance[] = [],
): Manifest {
  const datasets: Record<string, Record<string, LayerVersion>> = {};
  const put = (dataset: string, layer: string, version: LayerVersion) => {
    if (version.partitions.length === 0) return;
    datasets[dataset] ??= {};
    datasets[dataset][layer] = version;
  };
  const national = new Set(
    contributions.filter(c => c.partitions.some(p => p.place === NATIONAL)).map(c => `${c.dataset}:${c.layer}`),
  );
  const names = new Map(contributions.map(c => [`${c.dataset}:${c.layer}`, c]));
  for (const [dataset, layers] of Object.entries(previous?.datasets ?? {}))
    for (const [layer, version] of Object.entries(layers)) {
      const name = `${dataset}:${layer}`;
      // The parcels of a county are stored together, whatever place they come from: a built county is replaced completely.
      const built = new Set(
        isParcelLayer({ dataset, layer })
          ? contributions.filter(c => isParcelLayer(c)).flatMap(c => c.partitions.map(p => p.key))
          : [],
      );
      const isReplaced = (p: Partition) =>
        built.has(p.key) || p.place === place || (p.place === NATIONAL && national.has(name));
      const replaced = version.partitions.filter(isReplaced);
      if (!names.has(name) && !replaced.length) {
        put(dataset, layer, version);
        continue;
      }
      const before = new Map(replaced.map(p => [canonical(substance(p)), p]));
      const kept = version.partitions.filter(p => !isReplaced(p)).map(saidOf);
      const added = contributions
        .filter(c => `${c.dataset}:${c.layer}` === name)
        .flatMap(c => c.partitions.map(saidOf))
        .map(({ partition, text }) => ({ partition: before.get(text) ?? partition, text }));
      put(dataset, layer, layerVersion(names.get(name)?.columns ?? version.columns, [...kept, ...added]));
    }
  for (const { dataset, layer, columns } of names.values())
    if (!previous?.datasets[dataset]?.[layer]) {
      const partitions = contributions
        .filter(c => c.dataset === dataset && c.layer === layer)
        .flatMap(c => c.partitions.map(saidOf));
      put(dataset, layer, layerVersion(columns, partitions));
    }
  // Sort by place, so that ingesting the same places in another order changes nothing.
  const ingests = [...(previous?.ingests.filter(c => c.place !== place) ?? []), ...counts].sort((a, b) =>
    a.place < b.place ? -1 : a.place > b.place ? 1 : 0,
  );
  if (previous && sameDatasets(previous.datasets, datasets) && sameCounts(previous.ingests, ingests)) return previous;
  const asOf = now.toISOString().slice(0, 10);
  const body = {
    format: 1 as const,
    createdAt: now.toISOString(),
    asOf,
    previous: previous?.id ?? null,
    datasets,
    ingests,
    ...acceptedNow(previous, place, counts, accepted),
  };
  const digest = sha256(canonical([asOf, versionsOf(datasets), ingests, body.previous, ...acceptancesOf(body)]));
  return { ...body, id: `${asOf.replaceAll('-', '')}-${digest.slice(0, 8)}` };
}

/** Returns a manifest with the id that follows from its content, its overlays and its tiles. */
export function identified(manifest: Manifest): Manifest {
  const { asOf, datasets, ingests, previous, overlays, tiles } = manifest;
  const parts = [
    ...[asOf, versionsOf(datasets), ingests, previous, overlays ?? null],
    ...acceptancesOf(manifest),
    ...(tiles ? [tiles] : []),
  ];
  const digest = sha256(canonical(parts));
  return { ...manifest, id: `${asOf.replaceAll('-', '')}-${digest.slice(0, 8)}` };
}

/** Returns the acceptances for a digest; an empty list if nothing was accepted. */
const acceptancesOf = ({ accepted }: Pick<Manifest, 'accepted'>) => (accepted ? [accepted] : []);

/** Returns the acceptances of the new release: those of this run, of other places, and of layers that did not change. */
function acceptedNow(
  previous: Manifest | null,
  place: string,
  counts: readonly IngestCount[],
  accepted: readonly Acceptance[],
): Pick<Manifest, 'accepted'> {
  const ofLayer = (list: readonly IngestCount[], name: string) =>
    canonical(list.filter(c => c.place === place && `${c.dataset}:${c.layer}` === name));
  const kept = (previous?.accepted ?? []).filter(a => {
    if (a.place !== place) return true;
    const [, layer = ''] = a.key.split('/');
    return !accepted.some(b => b.key === a.key) && ofLayer(counts, layer) === ofLayer(previous!.ingests, layer);
  });
  const all = [...kept, ...accepted];
  return all.length > 0 ? { accepted: all } : {};
}

function versionsOf(datasets: Manifest['datasets']): unknown {
  return Object.entries(datasets).map(([d, layers]) => [d, Object.entries(layers).map(([l, v]) => [l, v.version])]);
}
