import { createHash } from 'node:crypto';
import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import type { Box } from '../../datasets/geometry.ts';
import { PARCEL_OVERLAYS } from '../../datasets/parcel/parcel-overlays.ts';
import type { LayerVersion, Manifest, Partition, ReleaseFile } from '../../datasets/release.ts';
import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import { panelsOfLayer } from '../../query/buildable/excluded-ground.ts';
import { exclusionsOf } from '../../query/buildable/template-exclusions.ts';
import { ONLY } from '../../query/enrich/only.ts';
import { accuracyOf, doubtOfEdge } from '../../query/evaluate/accuracy.ts';
import { layersOfKey } from '../../query/evaluate/area-key.ts';
import { MATCH_RADIUS_M } from '../../query/evaluate/parcel-at-point.ts';
import { standInLayers } from '../../query/evaluate/parcel-stand-in.ts';
import { storedLayerOf } from '../../query/evaluate/raster/terrain.ts';
import { keepsRejected } from '../../query/evaluate/rejected/rejected.ts';
import { layersRead } from '../../query/evaluate/version.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import type { Release } from '../../query/release/open-release.ts';
import { partsOf, wholeOf } from '../../query/release/part.ts';
import { canonical } from '../release/lists.ts';

/** Raise this number when an operator gives other answers than before: everything is then computed anew. */
const REVISION = 6;
/** The same of what templates of siting leave. */
const SITING_REVISION = 1;
/** Added to every reach: window margins, confidence bands, rounding. Metres. */
const SLACK_M = 1_000;
/** Shortest degree of latitude on WGS84: metres. */
const DEGREE_M = 110_574;

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

/** Returns the metres around a point within which an expression and its inputs read data. */
function reachOf(catalog: Catalog, field: Field, seen = new Set<string>()): number {
  let reach = MATCH_RADIUS_M;
  seen.add(field.name);
  walk(field.expression, call => {
    const { max_km, radius_m, window_m, over } = call.options;
    const disc = /^radius:(\d+(?:\.\d+)?)$/.exec(String(over))?.[1];
    for (const metres of [Number(max_km ?? 0) * 1000, Number(radius_m ?? 0), Number(window_m ?? 0), Number(disc ?? 0)])
      if (metres > reach) reach = metres;
  });
  if (field.confidence.kind === 'edge_m') reach = Math.max(reach, field.confidence.metres);
  for (const name of inputFields(field.expression))
    if (!seen.has(name)) reach = Math.max(reach, reachOf(catalog, catalog.fields.get(name)!, seen));
  return reach;
}

/** Returns a box (lng,lat degrees) grown by metres on each side. If it crosses ±180, it holds every longitude. */
function grown([west, south, east, north]: Box, metres: number): Box {
  const up = (metres * 1.01 + SLACK_M) / DEGREE_M;
  const low = Math.max(-89, south - up);
  const high = Math.min(89, north + up);
  const across = up / Math.cos((Math.max(Math.abs(low), Math.abs(high)) * Math.PI) / 180);
  if (west - across < -180 || east + across > 180) return [-180, low, 180, high];
  return [west - across, low, east + across, high];
}

const meets = (a: Box, b: Box): boolean => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

/** Whether a partition may be within reach. The box of a raster may come from its corners, and projected edges bulge out. */
function mayReach(partition: Partition, around: Box): boolean {
  const { box } = partition;
  if (!box) return true;
  if (!partition.files.some(file => file.role === 'raster')) return meets(box, around);
  const [dx, dy] = [(box[2] - box[0]) / 10 + 0.01, (box[3] - box[1]) / 10 + 0.01];
  return meets([box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy], around);
}

/** Returns the parts of a field's definition that decide its values, with those of its inputs. */
function definitionOf(catalog: Catalog, name: string): unknown {
  const { expression, confidence, type, unit, precision } = catalog.fields.get(name)!;
  const inputs = inputFields(expression).map(input => definitionOf(catalog, input));
  const column = expression.op === 'parcel_attr' ? (expression.argument as keyof typeof PARCEL_OVERLAYS) : null;
  const standIn = column && PARCEL_OVERLAYS[column]?.expression;
  return [expression.text, confidence, type, unit, precision, inputs, ...(standIn ? [standIn] : [])];
}

/** Whether a field or one of its inputs compares with the day of the release. */
function readsToday(catalog: Catalog, { expression }: Field): boolean {
  if (expression.text.includes('@today')) return true;
  return inputFields(expression).some(name => readsToday(catalog, catalog.fields.get(name)!));
}

/** Whether a field or one of its inputs searches the layer of parcels, and does not only read the parcel itself. */
function searchesParcels(catalog: Catalog, { expression }: Field): boolean {
  let found = false;
  walk(expression, call => {
    found ||= call.sources.some(source => source.dataset === 'parcel_store');
  });
  return found || inputFields(expression).some(name => searchesParcels(catalog, catalog.fields.get(name)!));
}

/** Returns what an answer says about a partition apart from its content. */
const saidOf = (p: Partition) => {
  const { source, url, vintage, note, notes = [], generalised = false } = p.provenance;
  return [
    p.place,
    p.key,
    p.coverage,
    [source, url, vintage, note, notes, generalised],
    p.unpublished,
    p.accuracyM ?? null,
  ];
};

/** Inputs of an overlay. */
export interface Inputs {
  /** Hash over everything that decides the values. */
  readonly hash: string;
  /** Stored files that are read for it, some perhaps not. */
  readonly files: ReadonlySet<ReleaseFile>;
}

/** Finds the inputs of each calculation, for the parcels of one partition. */
export class OverlayInputs {
  readonly #catalog: Catalog;
  readonly #release: Release;
  readonly #parcels: Partition;
  readonly #layers = new Map<string, Inputs>();
  /** Boxes of coverage files by SHA-256, shared by all partitions of a release. */
  readonly #coverages: Map<string, Box | null>;
  /** Of the overlay that is looked at. */
  #files = new Set<ReleaseFile>();

  constructor(catalog: Catalog, release: Release, parcels: Partition, coverages: Map<string, Box | null>) {
    this.#catalog = catalog;
    this.#release = release;
    this.#parcels = parcels;
    this.#coverages = coverages;
  }

  /** Returns what the fields of one overlay depend on. */
  of(fields: readonly Field[]): Inputs {
    const parts = fields.map(field => {
      const reach = reachOf(this.#catalog, field);
      const parcels = searchesParcels(this.#catalog, field);
      const read = [...layersRead(this.#catalog, field.name), ...standInLayers(this.#catalog, field.name)];
      const layers = read.map(id =>
        id === 'parcel_store:main' && !parcels
          ? [id, this.#own()]
          : [id, this.#layer(id, Math.max(reach, this.#edges(id)))],
      );
      const asOf = readsToday(this.#catalog, field) ? this.#manifest.asOf : null;
      return [field.name, definitionOf(this.#catalog, field.name), layers, asOf];
    });
    return this.#taken([REVISION, parts]);
  }

  /**
   * Returns what a calculation of enrichment alone depends on. If it reads other parcels, this includes every parcel file of the
   * state within its reach, because a sale anywhere there may change it.
   */
  ofOnly(name: EnrichOnlyName): Inputs {
    const { layers, optional, reach, neighbours, fields, revision } = ONLY[name];
    const read = [...layers, ...optional].map(id => [id, this.#layer(id, Math.max(reach, MATCH_RADIUS_M))]);
    const parcels = neighbours ? this.#neighbours(reach) : null;
    const taken = fields.map(field => (this.#catalog.fields.has(field) ? definitionOf(this.#catalog, field) : null));
    return this.#taken([REVISION, name, revision, read, this.#own(), parcels, taken]);
  }

  /** Returns what the columns of a template of siting depend on: the template itself, and its layers about the parcels. */
  ofSiting(template: SitingTemplate): Inputs {
    const read = exclusionsOf(template).flatMap(exclusion => {
      const { dataset, layer, setback } = exclusion;
      const panels = panelsOfLayer({ catalog: this.#catalog }, exclusion);
      const ids = [`${dataset}:${storedLayerOf(layer)}`, ...(panels ? [`${panels.dataset}:${panels.layer}`] : [])];
      return ids.map(id => [id, this.#layer(id, setback)]);
    });
    return this.#taken([REVISION, SITING_REVISION, template, read, this.#own()]);
  }

  /**
   * Returns what the overlay of an area key depends on: the polygons from which it is read, and the coverage of the tables, not
   * their rows.
   * @param tables `dataset:layer` of the tables that are looked up.
   */
  ofKey(key: string, tables: readonly string[]): Inputs {
    const polygons = layersOfKey(key).map(({ dataset, layer, column }) => [
      column,
      this.#layer(`${dataset}:${layer}`, this.#edges(`${dataset}:${layer}`)),
    ]);
    const covers = tables.map(id => [
      id,
      this.#partitions(id)
        .filter(p => p.coverage !== 'everywhere' && this.#mayCover(p))
        .map(p => [p.place, this.#coverageOf(p)]),
    ]);
    this.#own();
    return this.#taken([REVISION, key, polygons, covers]);
  }

  #taken(decided: unknown): Inputs {
    const files = this.#files;
    this.#files = new Set();
    return { hash: hashOf(decided), files };
  }

  /** Notes what is read of a partition: all but the rows that were left out for good. */
  #reads(p: Partition): void {
    for (const file of [...wholeOf(p).files, ...p.files]) if (file.role !== 'rejects') this.#files.add(file);
  }

  get #manifest(): Manifest {
    return this.#release.manifest;
  }

  #version(id: string): LayerVersion | null {
    const [dataset, layer] = id.split(':') as [string, string];
    return this.#release.layer(dataset, layer);
  }

  /** The partitions of a layer; for parcels their parts, because citations differ between parts. */
  readonly #partitions = (id: string): readonly Partition[] => (this.#version(id)?.partitions ?? []).flatMap(partsOf);

  /** Returns the metres within which an edge of a layer may change an answer. */
  #edges(id: string): number {
    const [dataset, layer] = id.split(':') as [string, string];
    const doubts = this.#partitions(id).map(p => doubtOfEdge(accuracyOf(this.#catalog, { dataset, layer }, p)));
    return Math.max(0, ...doubts);
  }

  /** Returns the parcels' own partition only, because each calculation belongs to its parcel. */
  #own(): unknown {
    this.#reads(this.#parcels);
    const sha256 = this.#parcels.files.find(f => f.role === 'features')?.sha256;
    return [this.#version('parcel_store:main')?.columns, sha256, partsOf(this.#parcels).map(saidOf)];
  }

  /** Returns the parcel files of the same state within reach; no calculation follows an owner across the border. */
  #neighbours(reach: number): unknown {
    const { box, key } = this.#parcels;
    const stateOf = (partition: string) => partition.split('/')[0];
    const around = box ? grown(box, reach) : null;
    return this.#partitions('parcel_store:main')
      .filter(p => stateOf(p.key) === stateOf(key) && (!around || mayReach(p, around)))
      .map(p => {
        this.#reads(p);
        return [saidOf(p), p.files.filter(f => f.role === 'features' || f.role === 'rejected').map(f => f.sha256)];
      });
  }

  /**
   * Returns a hash for one layer. Partitions within reach of the parcels count with everything. Farther ones count only with what
   * answers may still say: who covers the place, who is cited for an absence, and what is not published.
   */
  #layer(id: string, reach: number): string {
    const key = `${id} ${reach}`;
    let cached = this.#layers.get(key);
    if (cached === undefined) {
      const outer = this.#files;
      this.#files = new Set();
      const { box } = this.#parcels;
      const around = box ? grown(box, reach) : null;
      const parts = this.#partitions(id).flatMap((p): unknown[] => {
        const files = p.files.filter(f => f.role !== 'rejects' && f.role !== 'coverage').map(f => f.sha256);
        // The rejected rows of a place are stored with its first partition, wherever that is.
        if (around && (mayReach(p, around) || keepsRejected(p))) {
          this.#reads(p);
          return [[saidOf(p), this.#coverageOf(p), files]];
        }
        if (p.coverage === 'everywhere') return [[saidOf(p)]];
        if (this.#mayCover(p)) return [[saidOf(p), this.#coverageOf(p)]];
        return p.unpublished.length ? [[p.provenance.source, p.unpublished]] : [];
      });
      cached = this.#taken([this.#version(id)?.columns ?? null, this.#edges(id), parts]);
      this.#layers.set(key, cached);
      this.#files = outer;
    }
    for (const file of cached.files) this.#files.add(file);
    return cached.hash;
  }

  #coverageOf(p: Partition): unknown {
    if (p.coverage === 'everywhere') return null;
    // The file of a raster holds its extent.
    const file = p.files.find(f => f.role === (p.coverage === 'polygon' ? 'coverage' : 'raster'));
    if (file) this.#files.add(file);
    return file?.sha256 ?? (p.coverage === 'polygon' ? null : p.box);
  }

  /** Whether a partition's coverage may hold some of the parcels. */
  #mayCover(p: Partition): boolean {
    const { box } = this.#parcels;
    if (!box) return true;
    if (p.coverage === 'everywhere') return true;
    if (p.coverage === 'extent') return mayReach(p, box);
    const file = p.files.find(f => f.role === 'coverage');
    if (!file) return true;
    if (!this.#coverages.has(file.sha256)) this.#coverages.set(file.sha256, boxOfFile(this.#release.pathOf(file)));
    const coverage = this.#coverages.get(file.sha256);
    return !coverage || meets(coverage, box);
  }
}

/** Returns the box of all features of a file; null if it is not known. */
function boxOfFile(path: string): Box | null {
  let file: FeatureFile | null = null;
  try {
    file = new FeatureFile(path);
    const { boxes } = file.index;
    return file.count ? [boxes[0]!, boxes[1]!, boxes[2]!, boxes[3]!] : null;
  } catch {
    return null;
  } finally {
    file?.close();
  }
}
