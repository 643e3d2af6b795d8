import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Partition } from '../../datasets/release.ts';
import { openSource } from '../../ingest/format.ts';

/** A row of a partition: its values, and the hash of its geometry. */
export interface Row {
  readonly values: Readonly<Record<string, unknown>>;
  readonly geometry: string | null;
  /** Number that calculations call it by; of parcels. */
  readonly ord: number;
}

/** Columns that number the rows of one file and say nothing of a row. */
const OF_FILE = new Set(['ord', 'part', 'stack_count']);

/** The rows of a partition in their order; those of a raster are none. @throws ReadError. */
export async function* rowsOf(releases: string, partition: Partition | undefined): AsyncGenerator<Row> {
  const file =
    partition?.files.find(({ role }) => role === 'features') ?? partition?.files.find(({ role }) => role === 'rows');
  if (!file || file.rows === 0) return;
  const source = await openSource(join(releases, file.path), { options: {} });
  try {
    for await (const batch of source.rows())
      for (const { properties, geometry } of batch) {
        const values = Object.fromEntries(Object.entries(properties).filter(([name]) => !OF_FILE.has(name)));
        const xy = geometry?.xy;
        const hash = xy
          ? createHash('sha1')
              .update(new Uint8Array(Float64Array.from(xy).buffer))
              .digest('hex')
              .slice(0, 16)
          : null;
        yield { values, geometry: hash, ord: Number(properties.ord ?? -1) };
      }
  } finally {
    await source.close();
  }
}

/** A row as text, equal for equal rows. */
export const textOf = ({ values, geometry }: Omit<Row, 'ord'>): string =>
  JSON.stringify([Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)), geometry], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
