import type { Protocol } from '../../datasets/protocol.ts';
import { arcgis } from './arcgis/arcgis.ts';
import { csvPages } from './csv-pages.ts';
import { ftp } from './ftp.ts';
import { coverage } from './grid/coverage.ts';
import { imageService } from './grid/image-service.ts';
import { http } from './http.ts';
import { ogcFeatures } from './ogc-features.ts';
import { parquetBucket } from './parquet-bucket.ts';
import { parts } from './parts.ts';
import { ckan } from './portal/ckan.ts';
import { fcc } from './portal/fcc.ts';
import { socrata } from './portal/socrata.ts';
import { soilSurvey } from './soil-survey.ts';
import type { SourceReader } from './source-reader.ts';

/** The reader of each protocol. */
export const READERS: Readonly<Record<Protocol, SourceReader>> = {
  http,
  parts,
  ftp,
  arcgis,
  socrata,
  ckan,
  ogc: ogcFeatures,
  soil: soilSurvey,
  image: imageService,
  wcs: coverage,
  parquet: parquetBucket,
  pages: csvPages,
  fcc,
};
