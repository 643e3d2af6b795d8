import { inflateSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { ByteCursor, openBytes, readFailure } from './byte-cursor.ts';
import { limitBytes, limitPassed, readLimits } from './read-limits.ts';
import { ReadError } from './reader.ts';

/** Limit of the format (wiki.openstreetmap.org/wiki/PBF_Format). A larger number is not a length. */
const LARGEST_HEADER = 64 * 1024;
/** Features that a file may require of its reader. The order of elements makes no difference here. */
const SUPPORTED_FEATURES = ['OsmSchema-V0.6', 'DenseNodes'];
const NANODEGREE = 1e-9;

export type Tags = Readonly<Record<string, string>>;

/** Functions called for the elements of a file. A kind without a function is not decoded. Coordinates are lng,lat WGS 84. */
interface OsmVisitor {
  node?(id: number, lng: number, lat: number, tags: () => Tags | null): void;
  way?(id: number, tags: () => Tags, refs: () => number[]): void;
  relation?(id: number, tags: () => Tags, members: () => OsmMember[]): void;
}

export interface OsmMember {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
  readonly role: string;
}

const MEMBER_TYPES = ['node', 'way', 'relation'] as const;
const NO_TAGS = () => null;
const utf8 = new TextDecoder();

/** Turns differences into running sums in place: ids, references and coordinates are stored as differences. */
function undelta(values: number[]): number[] {
  for (let i = 1; i < values.length; i++) values[i]! += values[i - 1]!;
  return values;
}

/** Strings of a block; each is decoded when it is requested. */
class Strings {
  readonly #block: Uint8Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #texts: string[] = [];

  /** @throws ReadError limit_passed when there are too many; writers put 8,000 elements into a block. */
  constructor(pbf: PbfReader, end: number, block: Uint8Array, path: string) {
    this.#block = block;
    const { cells } = readLimits();
    while (pbf.nextField(end) !== 0)
      if (pbf.type === 2) {
        if (this.#starts.length === cells) throw limitPassed('cells', path, null, 'the number of texts of a block');
        const last = pbf.readVarint() + pbf.pos;
        this.#starts.push(pbf.pos);
        this.#ends.push(last);
        pbf.pos = last;
      } else pbf.skip(pbf.type);
  }

  at(index: number): string {
    this.#texts[index] ??= utf8.decode(this.#block.subarray(this.#starts[index], this.#ends[index]));
    return this.#texts[index]!;
  }

  tags(keys: readonly number[], values: readonly number[]): Tags {
    const tags: Record<string, string> = {};
    for (const [i, key] of keys.entries()) tags[this.at(key)] = this.at(values[i]!);
    return tags;
  }
}

/** Scale and offset of the coordinates of a block. */
interface Frame {
  readonly granularity: number;
  readonly lat: number;
  readonly lng: number;
}

/** The values of an element by field number. Node, Way and Relation use the same numbers for the same meaning. */
interface Element {
  id: number;
  keys: number[];
  values: number[];
  /** Field 8: latitude of a node, references of a way, roles of a relation. */
  eight: number[];
  /** Field 9: longitude of a node, members of a relation. */
  nine: number[];
  /** Field 10: member types. */
  ten: number[];
}

type Kind = 'node' | 'way' | 'relation';

function element(pbf: PbfReader, end: number, kind: Kind): Element {
  const found: Element = { id: 0, keys: [], values: [], eight: [], nine: [], ten: [] };
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) found.id = kind === 'node' ? pbf.readSVarint() : pbf.readVarint(true);
    else if (field === 2) pbf.readPackedVarint(found.keys);
    else if (field === 3) pbf.readPackedVarint(found.values);
    else if (field === 8 && kind === 'relation') pbf.readPackedVarint(found.eight);
    else if (field === 8 && kind === 'way') pbf.readPackedSVarint(found.eight);
    else if (field === 8) found.eight.push(pbf.readSVarint());
    else if (field === 9 && kind === 'relation') pbf.readPackedSVarint(found.nine);
    else if (field === 9 && kind === 'node') found.nine.push(pbf.readSVarint());
    else if (field === 10 && kind === 'relation') pbf.readPackedVarint(found.ten);
    else pbf.skip(pbf.type);
  }
  return found;
}

function denseNodes(pbf: PbfReader, end: number, strings: Strings, frame: Frame, visit: OsmVisitor['node']): void {
  const ids: number[] = [];
  const lats: number[] = [];
  const lngs: number[] = [];
  const words: number[] = [];
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    if (field === 1) pbf.readPackedSVarint(ids);
    else if (field === 8) pbf.readPackedSVarint(lats);
    else if (field === 9) pbf.readPackedSVarint(lngs);
    else if (field === 10) pbf.readPackedVarint(words);
    else pbf.skip(pbf.type);
  }
  if (ids.length !== lats.length || ids.length !== lngs.length) throw new RangeError('nodes and coordinates differ');
  undelta(ids);
  undelta(lats);
  undelta(lngs);
  // One list holds keys and values of all nodes; a zero ends those of each node.
  let at = 0;
  for (const [i, id] of ids.entries()) {
    const start = at;
    while (at < words.length && words[at] !== 0) at += 2;
    const end = at++;
    const tags =
      end > start
        ? () => {
            const own: Record<string, string> = {};
            for (let k = start; k < end; k += 2) own[strings.at(words[k]!)] = strings.at(words[k + 1]!);
            return own;
          }
        : NO_TAGS;
    const lng = NANODEGREE * (frame.lng + frame.granularity * lngs[i]!);
    visit!(id, lng, NANODEGREE * (frame.lat + frame.granularity * lats[i]!), tags);
  }
}

function group(pbf: PbfReader, end: number, strings: Strings, frame: Frame, visitor: OsmVisitor): void {
  for (let field = pbf.nextField(end); field !== 0; field = pbf.nextField(end)) {
    const kind = field === 1 || field === 2 ? 'node' : field === 3 ? 'way' : field === 4 ? 'relation' : null;
    if (kind === null || !visitor[kind]) {
      pbf.skip(pbf.type);
      continue;
    }
    const last = pbf.readVarint() + pbf.pos;
    if (field === 2) {
      denseNodes(pbf, last, strings, frame, visitor.node);
      continue;
    }
    const found = element(pbf, last, kind);
    const tags = () => strings.tags(found.keys, found.values);
    if (kind === 'node') {
      const lng = NANODEGREE * (frame.lng + frame.granularity * found.nine[0]!);
      const lat = NANODEGREE * (frame.lat + frame.granularity * found.eight[0]!);
      visitor.node!(found.id, lng, lat, tags);
    } else if (kind === 'way') visitor.way!(found.id, tags, () => undelta(found.eight));
    else
      visitor.relation!(found.id, tags, () =>
        undelta(found.nine).map((id, i) => ({
          type: MEMBER_TYPES[found.ten[i]!]!,
          id,
          role: strings.at(found.eight[i]!),
        })),
      );
  }
}

function primitiveBlock(bytes: Uint8Array, visitor: OsmVisitor, path: string): void {
  const pbf = new PbfReader(bytes);
  let strings: Strings | null = null;
  const groups: [start: number, end: number][] = [];
  let [granularity, lat, lng] = [100, 0, 0];
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) strings = new Strings(pbf, pbf.readVarint() + pbf.pos, bytes, path);
    else if (field === 2) {
      const end = pbf.readVarint() + pbf.pos;
      groups.push([pbf.pos, end]);
      pbf.pos = end;
    } else if (field === 17) granularity = pbf.readVarint();
    else if (field === 19) lat = pbf.readVarint(true);
    else if (field === 20) lng = pbf.readVarint(true);
    else pbf.skip(pbf.type);
  }
  if (!strings) throw new RangeError('it has no strings');
  // Scale and offset may stand after the groups.
  for (const [start, end] of groups) {
    pbf.pos = start;
    group(pbf, end, strings, { granularity, lat, lng }, visitor);
  }
}

/** @returns the time of the database in the file, seconds since 1970; null if the header does not say. */
function readHeader(bytes: Uint8Array, path: string): number | null {
  const pbf = new PbfReader(bytes);
  let timestamp: number | null = null;
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 32) {
      timestamp = pbf.readVarint(true);
      continue;
    }
    if (field !== 4) {
      pbf.skip(pbf.type);
      continue;
    }
    const feature = pbf.readString();
    if (!SUPPORTED_FEATURES.includes(feature))
      throw new ReadError(
        'format_unsupported',
        path,
        null,
        `requires "${feature}"; known: ${SUPPORTED_FEATURES.join(', ')}`,
      );
  }
  return timestamp;
}

/** Returns the uncompressed content of a Blob message. */
function content(bytes: Uint8Array, path: string): Uint8Array {
  const pbf = new PbfReader(bytes);
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) return pbf.readBytes();
    if (field === 3) return inflateSync(pbf.readBytes(), { maxOutputLength: limitBytes('valueMb') });
    if (field >= 4 && field <= 7)
      throw new ReadError('format_unsupported', path, null, 'is packed with lzma, lz4 or zstd; only zlib is read');
    pbf.skip(pbf.type);
  }
  throw new RangeError('a block without data');
}

/** Reads type and length of a block from its BlobHeader. */
function blobHeader(bytes: Uint8Array): { type: string; size: number } {
  const pbf = new PbfReader(bytes);
  let [type, size] = ['', -1];
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) type = pbf.readString();
    else if (field === 3) size = pbf.readVarint();
    else pbf.skip(pbf.type);
  }
  return { type, size };
}

/**
 * Reads an OpenStreetMap PBF file once, one block in memory at a time.
 * @param visitor null reads the header block alone.
 * @returns the time of the database in the file, seconds since 1970; null if the header does not say.
 * @throws ReadError naming the block that is cut off, damaged or packed with a method that is not supported.
 */
export async function passOverOsm(
  path: string,
  visitor: OsmVisitor | null,
  checkpoint = () => {},
): Promise<number | null> {
  const cursor = new ByteCursor(openBytes(path), path);
  let block = 0;
  let timestamp: number | null = null;
  const truncated = () =>
    new ReadError('file_truncated', path, null, `ends inside block ${block}; fetch the file again`);
  try {
    while (await cursor.fill(1)) {
      block++;
      if (!(await cursor.fill(4))) throw truncated();
      const length = cursor.buffer.readUInt32BE(cursor.at);
      if (length === 0 || length > LARGEST_HEADER)
        throw new ReadError(
          'file_corrupt',
          path,
          null,
          `block ${block} has a header of ${length} bytes; is it OSM PBF?`,
        );
      if (!(await cursor.fill(4 + length))) throw truncated();
      const { type, size } = blobHeader(cursor.buffer.subarray(cursor.at + 4, cursor.at + 4 + length));
      if (size < 0 || (block === 1 && type !== 'OSMHeader'))
        throw new ReadError('file_corrupt', path, null, `block ${block} is "${type}" of ${size} bytes; is it OSM PBF?`);
      if (size > limitBytes('valueMb')) throw limitPassed('valueMb', path, null, `block ${block} of ${size} bytes`);
      cursor.at += 4 + length;
      if (!(await cursor.fill(size))) throw truncated();
      const bytes = cursor.buffer.subarray(cursor.at, cursor.at + size);
      if (type === 'OSMHeader') timestamp = readHeader(content(bytes, path), path);
      else if (type === 'OSMData' && visitor) primitiveBlock(content(bytes, path), visitor, path);
      cursor.at += size;
      if (!visitor) break;
      checkpoint();
    }
    return timestamp;
  } catch (error) {
    if (error instanceof ReadError) throw error;
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw limitPassed('valueMb', path, null, `what block ${block} unpacks to`);
    if (
      error instanceof RangeError ||
      error instanceof TypeError ||
      (error as { code?: string }).code?.startsWith('Z_')
    )
      throw new ReadError('file_corrupt', path, null, `block ${block} cannot be decoded (${(error as Error).message})`);
    throw readFailure(error, path, null);
  } finally {
    cursor.close();
  }
}
