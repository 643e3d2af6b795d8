import type { EnrichField } from '../../datasets/enrich/enrich.ts';
import { memo } from '../../datasets/memo.ts';
import { JsonBytes, utf8 } from '../format/json-bytes.ts';

const CLOSE = utf8('}');
const EMPTY = utf8('{}');

/** Whether the values of a field are lists or objects. */
export const isWhole = ({ type }: EnrichField): boolean => type === 'array' || type === 'object';

/** A value as it is written into records: of a list or an object the JSON text. */
export type RecordValue = string | number | boolean | null;

/** What stands before the value of each field, made once a list. */
const headsOf = memo((fields: readonly EnrichField[]): readonly Uint8Array[] =>
  fields.map(({ name }, i) => utf8(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:{"value":`)),
);

/**
 * Writes the maps of records of parcels, one after another, all of the same fields. Neighbours have most records in
 * common: runs of those are copied from the map before in one piece, and only what differs is written anew.
 */
export class RecordMap {
  /** What stands before each value. */
  readonly #heads: readonly Uint8Array[];
  readonly #whole: readonly boolean[];
  /** The map before, in the memory that it was written into. */
  #before: {
    readonly values: readonly RecordValue[];
    readonly tails: readonly Uint8Array[];
    readonly bytes: Uint8Array;
  } | null = null;
  /** Where each record of the map before ends, and of the one being written. */
  #ends: Int32Array;
  #next: Int32Array;

  constructor(fields: readonly EnrichField[]) {
    this.#heads = headsOf(fields);
    this.#whole = fields.map(isWhole);
    this.#ends = new Int32Array(fields.length);
    this.#next = new Int32Array(fields.length);
  }

  /**
   * Writes one map as a JSON object. What it wrote before has to stay as it is.
   * @param values and what stands behind each (RecordTails), by field. Neither is to be changed afterwards.
   */
  write(values: readonly RecordValue[], tails: readonly Uint8Array[], out: JsonBytes): void {
    const start = out.length;
    const before = this.#before;
    const [heads, whole, ends, next] = [this.#heads, this.#whole, this.#ends, this.#next];
    const count = heads.length;
    /** First record of the run that is as before. */
    let run = 0;
    const copy = (to: number) => {
      if (run === to) return;
      const from = run === 0 ? 0 : ends[run - 1]!;
      const shift = out.length - start - from;
      out.raw(before!.bytes.subarray(from, ends[to - 1]!));
      for (let i = run; i < to; i++) next[i] = ends[i]! + shift;
    };
    for (let i = 0; i < count; i++) {
      if (before !== null && before.values[i] === values[i] && before.tails[i] === tails[i]) continue;
      copy(i);
      run = i + 1;
      out.raw(heads[i]!);
      const value = values[i]!;
      if (whole[i] && value !== null) out.plain(String(value));
      else out.value(value);
      out.raw(tails[i]!);
      next[i] = out.length - start;
    }
    copy(count);
    out.raw(count === 0 ? EMPTY : CLOSE);
    [this.#ends, this.#next] = [next, ends];
    this.#before = { values, tails, bytes: out.written(start) };
  }
}

/** One map alone, in memory of its own. */
export function recordText(
  fields: readonly EnrichField[],
  values: readonly RecordValue[],
  tails: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const out = JsonBytes.take();
  new RecordMap(fields).write(values, tails, out);
  const text = out.written().slice() as Uint8Array<ArrayBuffer>;
  out.release();
  return text;
}
