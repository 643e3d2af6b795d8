/** A format that GDAL reads here because no reader of ours does. */
export interface GdalFormat {
  /** Name of its reader, for `format` in a place file. */
  readonly reader: string;
  /** GDAL's short name of the driver. */
  readonly driver: string;
  /** Name for messages. */
  readonly title: string;
  /** Lower-case endings. Formats without one are told by their content. */
  readonly endings: readonly string[];
  /** Endings of further files of the same stem that belong to the dataset. */
  readonly beside?: readonly string[];
  readonly open?: readonly string[];
}

/** Formats that are read through GDAL. A test compares a file of each with ogr2ogr. */
export const GDAL_FORMATS: readonly GdalFormat[] = [
  {
    reader: 'mapinfo',
    driver: 'MapInfo File',
    title: 'MapInfo TAB or MIF',
    endings: ['.tab', '.mif'],
    beside: ['.dat', '.map', '.id', '.ind', '.mid'],
  },
  {
    reader: 'gml',
    driver: 'GML',
    title: 'GML',
    endings: ['.gml.gz', '.gml'],
    beside: ['.xsd'],
    open: ['DOWNLOAD_SCHEMA=NO'],
  },
  { reader: 'jsonfg', driver: 'JSONFG', title: 'JSON-FG', endings: ['.fg.json', '.jsonfg'] },
  { reader: 'gpx', driver: 'GPX', title: 'GPX', endings: ['.gpx'] },
  { reader: 'dxf', driver: 'DXF', title: 'AutoCAD DXF', endings: ['.dxf'] },
  { reader: 'dgn', driver: 'DGN', title: 'MicroStation DGN 7', endings: ['.dgn'] },
  { reader: 'ods', driver: 'ODS', title: 'OpenDocument spreadsheet', endings: ['.ods'] },
  { reader: 'sqlite', driver: 'SQLite', title: 'SQLite or SpatiaLite', endings: ['.sqlite', '.sqlite3', '.db'] },
  { reader: 'osmxml', driver: 'OSM', title: 'OpenStreetMap XML', endings: ['.osm'] },
  { reader: 's57', driver: 'S57', title: 'S-57 chart', endings: ['.000'] },
  { reader: 'e00', driver: 'AVCE00', title: 'Arc/Info E00', endings: ['.e00'] },
  { reader: 'gmt', driver: 'OGR_GMT', title: 'GMT', endings: ['.gmt'] },
  { reader: 'georss', driver: 'GeoRSS', title: 'GeoRSS', endings: ['.rss', '.georss'] },
  { reader: 'jml', driver: 'JML', title: 'OpenJUMP JML', endings: ['.jml'] },
  { reader: 'mapml', driver: 'MapML', title: 'MapML', endings: ['.mapml'] },
  { reader: 'geoconcept', driver: 'Geoconcept', title: 'Geoconcept', endings: ['.gxt'] },
  { reader: 'selafin', driver: 'Selafin', title: 'Selafin', endings: ['.slf'] },
  { reader: 'vdv', driver: 'VDV', title: 'VDV-451', endings: ['.x10'] },
  { reader: 'wasp', driver: 'WAsP', title: 'WAsP', endings: ['.wasp.map'] },
];

/** A format that GDAL knows and that is not read here. */
interface FormatNotRead {
  /** Short name of the driver of the installed GDAL; null when it has none. */
  readonly driver: string | null;
  /** Its name with an article, for messages. */
  readonly title: string;
  readonly endings: readonly string[];
  /** What to do, as a sentence without a point. */
  readonly cure: string;
}

const TILES = 'its shapes are cut and simplified for display; take the data that the tiles were made from';
const CONVERT = 'convert it with "ogr2ogr -f GPKG layer.gpkg FILE"';
const FOLDER = 'it is a folder of many files; convert it with "ogr2ogr -f GPKG layer.gpkg FOLDER"';
const PLANETS = 'it holds data of planets';

/** Formats that are refused by their name. A test holds that every vector driver of the installed GDAL is here or is read. */
export const NOT_READ: readonly FormatNotRead[] = [
  {
    driver: 'OGR_VRT',
    title: 'a virtual dataset (VRT)',
    endings: ['.vrt', '.ovf'],
    cure: 'it names other files, which nothing here follows; convert it with "ogr2ogr -f GPKG layer.gpkg FILE.vrt", one of rasters with "gdal_translate FILE.vrt grid.tif"',
  },
  { driver: 'MVT', title: 'a vector tile', endings: ['.mvt', '.mvt.gz'], cure: TILES },
  { driver: 'MBTiles', title: 'MBTiles', endings: ['.mbtiles'], cure: TILES },
  { driver: 'PMTiles', title: 'PMTiles', endings: ['.pmtiles'], cure: TILES },
  { driver: 'CAD', title: 'an AutoCAD drawing (DWG)', endings: ['.dwg'], cure: 'save it as DXF' },
  { driver: 'PDF', title: 'a PDF document', endings: ['.pdf'], cure: 'ask the publisher for the data behind the map' },
  {
    driver: 'PGDUMP',
    title: 'an SQL dump',
    endings: ['.sql', '.sql.gz'],
    cure: 'load it into a database and convert its tables with "ogr2ogr -f GPKG"',
  },
  { driver: 'SVG', title: 'an SVG drawing', endings: ['.svg'], cure: 'it holds no coordinates of the earth' },
  {
    driver: 'GTFS',
    title: 'a GTFS feed',
    endings: ['.gtfs'],
    cure: 'name it .zip; options.member chooses one of its tables',
  },
  { driver: 'Idrisi', title: 'an Idrisi vector', endings: ['.vct'], cure: CONVERT },
  { driver: 'AVCBin', title: 'an Arc/Info coverage', endings: ['.adf', '.nit'], cure: FOLDER },
  { driver: 'OGR_SDTS', title: 'an SDTS transfer', endings: ['.ddf'], cure: FOLDER },
  {
    driver: 'TIGER',
    title: 'TIGER/Line before 2007',
    endings: ['.rt1', '.rt2'],
    cure: 'take the shapefiles of the Census Bureau',
  },
  { driver: 'PCIDSK', title: 'a PCIDSK database', endings: ['.pix'], cure: CONVERT },
  { driver: 'VICAR', title: 'a VICAR image', endings: ['.vic'], cure: PLANETS },
  { driver: 'PDS4', title: 'a PDS4 label', endings: [], cure: PLANETS },
  { driver: 'OGR_PDS', title: 'a PDS label', endings: ['.lbl'], cure: PLANETS },
  { driver: 'UK .NTF', title: 'UK NTF', endings: ['.ntf'], cure: CONVERT },
  { driver: 'LVBAG', title: 'a Dutch LV BAG extract', endings: [], cure: CONVERT },
  { driver: 'VFK', title: 'a Czech VFK file', endings: ['.vfk'], cure: CONVERT },
  { driver: 'EDIGEO', title: 'a French EDIGEO exchange', endings: ['.thf'], cure: CONVERT },
  { driver: 'SXF', title: 'an SXF map', endings: ['.sxf'], cure: CONVERT },
  { driver: 'Memory', title: 'a dataset in memory', endings: [], cure: 'it has no files' },
  {
    driver: null,
    title: 'a Microsoft Access database',
    endings: ['.mdb', '.accdb'],
    cure: `${CONVERT} on a machine with mdbtools or Access`,
  },
  { driver: null, title: 'an old Excel workbook', endings: ['.xls', '.xlsb'], cure: 'save the sheet as XLSX or CSV' },
  { driver: null, title: 'Arrow IPC (Feather)', endings: ['.arrow', '.feather'], cure: 'write it as Parquet' },
  {
    driver: null,
    title: 'netCDF or HDF',
    endings: ['.nc', '.nc4', '.h5', '.hdf', '.hdf5', '.he5'],
    cure: 'convert a grid with "gdal_translate -of GTiff FILE grid.tif"',
  },
  {
    driver: null,
    title: 'a point cloud',
    endings: ['.las', '.laz', '.e57'],
    cure: 'make a raster of heights of it, for example with PDAL',
  },
  {
    driver: null,
    title: 'a map project or layer file',
    endings: ['.mxd', '.aprx', '.lyr', '.lyrx', '.qgs', '.qgz', '.mpk', '.mpkx', '.lpk', '.lpkx', '.ppkx'],
    cure: 'it holds no rows, or hides them; take the files that it names',
  },
  { driver: null, title: 'Interlis', endings: ['.itf', '.xtf', '.ili'], cure: CONVERT },
  {
    driver: null,
    title: 'a grid in another format than GeoTIFF',
    endings: [
      '.img',
      '.bil',
      '.bip',
      '.bsq',
      '.flt',
      '.hgt',
      '.dem',
      '.dt0',
      '.dt1',
      '.dt2',
      '.adf',
      '.grd',
      '.gtx',
      '.grib',
      '.grb2',
    ],
    cure: 'write it as one with "gdal_translate -of GTiff FILE grid.tif"',
  },
  {
    driver: null,
    title: 'an image in a compressed form',
    endings: ['.sid', '.ecw', '.jp2', '.jpg', '.jpeg', '.png', '.gif'],
    cure: 'for a grid, convert it with "gdal_translate -of GTiff FILE grid.tif"',
  },
  {
    driver: null,
    title: 'a part of a shapefile',
    endings: ['.shx', '.prj', '.cpg', '.sbn', '.sbx', '.shp.xml'],
    cure: 'take the .shp, which needs its .dbf, .shx and .prj beside it',
  },
];
