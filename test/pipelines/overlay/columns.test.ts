import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type ColumnSpec, ColumnWriter } from '../../../pipelines/overlay/columns.ts';
import type { Reason } from '../../../query/parcel/reason.ts';
import { connectDuckdb } from '../../../query/release/duckdb.ts';

const FIELDS = 100;
const BLOCK_ROWS = 2048;

const folder = mkdtempSync(join(tmpdir(), 'plat-columns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an overlay of a hundred fields is written in order, more rows than wait in memory', async () => {
  const [path, rows] = [join(folder, 'columns.parquet'), 23_000];
  const names = Array.from({ length: FIELDS }, (_, i) => `field_${i}`);
  const specs = names.flatMap((name): ColumnSpec[] => [
    { name, type: 'number' },
    { name: `${name}:code`, type: 'codes' },
    { name: `${name}:area`, type: 'area' },
  ]);
  const writer = await ColumnWriter.create(path, specs);
  try {
    for (let first = 0; first < rows; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - first);
      const values = Array.from({ length: count }, (_, i) => (first + i) / 8);
      const codes = Array.from({ length: count }, (_, i) => (first + i) % 3);
      const areas = Array.from({ length: count }, (_, i) => first + i);
      await writer.add(
        names.flatMap(() => [values, codes, areas]),
        count,
      );
    }
    const ok: Reason = { status: 'ok', notes: [], confidence: 'high', source: null, sourceUrl: null, vintage: null };
    const reasons = new Map(names.map(name => [name, [ok]]));
    expect(await writer.finish(reasons, '2026-01-01T00:00:00.000Z')).toBe(rows);
  } finally {
    writer.close();
  }
  const read = await (await connectDuckdb()).runAndReadAll(
    `SELECT count(*), bool_and(ord = file_row_number), bool_and(field_0 = ord / 8), bool_and("field_99:code" = ord % 3),
       bool_and("field_50:area" = ord), typeof(any_value("field_1:code")) FROM read_parquet($path, file_row_number = true)`,
    { path },
  );
  expect(read.getRowsJS()).toEqual([[BigInt(rows), true, true, true, true, 'UTINYINT']]);
});
