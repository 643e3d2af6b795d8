import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import { boxOf } from '../../../datasets/geometry.ts';
import { FeatureEncoder } from '../../../query/format/feature-encoder.ts';
import { encodeHeader, MAGIC } from '../../../query/format/feature-header.ts';
import { writePackedRTree } from '../../../query/format/packed-rtree.ts';
import { hilbertOf } from '../../../query/geometry/hilbert.ts';
import type { ColumnKind } from '../../formats/format.ts';
import { type ExportTable, remarksText, type TableWriter, valueIn } from './writer.ts';

/** Children of a node of the index: FlatGeobuf's default. */
const NODE_SIZE = 16;
/** Bytes that are written at once. */
const BUFFER_BYTES = 1 << 20;

const TYPES = { text: 'string', number: 'number', integer: 'integer', boolean: 'boolean' } as const satisfies Record<
  ColumnKind,
  ScalarType
>;

/** A file that is written in large pieces. */
class Sink {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #fill = 0;
  position = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600);
  }

  put(bytes: Uint8Array): void {
    this.position += bytes.length;
    if (this.#fill + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) writeSync(this.#file, bytes);
    else {
      this.#buffer.set(bytes, this.#fill);
      this.#fill += bytes.length;
    }
  }

  end(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#fill > 0) writeSync(this.#file, this.#buffer, 0, this.#fill);
    this.#fill = 0;
  }
}

/**
 * FlatGeobuf with a packed Hilbert R-tree. Features wait in a file beside it until their order is known. Rows without a place
 * have none in the index, and are left out.
 */
export function flatgeobufWriter(path: string, table: ExportTable): TableWriter {
  const { columns, placed } = table;
  const encoder = new FeatureEncoder(columns.map(({ name, kind }, i) => [name, TYPES[kind], i]));
  const spool = `${path}.spool`;
  const features = new Sink(spool);
  const boxes = new Float64Array(placed * 4);
  const ranks = new Float64Array(placed);
  const starts = new Float64Array(placed);
  const sizes = new Uint32Array(placed);
  // One object for all rows: to make one of twenty names takes longer than to encode it.
  const properties: Record<string, Value> = {};
  let count = 0;
  return {
    write({ count: rows, values, geometries }) {
      const lists = columns.map(({ name, kind }) => [name, kind, values.get(name)!] as const);
      for (let row = 0; row < rows; row++) {
        const geometry = geometries[row];
        if (!geometry) continue;
        for (const [name, kind, list] of lists) properties[name] = valueIn(kind, list[row]) as Value;
        const bytes = encoder.encode(properties, geometry);
        const box = boxOf(geometry);
        boxes.set(box, count * 4);
        ranks[count] = hilbertOf((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
        starts[count] = features.position;
        sizes[count++] = bytes.length;
        features.put(bytes);
      }
    },
    finish() {
      features.end();
      const out = new Sink(path);
      const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => ranks[a]! - ranks[b]! || a - b);
      const described = Object.fromEntries(
        columns.map(({ name, kind, unit }) => [name, { type: TYPES[kind], ...(unit ? { unit } : {}) }]),
      );
      out.put(MAGIC);
      out.put(
        encodeHeader(
          { name: 'export', columns: described, metadata: remarksText(table) },
          {
            geometryType: table.types.length === 1 ? GeometryType[table.types[0]!] : GeometryType.Unknown,
            count,
            box: table.box,
            nodeSize: count ? NODE_SIZE : 0,
          },
        ),
      );
      if (count)
        writePackedRTree(
          count,
          NODE_SIZE,
          boxes,
          feature => order[feature]! * 4,
          feature => sizes[order[feature]!]!,
          node => out.put(node),
        );
      const from = openSync(spool, 'r');
      for (const feature of order) {
        const bytes = Buffer.allocUnsafe(sizes[feature]!);
        readSync(from, bytes, 0, bytes.length, starts[feature]!);
        out.put(bytes);
      }
      closeSync(from);
      out.end();
      rmSync(spool);
    },
  };
}
