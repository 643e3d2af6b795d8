/** Protocols by which publishers offer their files. Each has a reader in ingest/acquire/. */
export const PROTOCOLS = [
  'http',
  'parts',
  'ftp',
  'arcgis',
  'socrata',
  'ckan',
  'ogc',
  'soil',
  'image',
  'wcs',
  'parquet',
  'pages',
  'fcc',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];
