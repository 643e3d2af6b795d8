import { openBytes } from '../byte-cursor.ts';
import { isUtf32, wideEncoding } from '../text/wide-text.ts';

/** Bytes at the beginning of a file that tell its format. */
const HEAD_BYTES = 8192;

/** A format that the beginning of a file shows. */
export interface Signature {
  /** Its name with an article, for messages: `an HTML page`. */
  readonly title: string;
  /** Name of the reader; null when it is not read. */
  readonly reader: string | null;
  /** Of a format that is not read: what to do, as a sentence without a point. */
  readonly cure: string;
}

type Rule = readonly [test: RegExp | ((head: Buffer) => boolean), title: string, readerOrCure: string];

const begins =
  (text: string, at = 0) =>
  (head: Buffer): boolean =>
    head.subarray(at, at + text.length).toString('latin1') === text;

const convert = (format: string) => `convert it with "ogr2ogr -f GPKG layer.gpkg FILE" ${format}`.trim();
const RASTER =
  'it is an image and no layer of rows; for a grid, convert it with "gdal_translate -of GTiff FILE grid.tif"';
const UNPACK = 'unpack it and take the files in it, or pack them as .zip or .tar.gz';
const AGAIN = 'fetch the file again';
const TILES = 'it holds tiles, whose shapes are cut and simplified; take the data that they were made from';

const RECORD_SEPARATOR = 0x1e;

/** Mark of a SQLite database that is MBTiles: its number, or, where a writer gave none, the names of its first tables. */
const isTiles = (head: Buffer): boolean => {
  const text = head.toString('latin1');
  return (
    begins('MPBX', 68)(head) || (/\btile_data\b/.test(text) && /\bzoom_level\b/.test(text) && !text.includes('gpkg_'))
  );
};

/** Formats that are told by their first bytes. */
const BINARY: readonly Rule[] = [
  [isUtf32, 'text in UTF-32', 'write it as UTF-8: iconv -f UTF-32 -t UTF-8 FILE'],
  [head => head[0] === RECORD_SEPARATOR, 'a sequence of GeoJSON features', '> geojsonseq'],
  [
    head => begins('PK\x03\x04')(head) && /\[Content_Types\]\.xml|xl\//.test(head.toString('latin1')),
    'an XLSX workbook',
    '> xlsx',
  ],
  [begins('PK\x03\x04'), 'a zip archive', '> archive'],
  [begins('PK\x05\x06'), 'an empty zip archive', AGAIN],
  [begins('\x1f\x8b'), 'compressed with gzip', 'rename it so that its name ends in .gz'],
  [begins('ustar', 257), 'a tar archive', '> archive'],
  [begins('\x00\x00\x27\x0a'), 'a shapefile', '> shapefile'],
  [begins('fgb'), 'FlatGeobuf', '> flatgeobuf'],
  [begins('PAR1'), 'Parquet', '> geoparquet'],
  [begins('ARROW1'), 'Arrow IPC (Feather)', 'write it as Parquet'],
  [head => begins('SQLite format 3')(head) && begins('GPKG', 68)(head), 'a GeoPackage', '> geopackage'],
  [head => begins('SQLite format 3')(head) && isTiles(head), 'MBTiles', TILES],
  [begins('SQLite format 3'), 'a SQLite database', '> sqlite'],
  [begins('II*\0'), 'a TIFF image', '> geotiff'],
  [begins('MM\0*'), 'a TIFF image', '> geotiff'],
  [begins('II+\0'), 'a BigTIFF image', '> geotiff'],
  [begins('MM\0+'), 'a BigTIFF image', '> geotiff'],
  [begins('PMTiles'), 'PMTiles', TILES],
  [head => head.subarray(0, 64).includes('OSMHeader'), 'an extract of OpenStreetMap', '> osmpbf'],
  [
    begins('%PDF'),
    'a PDF document',
    'ask the publisher for the data behind the map: a shapefile, a geodatabase or CSV',
  ],
  [head => /^AC10\d\d/.test(head.toString('latin1', 0, 6)), 'an AutoCAD drawing (DWG)', 'save it as DXF'],
  [begins('AutoCAD Binary DXF'), 'binary AutoCAD DXF', '> dxf'],
  [begins('LASF'), 'a LAS or LAZ point cloud', 'make a raster of heights of it, for example with PDAL'],
  [begins('Standard Jet DB', 4), 'a Microsoft Access database', convert('on a machine with Access or mdbtools')],
  [begins('Standard ACE DB', 4), 'a Microsoft Access database', convert('on a machine with Access or mdbtools')],
  [begins('CDF'), 'netCDF', 'convert a grid with "gdal_translate -of GTiff FILE grid.tif", a table with "ncdump"'],
  [begins('\x89HDF'), 'HDF5 or netCDF-4', 'convert a grid with "gdal_translate -of GTiff FILE grid.tif"'],
  [
    begins('\xd0\xcf\x11\xe0'),
    'an old Office or ArcMap file (.xls, .doc, .mxd, .lyr)',
    'save a sheet as XLSX or CSV; a map or layer file holds no rows',
  ],
  [begins('Rar!'), 'a RAR archive', UNPACK],
  [begins('7z\xbc\xaf'), 'a 7-Zip archive', UNPACK],
  [begins('BZh'), 'compressed with bzip2', UNPACK],
  [begins('\xfd7zXZ'), 'compressed with xz', UNPACK],
  [begins('\x28\xb5\x2f\xfd'), 'compressed with Zstandard', UNPACK],
  [begins('\x89PNG'), 'a PNG image', RASTER],
  [begins('\xff\xd8\xff'), 'a JPEG image', RASTER],
  [begins('GIF8'), 'a GIF image', RASTER],
  [begins('msid'), 'a MrSID image', RASTER],
  [begins('\0\0\0\x0cjP'), 'a JPEG 2000 image', RASTER],
  [begins('\x08\x09\xfe'), 'MicroStation DGN 7', '> dgn'],
];

/** Formats that are told by their first characters, blanks and comments left out. */
const TEXT: readonly Rule[] = [
  [
    /^<VRTDataset/,
    'a virtual raster (VRT)',
    'it names other files, which nothing here follows; write it as one with "gdal_translate FILE.vrt grid.tif"',
  ],
  [
    /^<OGRVRT/,
    'a virtual dataset (VRT)',
    'it names other files, which nothing here follows; convert it with "ogr2ogr -f GPKG layer.gpkg FILE.vrt"',
  ],
  [
    /^<(GDAL_WMS|WMS_Tile|OGRWFS|WCS_GDAL|GDAL_WMTS|OGCAPI)/i,
    'the description of a web service',
    `it names a server, which nothing here asks; ${convert('')}`,
  ],
  [
    /^(<!doctype html|<html)/i,
    'an HTML page',
    'the server sent a page instead of the file; open the address in a browser to see why',
  ],
  [/^<(\w+:)?(ServiceException|ExceptionReport)/, 'an error message of a map server', AGAIN],
  [/^<Error>/, 'an error message of a server', AGAIN],
  [/^\{\s*"error"\s*:/, 'an error message of a server', AGAIN],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS', 'fetch the file itself with "git lfs pull"'],
  [
    /^(<!DOCTYPE qgis|<qgis|<ArcGISProject|\{\s*"type"\s*:\s*"CIM)/i,
    'a map project or layer file',
    'it holds no rows; take the files that it names',
  ],
  [
    /^<(\w+:)?(metadata|MD_Metadata|MI_Metadata)\b/,
    'a description of the data',
    'take the data itself, which it describes',
  ],
  [
    /^\{\s*"currentVersion"/,
    'the description of an ArcGIS service',
    'download its rows with a query, as GeoJSON or Esri JSON',
  ],
  [/^<(\w+:)?kml\b/, 'KML', '> kml'],
  [/^<(\w+:)?gpx\b/, 'GPX', '> gpx'],
  [/^<osm(Change)?\b/, 'OpenStreetMap XML', '> osmxml'],
  [/^<(rss|feed)\b/, 'GeoRSS', '> georss'],
  [/^<mapml/i, 'MapML', '> mapml'],
  [/^<JCSDataFile/, 'OpenJUMP JML', '> jml'],
  [/^<svg\b/, 'an SVG drawing', 'it holds no coordinates of the earth'],
  [/^<[^>]*(opengis\.net\/(gml|wfs)|FeatureCollection)/, 'GML', '> gml'],
  [/^!table/i, 'a MapInfo table', '> mapinfo'],
  [/^version\s+\d+\s*\r?\n\s*(charset|delimiter|coordsys|columns|unique|index|transform)/i, 'MapInfo MIF', '> mapinfo'],
  [/^0\s*\r?\n\s*SECTION/, 'AutoCAD DXF', '> dxf'],
  [/^EXP\s+\d/, 'Arc/Info E00', '> e00'],
  [/^# ?@VGMT/, 'GMT', '> gmt'],
  [/^\d{5}[123]L/, 'an ISO 8211 file (S-57 or SDTS)', '> s57'],
  [
    /^(-- (PostgreSQL|MySQL)|SET \w+ ?[=T]|(CREATE|DROP) (TABLE|SCHEMA)|BEGIN;)/i,
    'an SQL dump',
    'load it into a database and convert its tables with "ogr2ogr -f GPKG"',
  ],
];

/** Formats of JSON. */
const JSON_RULES: readonly Rule[] = [
  [/^\[\s*\[/, 'a JSON table', '> jsontable'],
  [/^\[\s*\{/, 'a JSON list of objects', 'save it as CSV, or as GeoJSON'],
  [/"type"\s*:\s*"Topology"/, 'TopoJSON', '> topojson'],
  [/"conformsTo"\s*:\s*\[[^\]]*json-fg/, 'JSON-FG', '> jsonfg'],
  [
    /"geometryType"\s*:\s*"esri|"spatialReference"\s*:\s*\{\s*"(wkid|wkt|latestWkid)"|"type"\s*:\s*"esriFieldType/,
    'Esri JSON',
    '> esrijson',
  ],
  [/^\{\s*"type"\s*:\s*"Feature"[\s\S]*?\}\s*\{\s*"type"\s*:\s*"Feature"/, 'line-delimited GeoJSON', '> geojsonseq'],
  [
    /"type"\s*:\s*"(FeatureCollection|Feature|(Multi)?(Point|LineString|Polygon)|GeometryCollection)"/,
    'GeoJSON',
    '> geojson',
  ],
];

const signatureBy = (rules: readonly Rule[], fits: (test: Rule[0]) => boolean): Signature | null => {
  const rule = rules.find(([test]) => fits(test));
  if (!rule) return null;
  const [, title, said] = rule;
  return said.startsWith('> ') ? { title, reader: said.slice(2), cure: '' } : { title, reader: null, cure: said };
};

/** Returns the format that the first bytes of a file show; null when they show none. */
export function signatureOf(head: Buffer): Signature | null {
  const binary = signatureBy(BINARY, test => typeof test === 'function' && test(head));
  if (binary) return binary;
  const wide = wideEncoding(head);
  const text = (wide ? new TextDecoder(wide).decode(head) : head.toString('utf8')).replace(/^\uFEFF/, '').trimStart();
  const bare = text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/^(\s*<!--[\s\S]*?-->)+\s*/, '');
  const isJson = /^[{[]/.test(text);
  const seen = signatureBy(
    isJson ? [...TEXT.filter(([, , cure]) => !cure.startsWith('>')), ...JSON_RULES] : TEXT,
    test => (test as RegExp).test(isJson ? text : bare),
  );
  // Readers of XML decode it; what scans JSON looks at single bytes.
  if (!wide || !isJson || !seen?.reader) return seen;
  return {
    title: `${seen.title} in ${wide.toUpperCase()}`,
    reader: null,
    cure: `write it as UTF-8: iconv -f ${wide.toUpperCase()} -t UTF-8 FILE`,
  };
}

/** Returns the first bytes of a file, unpacked when its name ends in `.gz`; fewer when it ends earlier. @throws as openBytes. */
export async function headOf(path: string): Promise<Buffer> {
  const stream = openBytes(path);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}
