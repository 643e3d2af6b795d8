/** Formats of exports: how their files end, and their media types. */
export const EXPORT_FORMATS = {
  geoparquet: { ending: 'parquet', type: 'application/vnd.apache.parquet' },
  flatgeobuf: { ending: 'fgb', type: 'application/vnd.flatgeobuf' },
  arrow: { ending: 'arrows', type: 'application/vnd.apache.arrow.stream' },
  geojsonseq: { ending: 'geojsons', type: 'application/geo+json-seq' },
  csv: { ending: 'csv', type: 'text/csv; charset=utf-8; header=present' },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** File with whom every column is cited from, and under which licence. */
export const SIDECAR = 'citations.json';
