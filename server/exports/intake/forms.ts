/** Forms of an upload, by media type. */
export const UPLOAD_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/geo+json': 'geojson',
  'application/geo+json-seq': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
} as const;
export type UploadForm = (typeof UPLOAD_TYPES)[keyof typeof UPLOAD_TYPES];
