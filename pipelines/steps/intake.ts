import { join } from 'node:path';
import type { TableLayer, Value, VectorLayer } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { expectationOf } from '../../datasets/place/expectation.ts';
import type { GroundKind } from '../../datasets/place/ground-kind.ts';
import type { PlaceLayer } from '../../datasets/place/place.ts';
import type { JoinCount } from '../../datasets/release.ts';
import { type Crs, projectRows, resolveCrs, statedCrs } from '../../ingest/crs.ts';
import { openSource } from '../../ingest/format.ts';
import { type Findings, missingColumns, ReadError, type Row, type Source } from '../../ingest/reader.ts';
import type { OutputRow } from '../../ingest/writer.ts';
import { isAddressLine } from '../../query/geocode/index/address-index-builder.ts';
import { type AddressSource, addressSourceOf } from '../../query/geocode/index/address-row.ts';
import { type GeosPolygons, loadGeos } from '../../query/geometry/geos.ts';
import { isParcelLayer } from '../release/parcel-layer.ts';
import { type Cut, cutOf } from './ground/cut.ts';
import { ShapeMaker } from './join/shape.ts';
import { type JoinFile, Joins } from './join.ts';
import { columnsNeeded } from './layer-columns.ts';
import type { LayerJob } from './layer-job.ts';
import { compileColumns, compileTest, type Normalise, type Properties, scalar, type Test } from './normalise.ts';
import { Measure, type Whereabouts } from './quality/measure.ts';
import type { Rejects } from './rejected/rejects.ts';
import { compileRepeat, type Repeat } from './repeat.ts';
import { respelled } from './spelling.ts';
import { thinned } from './thinned.ts';
import { judge } from './validity.ts';
import { Misfit } from './value.ts';

/** A row in the normal schema, with its position in the file. */
export interface IntakeRow extends OutputRow {
  readonly number: number;
  /** The source's own identifier of the feature (GlobalID or OBJECTID), which tells apart rows that share a number. */
  readonly objectId: string | null;
}

/** Names that GIS software gives to a feature's identifier, the most stable one first. */
const OBJECT_ID_COLUMNS = [/^globalid$/i, /^object_?id$/i, /^fid$/i];

/** Returns the columns that hold the identifier, the most stable one first. */
function objectIdColumns(names: readonly string[]): string[] {
  return OBJECT_ID_COLUMNS.flatMap(pattern => names.find(name => pattern.test(name)) ?? []);
}

function objectIdOf(properties: Row['properties'], columns: readonly string[]): string | null {
  for (const column of columns) {
    const value = scalar(properties[column], column);
    if (value !== null) return String(value);
  }
  return null;
}

/** The form of each kind of area key. A key of another form joins nothing and is rejected. */
const KEY_SHAPES: Partial<Record<TableLayer['key']['is'], RegExp>> = {
  county_fips: /^\d{5}$/,
  tract_geoid: /^\d{11}$/,
  block_geoid: /^\d{15}$/,
  huc12: /^\d{12}$/,
};

/** @throws ReadError naming the mapped columns that the file lacks, and the columns that it has. */
function requireColumns(file: string, needed: readonly string[], present: ReadonlySet<string>): void {
  const missing = needed.filter(name => !present.has(name));
  if (missing.length > 0) throw new ReadError('column_missing', file, null, missingColumns(missing, present));
}

/** Reads one layer's file and yields its rows in the normal schema and WGS84. It counts and records rows that are left out. */
export class Intake {
  read = 0;
  skipped = 0;
  /** Number of rows added because a row stands for several areas. */
  repeated = 0;
  readonly rejects: Rejects;
  readonly measure: Measure;
  readonly #job: LayerJob;
  readonly #layer: VectorLayer | TableLayer;
  readonly #source: Source;
  /** The mapping, in the file's own spelling. */
  #columns: PlaceLayer['columns'];
  #normalise: Normalise;
  /** Normalises rejected rows without counting their lookups again. */
  #uncounted: Normalise;
  readonly #where: Test | null;
  readonly #ground: readonly { readonly kind: GroundKind; readonly test: Test }[];
  readonly #repeat: Repeat | null;
  readonly #joins: Joins;
  readonly #geos: GeosPolygons | null;
  readonly cut: Cut | null;
  /** Makes points of polygons, where the layer says how such points are placed: addresses that stand on their parcels. */
  readonly #points: ShapeMaker | null;
  /** Null for a table; also null until the first geometry, if a join may give the geometry instead. */
  #crs: Crs | null = null;
  readonly #isParcels: boolean;
  readonly #addresses: AddressSource | null;
  /** Null if the columns are known only row by row. */
  readonly #objectIds: readonly string[] | null;
  readonly #report: (rows: number) => void;
  readonly #signal: AbortSignal | undefined;

  private constructor(
    job: LayerJob,
    layer: VectorLayer | TableLayer,
    rejects: Rejects,
    source: Source,
    measure: Measure,
    joins: Joins,
    geos: GeosPolygons | null,
    points: ShapeMaker | null,
    cut: Cut | null,
    report: (rows: number) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#job = job;
    this.#layer = layer;
    this.rejects = rejects;
    this.#source = source;
    this.measure = measure;
    this.#isParcels = isParcelLayer(job.layer);
    this.#addresses = addressSourceOf(job.layer.dataset, job.layer.layer);
    this.#objectIds = source.columns.length > 0 ? objectIdColumns(source.columns) : null;
    this.#joins = joins;
    this.#geos = geos;
    this.#points = points;
    this.cut = cut;
    this.#report = report;
    this.#signal = signal;
    this.#columns = respelled(job.layer.columns, layer.columns, new Set(source.columns));
    this.#normalise = compileColumns(this.#columns, layer.columns, job.asOf, name => measure.tallyOf(name));
    this.#uncounted = compileColumns(this.#columns, layer.columns, job.asOf);
    this.#where = job.layer.where ? compileTest(job.layer.where, job.asOf) : null;
    this.#ground = (job.layer.ground ?? []).map(({ kind, where }) => ({ kind, test: compileTest(where, job.asOf) }));
    this.#repeat = job.layer.repeat ? compileRepeat(job.layer.repeat, job.asOf) : null;
  }

  /**
   * @param ground where features are expected, null where that is not known.
   * @throws ReadError when the file, one joined to it or one of the mapped columns is missing.
   */
  static async open(
    job: LayerJob,
    layer: VectorLayer | TableLayer,
    rejects: Rejects,
    ground: Whereabouts['ground'],
    report: (rows: number) => void,
    signal?: AbortSignal,
  ): Promise<Intake> {
    const { outsideMetres: metres } = expectationOf(layer.expect, job.layer.expect);
    // A layer that is not cut by places reaches beyond each: stations are read from afar.
    const bounds = layer.partition === 'national' ? null : ground;
    const local = layer.partition !== 'national' && !job.layer.national;
    const where = layer.kind === 'vector' ? { ground: bounds, metres, local } : null;
    const measure = new Measure(Object.keys(job.layer.columns), layer.columns, where);
    const wanted = layer.kind === 'vector' ? (job.layer.geometry ?? layer.geometry) : null;
    const needed = columnsNeeded(job.layer);
    const joins = await Joins.load(job.layer, needed, wanted, job.sources, job.asOf, signal, prefix =>
      measure.tallyOf(prefix),
    );
    const geos = layer.kind === 'vector' ? await loadGeos() : null;
    const points = layer.kind === 'vector' && layer.placement && wanted ? await ShapeMaker.create(wanted) : null;
    const cut = layer.kind === 'vector' ? await cutOf(job) : null;
    const { file, format, options } = job.layer;
    const whole = await openSource(join(job.sources, file), { format, options: options ?? {} });
    const source = thinned(whole, job.every ?? 1);
    try {
      if (source.columns.length > 0)
        requireColumns(
          file,
          columnsNeeded({
            ...job.layer,
            columns: respelled(job.layer.columns, layer.columns, new Set(source.columns)),
          }).filter(name => !joins.owns(name)),
          new Set(source.columns),
        );
      const intake = new Intake(job, layer, rejects, source, measure, joins, geos, points, cut, report, signal);
      if (layer.kind === 'vector' && !joins.giveShapes) await intake.#resolved();
      return intake;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** Records a row of the normal schema as left out. */
  async reject({ number, properties, geometry }: IntakeRow, id: Value, reason: string): Promise<void> {
    const { file } = this.#job.layer;
    this.measure.rejected(number, reason);
    await this.rejects.reject({ file, row: number, id, reason }, { properties, geometry, complete: true });
  }

  /** What the reader found out about the file; complete once all rows were read. */
  get findings(): Findings | undefined {
    return this.#source.findings;
  }

  /** The joined files, as their readers found them. */
  get joinFiles(): readonly JoinFile[] {
    return this.#joins.files;
  }

  /** For each join, the number of rows (of those not skipped) to which something joined. */
  get joins(): readonly JoinCount[] {
    return this.#joins.counts;
  }

  /** @throws ReadError when the CRS of the file is not known. */
  async #resolved(): Promise<Crs> {
    const { file, options } = this.#job.layer;
    this.#crs ??= await resolveCrs(statedCrs(this.#source.crs, options ?? {}), file);
    return this.#crs;
  }

  /** Returns rows with their geometries in lng,lat; of a table, without. */
  async #projected(rows: readonly Row[]): Promise<readonly Row[]> {
    if (!rows.some(({ geometry, unread }) => geometry ?? unread?.ground)) return rows;
    if (this.#layer.kind === 'vector') return projectRows(await this.#resolved(), rows);
    return rows.map(row => ({
      ...row,
      geometry: null,
      ...(row.unread && { unread: { ...row.unread, ground: null } }),
    }));
  }

  async *rows(): AsyncGenerator<IntakeRow> {
    const seen = this.#source.columns.length === 0 ? new Set<string>() : null;
    for await (const batch of this.#source.rows(this.#signal)) {
      if (seen && this.read === 0) this.#respell(batch);
      for (const row of await this.#projected(batch)) {
        this.read++;
        if (seen) for (const name of Object.keys(row.properties)) seen.add(name);
        if (this.#isBeyond(row.unread?.ground ?? row.geometry)) continue;
        const rows = row.unread?.isLost ? undefined : this.#repeat?.(row);
        if (rows?.length === 0) this.skipped++;
        else if (rows) this.repeated += rows.length - 1;
        for (const one of rows ?? [row]) {
          const done = await this.#take(one);
          if (done) yield done;
        }
      }
      this.#report(this.read);
    }
    // In formats without a header (GeoJSON), only now is it known that a mapped column never occurred.
    if (seen && this.read > 0)
      requireColumns(
        this.#job.layer.file,
        columnsNeeded({ ...this.#job.layer, columns: this.#columns }).filter(name => !this.#joins.owns(name)),
        seen,
      );
  }

  #isBeyond(geometry: Geometry | null): boolean {
    const isOut = this.cut?.leavesOut(geometry) ?? false;
    if (isOut) this.skipped++;
    return isOut;
  }

  /** Formats without a header show their spelling in the first rows. */
  #respell(rows: readonly Row[]): void {
    const present = new Set(rows.flatMap(row => Object.keys(row.properties)));
    this.#columns = respelled(this.#job.layer.columns, this.#layer.columns, present);
    this.#normalise = compileColumns(this.#columns, this.#layer.columns, this.#job.asOf, name =>
      this.measure.tallyOf(name),
    );
    this.#uncounted = compileColumns(this.#columns, this.#layer.columns, this.#job.asOf);
  }

  async #take(row: Row): Promise<IntakeRow | null> {
    const layer = this.#layer;
    const { file } = this.#job.layer;
    let properties = row.properties;
    let id: Value = null;
    let values: IntakeRow['properties'] | null = null;
    try {
      if (row.unread?.isLost) throw new Misfit(row.unread.reason);
      properties = this.#joins.extend(properties);
      if (this.#where && !this.#where(properties)) {
        this.skipped++;
        return null;
      }
      const ground = this.#ground.find(({ test }) => test(properties));
      if (ground) {
        const { apn = null } = this.#uncounted(properties, true);
        const own = row.unread?.ground ?? row.geometry;
        await this.rejects.setAside(ground.kind, apn, own ?? this.#joins.shape(properties)?.geometry ?? null);
        return null;
      }
      this.#joins.count();
      const filled = this.#normalise(properties);
      values = filled;
      const key = layer.kind === 'vector' ? layer.joinKey : layer.key.column;
      id = key === null ? null : (values[key] ?? null);
      if (layer.kind === 'table') {
        if (id === null) throw new Misfit(`key ${layer.key.column} is empty`);
        const shape = KEY_SHAPES[layer.key.is];
        if (shape && !shape.test(String(id)))
          throw new Misfit(`key ${layer.key.column}: "${id}" is no ${layer.key.is}`);
        this.measure.row(row.number, values);
        return { number: row.number, objectId: null, properties: values, geometry: null };
      }
      if (row.unread) throw new Misfit(row.unread.reason);
      const geometry = this.#geometryOf(row.geometry, properties, filled);
      if (!row.geometry && this.#isBeyond(geometry)) return null;
      const verdict = judge(geometry, this.#job.layer.geometry ?? layer.geometry, this.#geos!);
      const placed = verdict.kind === 'repaired' ? verdict.geometry : geometry;
      if (placed) this.measure.place(row.number, placed);
      if (verdict.kind !== 'valid') {
        const { reason, readings } = verdict;
        const said = { file, row: row.number, id, reason, ...(readings ? { readings } : {}) };
        if (verdict.kind === 'repaired') await this.rejects.repair(said);
        else {
          this.measure.rejected(row.number, reason);
          await this.rejects.reject(said, { properties: values, geometry, complete: true });
          return null;
        }
      }
      const objectId = this.#isParcels
        ? objectIdOf(row.properties, this.#objectIds ?? objectIdColumns(Object.keys(row.properties)))
        : null;
      this.measure.row(row.number, values);
      for (const { line } of this.#addresses?.rows(values, verdict.geometry).points ?? [])
        if (!isAddressLine(line))
          await this.rejects.unaddress({
            file,
            row: row.number,
            id,
            reason: `${JSON.stringify(line)} names no street`,
          });
      return { number: row.number, objectId, properties: values, geometry: verdict.geometry };
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      this.measure.rejected(row.number, error.message);
      const rest = { properties: values ?? this.#uncounted(properties, true), complete: values !== null };
      const geometry = row.unread?.ground ?? row.geometry;
      await this.rejects.reject({ file, row: row.number, id, reason: error.message }, { ...rest, geometry });
      return null;
    }
  }

  /** Returns the row's own geometry, else that of a joined row. A point that stands for a polygon is marked as such. @throws Misfit */
  #geometryOf(own: Geometry | null, properties: Properties, values: Record<string, Value>): Geometry | null {
    if (own && !this.#points) return own;
    const given = own ? this.#points!.make(own) : this.#joins.shape(properties);
    const placement = this.#layer.kind === 'vector' ? this.#layer.placement : undefined;
    if (given?.inside && placement) values[placement.column] = placement.inside;
    return given?.geometry ?? null;
  }

  async close(): Promise<void> {
    await this.#source.close();
  }
}
