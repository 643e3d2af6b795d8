import type { Value } from '../../../datasets/dataset.ts';

/** A dBASE III column: C text or N number, with length and decimals. Names have at most ten characters. */
export interface DbfColumn {
  readonly name: string;
  readonly type: 'C' | 'N';
  readonly length: number;
  readonly decimals: number;
}

/** Text column. */
export function text(name: string, length: number): DbfColumn {
  return { name, type: 'C', length, decimals: 0 };
}

/** Number column; `length` counts sign, digits and point. */
export function number(name: string, length: number, decimals = 0): DbfColumn {
  return { name, type: 'N', length, decimals };
}

/**
 * Header of a .dbf (dBASE III without memo). The stamp is fixed: the same rows give the same bytes.
 * @throws RangeError for a name of more than ten characters.
 */
export function dbfHeader(columns: readonly DbfColumn[], rows: number): Buffer {
  const size = 32 + columns.length * 32 + 1;
  const out = Buffer.alloc(size);
  out[0] = 3;
  out.set([126, 1, 1], 1);
  out.writeUInt32LE(rows, 4);
  out.writeUInt16LE(size, 8);
  out.writeUInt16LE(1 + columns.reduce((sum, c) => sum + c.length, 0), 10);
  for (const [i, column] of columns.entries()) {
    if (column.name.length > 10) throw new RangeError(`DBF column ${column.name}: names have at most ten characters`);
    const at = 32 + i * 32;
    out.write(column.name, at, 'latin1');
    out.write(column.type, at + 11, 'latin1');
    out[at + 16] = column.length;
    out[at + 17] = column.decimals;
  }
  out[size - 1] = 0x0d;
  return out;
}

/**
 * One record of a .dbf, blank where a value is null.
 * @throws RangeError when a value does not fit its column.
 */
export function dbfRecord(columns: readonly DbfColumn[], row: Readonly<Record<string, Value>>): Buffer {
  const cells = columns.map(column => {
    const value = row[column.name] ?? null;
    if (value === null) return ' '.repeat(column.length);
    const plain = typeof value === 'number' ? value.toFixed(column.decimals) : String(value);
    if (Buffer.byteLength(plain, 'latin1') > column.length)
      throw new RangeError(`DBF column ${column.name}: "${plain}" is longer than ${column.length}`);
    return column.type === 'N' ? plain.padStart(column.length) : plain.padEnd(column.length);
  });
  return Buffer.from(` ${cells.join('')}`, 'latin1');
}
