import type { Row, Source } from '../../ingest/reader.ts';

/** Every n-th row of a source, under the number that it has in the file; all of them where n is 1. */
export function thinned(source: Source, every: number): Source {
  if (every <= 1) return source;
  return {
    crs: source.crs,
    columns: source.columns,
    count: null,
    get findings() {
      return source.findings;
    },
    async *rows(signal) {
      const taken = (row: Row) => (row.number - 1) % every === 0;
      for await (const batch of source.rows(signal)) {
        const rows = batch.filter(taken);
        if (rows.length > 0) yield rows;
      }
    },
    close: () => source.close(),
  };
}

/** Rows of a source: as it says, else counted. */
export async function rowsIn(source: Source, signal?: AbortSignal): Promise<number> {
  if (source.count !== null) return source.count;
  let rows = 0;
  for await (const batch of source.rows(signal)) rows += batch.length;
  return rows;
}
