import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { ScalarType, Value, VectorLayer } from '../../../datasets/dataset.ts';
import { createGeoParquet } from '../../../ingest/writers/geoparquet.ts';

/** Just more than DuckDB's row group. */
const ROWS = 123_500;

function sampleOf(type: ScalarType, row: number, column: number): Value {
  if (type === 'string') return `value ${column} of ${(row * 7919 + column) % 100_003} x`;
  if (type === 'number') return row * 1.37 + column;
  if (type === 'integer') return row + column;
  if (type === 'boolean') return row % 3 === 0;
  return type === 'date' ? '2020-01-02' : '2020-01-02T00:00:00Z';
}

it('parcels with a value in every column fit in the memory of a table', { timeout: 900_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-test-wide-'));
  try {
    const { columns } = layerOf(catalog.datasets, 'parcel_store', 'main') as VectorLayer;
    const writer = await createGeoParquet(join(folder, 'wide.parquet'), {
      name: 'wide',
      columns,
      geometry: true,
      order: 'input',
      durable: false,
    });
    const types = Object.entries(columns).map(([name, { type }]) => [name, type] as const);
    for (let row = 0; row < ROWS; row++) {
      const [x, y] = [-70 + (row % 1000) * 1e-4, 44 + row * 1e-6];
      const properties = Object.fromEntries(types.map(([name, type], column) => [name, sampleOf(type, row, column)]));
      const xy = Float64Array.of(x, y, x + 1e-4, y, x + 1e-4, y + 1e-4, x, y);
      const geometry = { type: 'Polygon', xy, ends: Uint32Array.of(4), parts: Uint32Array.of(1) } as const;
      await writer.write({ properties, geometry });
    }
    expect((await writer.finish()).rows).toBe(ROWS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
