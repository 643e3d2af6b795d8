import { GEOMETRY_TYPES, type Geometry } from '../../../datasets/geometry.ts';
import type { OutputRow } from '../../../ingest/writer.ts';
import { Scratch } from '../../../ingest/writers/scratch.ts';

/** Position and length of a row in a spool, bytes. */
interface Slot {
  readonly offset: number;
  readonly size: number;
}

/** Bytes before a row's arrays: type, and the lengths of xy, ends and parts. */
const HEAD_BYTES = 16;

/**
 * Stores rows that are written once and read back in any order. The caller keeps the slot of each row. Rows beyond a budget go to
 * disk. A row holds the arrays of its geometry as they are in memory, and its properties as JSON, which keeps values exactly.
 */
export class Spool {
  readonly #scratch: Scratch;
  readonly #head = new Uint32Array(HEAD_BYTES / 4);

  /** @param path of the file in which rows wait that memory has no room for. */
  constructor(path: string) {
    this.#scratch = new Scratch(path);
  }

  /** @param row with a geometry and finite numbers. */
  add({ properties, geometry }: OutputRow & { readonly geometry: Geometry }): Slot {
    const { xy, ends, parts } = geometry;
    const scratch = this.#scratch;
    const offset = scratch.position;
    this.#head.set([GEOMETRY_TYPES.indexOf(geometry.type), xy.length, ends.length, parts.length]);
    for (const array of [this.#head, xy, ends, parts])
      scratch.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    scratch.write(Buffer.from(JSON.stringify(properties)));
    return { offset, size: scratch.position - offset };
  }

  read({ offset, size }: Slot): OutputRow & { readonly geometry: Geometry } {
    // A copy that begins its buffer, so that the arrays are aligned views of it.
    const bytes = new Uint8Array(size);
    bytes.set(this.#scratch.read(offset, size));
    const [type, numbers, lists, polygons] = new Uint32Array(bytes.buffer, 0, 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const ends = HEAD_BYTES + 8 * numbers;
    const parts = ends + 4 * lists;
    const text = parts + 4 * polygons;
    return {
      properties: JSON.parse(Buffer.from(bytes.buffer, text).toString()),
      geometry: {
        type: GEOMETRY_TYPES[type]!,
        xy: new Float64Array(bytes.buffer, HEAD_BYTES, numbers),
        ends: new Uint32Array(bytes.buffer, ends, lists),
        parts: new Uint32Array(bytes.buffer, parts, polygons),
      },
    };
  }

  close(): void {
    this.#scratch.discard();
  }
}
