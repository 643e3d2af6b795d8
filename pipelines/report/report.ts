import { catalog } from '../../datasets/catalog.ts';
import type { Manifest } from '../../datasets/release.ts';
import { changesPage, type Gap, type LayerChange } from '../../query/changes/page.ts';
import { Work } from '../../query/changes/work.ts';
import { createCache } from '../../query/release/cache.ts';
import { filesOf } from '../../query/release/home/store.ts';
import { Layers } from '../../query/release/layers.ts';
import { releaseOf } from '../../query/release/open-release.ts';

/** Megabytes that open files may use while two releases are compared. */
const CACHE_MB = 256;

/** A layer in the report. */
export interface ReportedLayer {
  readonly name: string;
  readonly rows: number;
  readonly partitions: number;
  readonly bytes: number;
  readonly sources: readonly string[];
  readonly vintages: readonly string[];
  readonly licences: readonly string[];
  readonly retrieved: string;
  readonly synthetic: boolean;
}

/** A layer whose vintages differ from the release before. */
export interface VintageChange {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The changes of a release against the one before it. */
export interface ReleaseChanges {
  readonly previous: string;
  readonly layers: readonly LayerChange[];
  readonly vintages: readonly VintageChange[];
  readonly gaps: readonly Gap[];
  /** Files and bytes that the release before does not have. */
  readonly files: number;
  readonly bytes: number;
  /** Calculations of counties that were made anew. */
  readonly computed: number;
  readonly calculations: number;
}

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();

/** Returns every layer of a release. */
export function layersOf({ datasets }: Manifest): ReportedLayer[] {
  return Object.entries(datasets).flatMap(([dataset, layers]) =>
    Object.entries(layers).map(([layer, { partitions }]): ReportedLayer => {
      const said = partitions.flatMap(partition => (partition.parts ?? [partition]).map(part => part.provenance));
      const files = new Map(partitions.flatMap(partition => partition.files).map(file => [file.path, file.bytes]));
      return {
        name: `${dataset}:${layer}`,
        rows: partitions.reduce((sum, { rows }) => sum + rows, 0),
        partitions: partitions.length,
        bytes: [...files.values()].reduce((sum, bytes) => sum + bytes, 0),
        sources: sorted(said.map(({ source }) => source)),
        vintages: sorted(said.map(({ vintage }) => vintage)),
        licences: sorted(said.map(({ licence }) => licence)),
        retrieved: said.map(({ retrievedAt }) => retrievedAt).reduce((a, b) => (a > b ? a : b), ''),
        synthetic: said.some(({ synthetic }) => synthetic),
      };
    }),
  );
}

/** Parcels' file and calculation → hash of what its values depend on. */
const calculationsOf = ({ overlays = {} }: Manifest) =>
  Object.entries(overlays).flatMap(([sha256, own]) =>
    Object.entries(own).map(([name, { inputs }]) => `${sha256} ${name} ${inputs}`),
  );

/** Compares a release with the one before it, row by row, and returns the changes. @param home PLAT_HOME. */
export async function changesOf(home: string, previous: Manifest, manifest: Manifest): Promise<ReleaseChanges> {
  const cache = createCache(CACHE_MB);
  const open = (release: Manifest) => new Layers(releaseOf(home, release), cache);
  const question = { state: null, fields: [], from: null, limit: Infinity };
  const work = new Work({ deadline: Infinity, softDeadline: Infinity, rows: Infinity, stopped: () => false });
  const compared = { before: open(previous), after: open(manifest), catalog };
  const { layers, gaps } = await changesPage(compared, question, work).finally(() => cache.clear());
  const held = new Set(filesOf(previous).map(({ path }) => path));
  const fresh = filesOf(manifest).filter(({ path }) => !held.has(path));
  const [was, now] = [new Map(layersOf(previous).map(layer => [layer.name, layer.vintages])), layersOf(manifest)];
  const gone = [...was.keys()].filter(name => !now.some(layer => layer.name === name));
  const vintages = [
    ...now.map(({ name, vintages }) => ({ name, vintages })),
    ...gone.map(name => ({ name, vintages: [] })),
  ]
    .map(({ name, vintages: after }) => ({ name, before: was.get(name) ?? [], after }))
    .filter(({ before, after }) => before.join() !== after.join());
  const before = new Set(calculationsOf(previous));
  const calculations = calculationsOf(manifest);
  return {
    previous: previous.id,
    layers,
    vintages,
    gaps,
    files: fresh.length,
    bytes: fresh.reduce((sum, file) => sum + file.bytes, 0),
    computed: calculations.filter(calculation => !before.has(calculation)).length,
    calculations: calculations.length,
  };
}
