import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type DbfColumn, dbfHeader, dbfRecord } from './dbf.ts';
import { type Feature, type Position, polygonsOf, type Ring, type Shape, signedArea } from './feature.ts';
import { FileSink, patchFile } from './sink.ts';

/** ESRI shape types. */
const SHAPE = { point: 1, line: 3, polygon: 5 } as const;

/** No part of a shapefile may be larger: readers hold offsets in 31 bits. */
const MOST_BYTES = 2 ** 31 - 1;

/** What a zipped shapefile of the area is made of. */
export interface ShapefileOptions {
  readonly geometry: keyof typeof SHAPE;
  readonly columns: readonly DbfColumn[];
  /** Text of the .prj. */
  readonly prj: string;
  /** From lng,lat to the coordinates of the file; the identity for NAD83 degrees. */
  readonly project?: (position: Position) => Position;
}

/** Rings as the format wants them: shells clockwise, holes counter-clockwise. */
function wound(polygons: readonly (readonly Ring[])[]): Ring[] {
  return polygons.flatMap(rings =>
    rings.map((ring, i) => (signedArea(ring) > 0 === (i === 0) ? [...ring].reverse() : ring)),
  );
}

function partsOf(shape: Shape): readonly (readonly Position[])[] {
  if (shape.type === 'LineString') return [shape.coordinates];
  if (shape.type === 'MultiLineString') return shape.coordinates;
  return wound(polygonsOf(shape));
}

class Bounds {
  readonly box = [Infinity, Infinity, -Infinity, -Infinity];
  add([x, y]: Position): void {
    const { box } = this;
    if (x < box[0]!) box[0] = x;
    if (y < box[1]!) box[1] = y;
    if (x > box[2]!) box[2] = x;
    if (y > box[3]!) box[3] = y;
  }
}

/** Content of one .shp record (ESRI Shapefile Technical Description, 1998, pp. 6-9). */
function content(type: number, shape: Shape, project: (p: Position) => Position, bounds: Bounds): Buffer {
  if (shape.type === 'Point') {
    const point = project(shape.coordinates);
    bounds.add(point);
    const out = Buffer.alloc(20);
    out.writeInt32LE(type, 0);
    out.writeDoubleLE(point[0], 4);
    out.writeDoubleLE(point[1], 12);
    return out;
  }
  const parts = partsOf(shape);
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  const out = Buffer.alloc(44 + 4 * parts.length + 16 * count);
  out.writeInt32LE(type, 0);
  out.writeInt32LE(parts.length, 36);
  out.writeInt32LE(count, 40);
  const own = new Bounds();
  let vertex = 0;
  let at = 44 + 4 * parts.length;
  for (const [i, part] of parts.entries()) {
    out.writeInt32LE(vertex, 44 + 4 * i);
    vertex += part.length;
    for (const position of part) {
      const point = project(position);
      own.add(point);
      out.writeDoubleLE(point[0], at);
      out.writeDoubleLE(point[1], at + 8);
      at += 16;
    }
  }
  for (const [i, edge] of own.box.entries()) out.writeDoubleLE(edge, 4 + 8 * i);
  bounds.add([own.box[0]!, own.box[1]!]);
  bounds.add([own.box[2]!, own.box[3]!]);
  return out;
}

function header(type: number, bytes: number, bounds: Bounds): Buffer {
  const out = Buffer.alloc(100);
  out.writeInt32BE(9994, 0);
  out.writeInt32BE(bytes / 2, 24);
  out.writeInt32LE(1000, 28);
  out.writeInt32LE(type, 32);
  for (const [i, edge] of bounds.box.entries()) out.writeDoubleLE(Number.isFinite(edge) ? edge : 0, 36 + 8 * i);
  return out;
}

/**
 * Writes a zipped shapefile (.shp, .shx, .dbf, .prj, .cpg), one feature in memory at a time. Stamps inside the zip are
 * fixed, so the same features give the same bytes.
 * @returns the number of features.
 * @throws RangeError when a value does not fit its column, or the rows do not fit a shapefile.
 */
export async function writeShapefile(
  path: string,
  features: Iterable<Feature>,
  options: ShapefileOptions,
): Promise<number> {
  const name = basename(path).replace(/(\.shp)?\.zip$/, '');
  const folder = await mkdtemp(join(dirname(path), '.shapefile-'));
  const file = (ending: string) => join(folder, name + ending);
  const type = SHAPE[options.geometry];
  const project = options.project ?? ((p: Position) => p);
  try {
    const [shp, shx, dbf] = await Promise.all(['.shp', '.shx', '.dbf'].map(ending => FileSink.open(file(ending))));
    const bounds = new Bounds();
    let rows = 0;
    let offset = 100;
    await Promise.all([shp!.write(Buffer.alloc(100)), shx!.write(Buffer.alloc(100))]);
    await dbf!.write(dbfHeader(options.columns, 0));
    for (const feature of features) {
      rows++;
      const record = content(type, feature.geometry, project, bounds);
      const lead = Buffer.alloc(8);
      lead.writeInt32BE(rows, 0);
      lead.writeInt32BE(record.length / 2, 4);
      const index = Buffer.alloc(8);
      index.writeInt32BE(offset / 2, 0);
      index.writeInt32BE(record.length / 2, 4);
      offset += 8 + record.length;
      if (Math.max(offset, dbf!.offset) > MOST_BYTES)
        throw new RangeError(`${path}: more than 2 GB at row ${rows}, which no shapefile may have; make fewer parcels`);
      await shp!.write(lead);
      await shp!.write(record);
      await shx!.write(index);
      await dbf!.write(dbfRecord(options.columns, feature.properties));
    }
    await dbf!.write(Buffer.from([0x1a]));
    await Promise.all([shp, shx, dbf].map(sink => sink!.close()));
    await patchFile(file('.shp'), header(type, offset, bounds));
    await patchFile(file('.shx'), header(type, 100 + 8 * rows, bounds));
    await patchFile(file('.dbf'), dbfHeader(options.columns, rows));
    await zip(path, name, file, options.prj);
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function zip(path: string, name: string, file: (ending: string) => string, prj: string): Promise<void> {
  // A local time, because zip stamps are local: the bytes are then the same in every time zone.
  const fixed = { mtime: new Date(2026, 0, 1), mode: 0o100644, forceDosTimestamp: true };
  const out = new ZipFile();
  for (const ending of ['.shp', '.shx', '.dbf']) out.addFile(file(ending), name + ending, fixed);
  out.addBuffer(Buffer.from(prj), `${name}.prj`, fixed);
  out.addBuffer(Buffer.from('ISO-8859-1'), `${name}.cpg`, fixed);
  out.end();
  await pipeline(out.outputStream, createWriteStream(path));
}
