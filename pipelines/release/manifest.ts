import { createHash } from 'node:crypto';
import type {
  Acceptance,
  CountList,
  IngestCount,
  LayerVersion,
  Manifest,
  Part,
  Partition,
  PartitionList,
  ReleaseFile,
} from '../../datasets/release.ts';
import { countsOf, countsOfPlace, listsOf, partitionsOf } from '../../query/release/lists/layer-lists.ts';
import { withChanges } from '../../query/release/lists/sharded-manifest.ts';
import { canonical, countListsOf, layerOf, listOf, listsFrom, shardOf, substanceOf, US } from './lists.ts';
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
  // Each once: files of one publisher say the same of their columns.
  const said = new Map(all.flatMap(({ notes = [] }) => notes.map(note => [JSON.stringify(note), note] as const)));
  const notes = [...said.values()];
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
    ...(notes.length ? { notes } : {}),
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

/** Whether two releases hold the same of each layer and the same counts. */
function isSame(a: Manifest, b: Pick<Manifest, 'datasets' | 'counts'>): boolean {
  const of = ({ datasets, counts = [] }: Pick<Manifest, 'datasets' | 'counts'>) => [
    ...Object.entries(datasets).flatMap(([dataset, layers]) =>
      Object.entries(layers).map(([layer, { version }]) => canonical([dataset, layer, version])),
    ),
    ...counts.map(({ place, sha256 }) => canonical([place, sha256])),
  ];
  const [ofA, ofB] = [of(a), new Set(of(b))];
  return ofA.length === ofB.size && ofA.every(one => ofB.has(one));
}

/** Returns the lists of the layer of a previous release after an ingest; the same ones if nothing changed in them. */
function nextLists(
  previous: readonly PartitionList[],
  added: readonly Partition[],
  isReplaced: (partition: Partition) => boolean,
  mayReplace: (shard: string) => boolean,
): PartitionList[] {
  const lists = new Map(previous.map(list => [list.shard, list]));
  const fresh = Map.groupBy(added, shardOf);
  for (const shard of new Set([...lists.keys(), ...fresh.keys()])) {
    const own = fresh.get(shard) ?? [];
    if (!own.length && !mayReplace(shard)) continue;
    const list = lists.get(shard);
    const [kept, before] = [[] as Partition[], new Map<string, Partition>()];
    for (const partition of list ? partitionsOf(list) : [])
      if (isReplaced(partition)) before.set(substanceOf(partition), partition);
      else kept.push(partition);
    if (!own.length && !before.size) continue;
    const next = listOf(shard, [...kept, ...own.map(partition => before.get(substanceOf(partition)) ?? partition)]);
    if (!next) lists.delete(shard);
    else if (next.version !== list?.version) lists.set(shard, next);
  }
  return [...lists.values()].sort((a, b) => (a.shard < b.shard ? -1 : 1));
}

/**
 * Composes the release that follows `previous` after the ingest of a place. It replaces the place's own partitions, national
 * partitions of layers that the place brings, and counties of parcels that were built again. All others stay. Partitions that did
 * not change keep the time of their first retrieval. Of a release with shards only those are read that may change.
 * @param accepted expectations that the new data do not meet and that were accepted.
 * @returns the manifest, whose new lists no shard holds yet (withShards); `previous` itself if nothing changed.
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
  const put = (dataset: string, layer: string, columns: readonly string[], lists: readonly PartitionList[]) => {
    if (lists.length === 0) return;
    datasets[dataset] ??= {};
    datasets[dataset][layer] = layerOf(columns, lists);
  };
  const national = new Set(
    contributions.filter(c => c.partitions.some(p => p.place === NATIONAL)).map(c => `${c.dataset}:${c.layer}`),
  );
  // The parcels of a county are stored together, whatever place they come from: a built county is replaced completely.
  const counties = new Set(contributions.filter(isParcelLayer).flatMap(c => c.partitions.map(p => p.key)));
  const names = Map.groupBy(contributions, c => `${c.dataset}:${c.layer}`);
  for (const [dataset, layers] of Object.entries(previous?.datasets ?? {}))
    for (const [layer, version] of Object.entries(layers)) {
      const name = `${dataset}:${layer}`;
      const own = names.get(name) ?? [];
      const built = isParcelLayer({ dataset, layer }) ? counties : new Set();
      const isReplaced = (p: Partition) =>
        built.has(p.key) || p.place === place || (p.place === NATIONAL && national.has(name));
      const mayReplace = (shard: string) => {
        const places = listsOf(version) && previous?.shards?.[shard]?.places;
        return !places || places.includes(place) || (national.has(name) && places.includes(NATIONAL));
      };
      const added = own.flatMap(({ partitions }) => partitions);
      const lists = nextLists(listsFrom(version), added, isReplaced, mayReplace);
      put(dataset, layer, own.at(-1)?.columns ?? version.columns, lists);
    }
  for (const own of names.values()) {
    const { dataset, layer, columns } = own.at(-1)!;
    if (previous?.datasets[dataset]?.[layer]) continue;
    const added = own.flatMap(({ partitions }) => partitions);
    put(
      dataset,
      layer,
      columns,
      nextLists(
        [],
        added,
        () => false,
        () => false,
      ),
    );
  }
  const lists = nextCounts(previous, place, contributions, counts);
  if (previous && isSame(previous, { datasets, counts: lists })) return previous;
  const asOf = now.toISOString().slice(0, 10);
  return identified({
    format: 3 as const,
    id: '',
    createdAt: now.toISOString(),
    asOf,
    previous: previous?.id ?? null,
    ...(previous?.shards ? { shards: previous.shards } : {}),
    datasets,
    counts: lists,
    get ingests() {
      return lists.flatMap(countsOf);
    },
    ...acceptedNow(previous, place, counts, accepted),
  });
}

/** Returns the counts of all places, sorted by place, so that ingesting the same places in another order changes nothing. */
function nextCounts(
  previous: Manifest | null,
  place: string,
  contributions: readonly Contribution[],
  counts: readonly IngestCount[],
): CountList[] {
  const before = previous ? (previous.counts ?? countListsOf(previous.ingests)) : [];
  const own = contributions.flatMap(({ partitions }) => partitions.filter(p => p.place !== NATIONAL));
  const [shard = US] = own.map(shardOf).sort();
  const fresh = counts.length ? countListsOf(counts, shard) : [];
  const kept = before.filter(list => list.place !== place);
  const same = fresh.map(list => before.find(b => b.place === list.place && b.sha256 === list.sha256) ?? list);
  return [...kept, ...same].sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
}

/** Returns a manifest with the id that follows from its content, its overlays, its tiles, its quantiles and its scorecards. */
export function identified(manifest: Manifest): Manifest {
  const { asOf, datasets, counts, previous, overlays, tiles, quantiles, scorecards } = manifest;
  const counted = counts?.map(({ place, sha256 }) => [place, sha256]) ?? manifest.ingests;
  const parts = [
    ...[asOf, versionsOf(datasets), counted, previous, overlays ?? null],
    ...acceptancesOf(manifest),
    ...(tiles ? [tiles] : []),
    ...(quantiles ? [quantiles] : []),
    ...(scorecards ? [scorecards] : []),
  ];
  const digest = createHash('sha256').update(canonical(parts)).digest('hex');
  return withChanges(manifest, { id: `${asOf.replaceAll('-', '')}-${digest.slice(0, 8)}` });
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
  const before = previous?.accepted ? countsOfPlace(previous, place) : [];
  const kept = (previous?.accepted ?? []).filter(a => {
    if (a.place !== place) return true;
    const [, layer = ''] = a.key.split('/');
    return !accepted.some(b => b.key === a.key) && ofLayer(counts, layer) === ofLayer(before, layer);
  });
  const all = [...kept, ...accepted];
  return all.length > 0 ? { accepted: all } : {};
}

function versionsOf(datasets: Manifest['datasets']): unknown {
  return Object.entries(datasets).map(([d, layers]) => [d, Object.entries(layers).map(([l, v]) => [l, v.version])]);
}
