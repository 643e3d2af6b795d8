import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCatalog, type Catalog } from '../../datasets/catalog.ts';
import { type Dataset, defineDataset, type FieldSource, type Layer, type Value } from '../../datasets/dataset.ts';
import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { GroundKind } from '../../datasets/place/ground-kind.ts';
import type { LayerVersion, Manifest, Part, Partition, ReleaseFile } from '../../datasets/release.ts';
import { createFlatGeobuf } from '../../ingest/writers/flatgeobuf.ts';
import { createGeoParquet } from '../../ingest/writers/geoparquet.ts';
import type { Answer, Point } from '../../query/evaluate/answer.ts';
import { evaluate } from '../../query/evaluate/evaluate.ts';
import { GROUND_COLUMNS, REJECTED_COLUMNS } from '../../query/evaluate/rejected/columns.ts';
import { createCache } from '../../query/release/cache.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { writeCog } from './cog-file.ts';

export const point = (lng: number, lat: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(lng, lat),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
});

export const line = (...vertices: readonly (readonly [number, number])[]): Geometry => ({
  type: 'LineString',
  xy: Float64Array.from(vertices.flat()),
  ends: Uint32Array.of(vertices.length),
  parts: new Uint32Array(0),
});

/** A rectangle, with rectangular holes. */
export const rectangle = (box: Box, ...holes: readonly Box[]): Geometry => {
  const rings = [box, ...holes].map(([x0, y0, x1, y1]) => [x0, y0, x1, y0, x1, y1, x0, y1, x0, y0]);
  return {
    type: 'Polygon',
    xy: Float64Array.from(rings.flat()),
    ends: Uint32Array.from(rings, (_, i) => (i + 1) * 5),
    parts: Uint32Array.of(rings.length),
  };
};

export interface FeatureSpec {
  readonly geometry: Geometry;
  readonly [column: string]: Value | Geometry;
}

export interface RasterSpec {
  readonly width: number;
  readonly height: number;
  /** Top left corner of the grid and size of a cell, degrees. */
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  readonly values: ArrayLike<number>;
  readonly nodata?: number;
}

export interface PartitionSpec {
  readonly key?: string;
  readonly place?: string;
  readonly features?: readonly FeatureSpec[];
  readonly rows?: readonly Readonly<Record<string, Value>>[];
  readonly raster?: RasterSpec;
  /** Polygons, `extent`, or everywhere (default). */
  readonly coverage?: readonly Geometry[] | 'extent' | 'everywhere';
  readonly source?: string;
  readonly vintage?: string;
  readonly note?: string;
  readonly notes?: Part['provenance']['notes'];
  readonly unpublished?: readonly string[];
  readonly accuracyM?: number;
  /** Rows that were rejected at ingest, with the ground that they may concern where they have one. */
  readonly rejected?: readonly (Partial<FeatureSpec> & { readonly reason: string })[];
  /** Ground that is no parcel. */
  readonly ground?: readonly {
    readonly geometry: Geometry;
    readonly kind: GroundKind;
    readonly number: string | null;
  }[];
  /** Columns really written, when fewer than the layer's. */
  readonly stored?: readonly string[];
}

/** dataset → layer → partitions. */
export type ReleaseSpec = Readonly<Record<string, Readonly<Record<string, readonly PartitionSpec[]>>>>;

export interface Fixture {
  readonly home: string;
  readonly catalog: Catalog;
  manifest(): Manifest;
  /** Absolute path of the first file of a role of a partition. */
  path(dataset: string, layer: string, role: ReleaseFile['role'], partition?: number): string;
  /** Writes another release and makes it current. */
  publish(spec: ReleaseSpec, id: string): Promise<void>;
  /** Answers fields in this thread, opened anew. */
  ask(names: readonly string[], at: Point): Promise<Record<string, Answer>>;
  remove(): void;
}

/** A field with what a test does not care about filled in. */
export const field = (
  expression: string,
  more: Partial<FieldSource> & { readonly type?: FieldSource['type'] } = {},
): FieldSource => ({
  layer: 'hazards',
  type: 'number',
  title: expression,
  description: expression,
  confidence: 'const(high)',
  ttlSeconds: 60,
  terms: [],
  hint: expression,
  ...more,
  expression,
});

/** A dataset with what a test does not care about filled in. */
export const dataset = (
  id: string,
  layers: Readonly<Record<string, Layer>>,
  fields: Readonly<Record<string, FieldSource>> = {},
): Dataset =>
  defineDataset({
    id,
    title: id,
    publisher: 'a test',
    url: `https://example.org/${id}`,
    format: 'test',
    licence: 'none',
    cadence: 'never',
    vintageRule: 'none',
    layers,
    fields,
  });

/** Writes a raster as ingest stores it: without data where it or the layer says so. */
function writeRaster(path: string, { values, nodata, ...grid }: RasterSpec, layer: Layer): void {
  const empty = [nodata, ...(layer.kind === 'raster' ? (layer.nodata ?? []) : [])];
  const value = (column: number, row: number) => {
    const number = values[row * grid.width + column]!;
    return empty.includes(number) ? Number.NaN : number;
  };
  writeCog(path, { ...grid, value });
}

async function writePartition(folder: string, layer: Layer, spec: PartitionSpec): Promise<Partition> {
  const files: ReleaseFile[] = [];
  const place = spec.place ?? 'somewhere';
  let box: Box | null = null;
  let rows = 0;
  const keep = (role: ReleaseFile['role'], path: string, extension: string, count: number) => {
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const relative = `files/${sha256.slice(0, 2)}/${sha256}.${extension}`;
    mkdirSync(join(folder, 'files', sha256.slice(0, 2)), { recursive: true });
    renameSync(path, join(folder, relative));
    files.push({ role, path: relative, sha256, bytes: bytes.length, rows: count });
  };
  const staged = join(folder, 'staged');
  const features = async (role: 'features' | 'coverage', list: readonly FeatureSpec[], columns: object) => {
    // Layers that are scanned keep their rows in the order of the file beside them.
    const order = role === 'features' && layer.kind === 'vector' && layer.parquet ? { order: 'input' as const } : {};
    const writer = await createFlatGeobuf(staged, { name: role, columns: columns as never, ...order });
    for (const { geometry, ...properties } of list)
      await writer.write({ geometry, properties: properties as Record<string, Value> });
    await writer.finish();
    keep(role, staged, 'fgb', list.length);
  };
  if (spec.features && layer.kind === 'vector') {
    const stored = Object.entries(layer.columns).filter(([name]) => !spec.stored || spec.stored.includes(name));
    await features('features', spec.features, Object.fromEntries(stored));
    rows = spec.features.length;
    if (layer.parquet) {
      const writer = await createGeoParquet(staged, {
        name: 'rows',
        columns: Object.fromEntries(stored),
        geometry: true,
        order: 'input',
      });
      for (const { geometry, ...properties } of spec.features)
        await writer.write({ geometry, properties: properties as Record<string, Value> });
      await writer.finish();
      keep('rows', staged, 'parquet', rows);
    }
    const boxes = spec.features.map(f => boxOf(f.geometry));
    if (boxes.length)
      box = [
        Math.min(...boxes.map(b => b[0])),
        Math.min(...boxes.map(b => b[1])),
        Math.max(...boxes.map(b => b[2])),
        Math.max(...boxes.map(b => b[3])),
      ];
  }
  if (spec.rows && layer.kind === 'table') {
    const stored = Object.entries(layer.columns).filter(([name]) => !spec.stored || spec.stored.includes(name));
    const writer = await createGeoParquet(staged, {
      name: 'rows',
      columns: Object.fromEntries(stored),
      geometry: false,
    });
    for (const properties of spec.rows) await writer.write({ geometry: null, properties });
    await writer.finish();
    rows = spec.rows.length;
    keep('rows', staged, 'parquet', rows);
  }
  if (spec.raster) {
    const { west, north, cell, width, height } = spec.raster;
    writeRaster(staged, spec.raster, layer);
    box = [west, north - cell * height, west + cell * width, north];
    rows = 1;
    keep('raster', staged, 'cog', 1);
  }
  if (spec.rejected && layer.kind !== 'raster') {
    const writer = await createFlatGeobuf(staged, {
      name: 'rejected',
      columns: { ...layer.columns, ...REJECTED_COLUMNS },
    });
    for (const [i, { geometry, reason, ...properties }] of spec.rejected.entries())
      await writer.write({
        geometry: geometry ?? point(0, 0),
        properties: {
          ...(properties as Record<string, Value>),
          rejected_file: 'somewhere.geojson',
          rejected_row: i + 1,
          rejected_reason: reason,
          rejected_located: geometry !== undefined,
          rejected_complete: true,
        },
      });
    await writer.finish();
    keep('rejected', staged, 'fgb', spec.rejected.length);
  }
  if (spec.ground) {
    const writer = await createFlatGeobuf(staged, { name: 'ground', columns: GROUND_COLUMNS });
    for (const { geometry, ...properties } of spec.ground) await writer.write({ geometry, properties });
    await writer.finish();
    keep('ground', staged, 'fgb', spec.ground.length);
  }
  const coverage = spec.coverage ?? 'everywhere';
  if (typeof coverage !== 'string')
    await features(
      'coverage',
      coverage.map(geometry => ({ geometry, name: place })),
      { name: { type: 'string' } },
    );
  return {
    key: spec.key ?? 'US',
    place,
    rows,
    box,
    files,
    coverage: typeof coverage === 'string' ? coverage : 'polygon',
    provenance: {
      source: spec.source ?? `source_of_${place}`,
      title: place,
      publisher: 'a test',
      url: `https://example.org/${spec.source ?? place}`,
      licence: 'none',
      vintage: spec.vintage ?? '2024',
      note: spec.note ?? null,
      ...(spec.notes ? { notes: spec.notes } : {}),
      retrievedAt: '2026-01-01T00:00:00.000Z',
      synthetic: false,
    },
    ...(spec.accuracyM === undefined ? {} : { accuracyM: spec.accuracyM }),
    unpublished: spec.unpublished ?? [],
  };
}

/** Writes a small release into a temporary home with the real writers. */
export async function createFixture(datasets: readonly Dataset[], spec: ReleaseSpec): Promise<Fixture> {
  const catalog = buildCatalog(datasets);
  const home = mkdtempSync(join(tmpdir(), 'plat-release-'));
  const folder = join(home, 'releases');
  mkdirSync(folder, { recursive: true });
  const publish = async (what: ReleaseSpec, id: string) => {
    const made: Record<string, Record<string, LayerVersion>> = {};
    for (const [name, layers] of Object.entries(what))
      for (const [layerName, specs] of Object.entries(layers)) {
        const layer = catalog.datasets.get(name)!.layers[layerName]!;
        const partitions: Partition[] = [];
        for (const partition of specs) partitions.push(await writePartition(folder, layer, partition));
        const version = createHash('sha256').update(JSON.stringify(partitions)).digest('hex');
        made[name] ??= {};
        made[name][layerName] = {
          version,
          columns: layer.kind === 'raster' ? [] : Object.keys(layer.columns),
          partitions,
        };
      }
    const manifest: Manifest = {
      format: 1,
      id,
      createdAt: '2026-01-01T00:00:00.000Z',
      asOf: '2026-01-01',
      previous: null,
      datasets: made,
      ingests: [],
    };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(manifest));
    writeFileSync(join(folder, 'current.new'), `${id}\n`);
    renameSync(join(folder, 'current.new'), join(folder, 'current'));
  };
  await publish(spec, 'r1');
  const manifest = () => openRelease(home).manifest;
  return {
    home,
    catalog,
    manifest,
    publish,
    path: (name, layer, role, partition = 0) =>
      join(folder, manifest().datasets[name]![layer]!.partitions[partition]!.files.find(f => f.role === role)!.path),
    ask: (names, at) =>
      evaluate(names, at, {
        release: openRelease(home),
        catalog,
        cache: createCache(64),
        deadline: Date.now() + 20_000,
      }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
