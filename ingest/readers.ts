import type { Reader } from './reader.ts';
import { reader as asciigrid } from './readers/asciigrid.ts';
import { reader as csv, zippedReader as zippedCsv } from './readers/csv.ts';
import { reader as dbf } from './readers/dbf.ts';
import { reader as esrijson } from './readers/esrijson.ts';
import { reader as filegdb } from './readers/filegdb.ts';
import { reader as flatgeobuf } from './readers/flatgeobuf.ts';
import { gdalReaders } from './readers/gdal.ts';
import { reader as geojson } from './readers/geojson.ts';
import { reader as geojsonseq } from './readers/geojsonseq.ts';
import { reader as geopackage } from './readers/geopackage.ts';
import { reader as geoparquet } from './readers/geoparquet.ts';
import { reader as geotiff } from './readers/geotiff.ts';
import { reader as jsontable } from './readers/jsontable.ts';
import { reader as kml } from './readers/kml.ts';
import { reader as osmpbf } from './readers/osmpbf.ts';
import { reader as shapefile } from './readers/shapefile.ts';
import { reader as topojson } from './readers/topojson.ts';
import { reader as xlsx } from './readers/xlsx.ts';

/** Every format that can be read. */
export const READERS: readonly Reader[] = [
  shapefile,
  geojson,
  geojsonseq,
  topojson,
  esrijson,
  csv,
  zippedCsv,
  dbf,
  xlsx,
  jsontable,
  geotiff,
  asciigrid,
  flatgeobuf,
  geoparquet,
  geopackage,
  filegdb,
  osmpbf,
  kml,
  ...gdalReaders,
];
