import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { failureOf, scratch } from './readers/scratch.ts';
import { zipOf } from './readers/zip.ts';

const write = scratch();
const bytes = (text: string) => Buffer.from(text, 'latin1');
const jet = bytes(`\0\x01\0\0Standard Jet DB\0${'\0'.repeat(200)}`);
const utf32 = (text: string) => Buffer.from(Uint32Array.from(text, character => character.codePointAt(0)!).buffer);
/** A database of tiles as GDAL writes it, without the number that the standard gives it. */
function tiles(): Buffer {
  const path = write('made.sqlite', '');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)');
  database.close();
  return readFileSync(path);
}
const SHP = Buffer.alloc(100);
SHP.writeInt32BE(9994, 0);
SHP.writeInt32BE(50, 24);
SHP.writeInt32LE(1000, 28);
SHP.writeInt32LE(1, 32);

/** Files that engineers send by mistake: name, content, what the message says. */
const FILES: readonly (readonly [name: string, content: string | Uint8Array, message: RegExp])[] = [
  ['empty.geojson', '', /the file is empty; fetch it again/],
  [
    'packed.gpkg.gz',
    `SQLite format 3\0${'\0'.repeat(52)}GPKG${'\0'.repeat(100)}`,
    /this is a GeoPackage, compressed with gzip; unpack it with "gunzip FILE"/,
  ],
  ['empty.shp', '', /the file is empty/],
  ['empty.zip', '', /the file is empty/],
  ['page.geojson', '<!DOCTYPE html><html><body>Sign in</body></html>', /this is an HTML page; the server sent a page/],
  ['page.csv', '\n<html><head>', /this is an HTML page/],
  ['page.shp', '<html>', /this is an HTML page/],
  ['page.zip', '<!doctype html>', /this is an HTML page/],
  ['page', '<html>', /this is an HTML page/],
  ['service.gml', '<?xml version="1.0"?>\n<ows:ExceptionReport version="2.0.0">', /an error message of a map server/],
  ['service.xml', '<?xml version="1.0"?><ServiceExceptionReport>', /an error message of a map server/],
  ['bucket.zip', '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', /an error message of a server/],
  ['token.json', '{"error":{"code":499,"message":"Token Required"}}', /an error message of a server/],
  [
    'layer.json',
    '{"currentVersion":11.1,"id":0,"name":"Parcels"}',
    /the description of an ArcGIS service; download its rows/,
  ],
  ['objects.json', '[{"pin":"1"}]', /a JSON list of objects; save it as CSV/],
  ['config.json', '{"a":1}', /is JSON but no GeoJSON/],
  ['cut.geojson', '{"type":"FeatureCollection","features":[{"type":"Feat', /ends too early|ends inside/],
  [
    'lfs.fgb',
    'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
    /a pointer of Git LFS; fetch .* "git lfs pull"/,
  ],
  ['map.pdf', '%PDF-1.7\n', /this is a PDF document; ask the publisher/],
  ['map.zip', '%PDF-1.7\n', /this is a PDF document/],
  ['site.dwg', 'AC1032\0\0', /an AutoCAD drawing \(DWG\); save it as DXF/],
  ['site.dxf', 'AC1027\0\0', /an AutoCAD drawing \(DWG\)/],
  ['points.las', 'LASF\0\0', /a LAS or LAZ point cloud/],
  ['tax.mdb', jet, /a Microsoft Access database; convert it/],
  ['tax.accdb', 'x', /a Microsoft Access database/],
  ['rain.nc', 'CDF\x01\0\0', /this is netCDF; convert a grid/],
  ['rain.tif', bytes('\x89HDF\r\n\x1a\n'), /HDF5 or netCDF-4/],
  ['sheet.xls', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /an old Office or ArcMap file .*; save a sheet as XLSX/],
  ['sheet.xlsx', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /an old Office or ArcMap file/],
  ['data.rar', 'Rar!\x1a\x07\0', /a RAR archive; unpack it/],
  ['data.7z', bytes('7z\xbc\xaf\x27\x1c'), /a 7-Zip archive/],
  ['photo.tif', bytes('\x89PNG\r\n\x1a\n'), /a PNG image/],
  ['photo.jpg', bytes('\xff\xd8\xff\xe0'), /a JPEG image/],
  [
    'roads.vrt',
    '<OGRVRTDataSource><OGRVRTLayer name="a"/></OGRVRTDataSource>',
    /a virtual dataset \(VRT\); it names other files/,
  ],
  ['heights.vrt', '<VRTDataset rasterXSize="1">', /a virtual raster \(VRT\); .*gdal_translate FILE\.vrt/],
  ['heights.img', 'EHFA_HEADER_TAG', /a grid in another format than GeoTIFF; write it as one with "gdal_translate/],
  ['roads.gml', '<OGRVRTDataSource>', /a virtual dataset \(VRT\)/],
  ['wms.xml', '<GDAL_WMS><Service name="WMS"/></GDAL_WMS>', /the description of a web service; it names a server/],
  ['project.qgs', "<!DOCTYPE qgis PUBLIC 'x'>", /a map project or layer file/],
  ['meta.xml', '<?xml version="1.0"?>\n<metadata xml:lang="en">', /a description of the data; take the data itself/],
  ['wide.csv', utf32('\ufeffpin,owner\n'), /this is text in UTF-32; write it as UTF-8: iconv/],
  ['wide.geojson', utf32('{"type":"FeatureCollection"}'), /this is text in UTF-32/],
  [
    'wide.json',
    Buffer.from('\ufeff{"type":"FeatureCollection","features":[]}', 'utf16le'),
    /GeoJSON in UTF-16LE; write it as UTF-8: iconv/,
  ],
  [
    'cut16.csv',
    Buffer.from('\ufeffpin,owner\n1,a\n', 'utf16le').subarray(0, -1),
    /ends within a character; fetch the file again/,
  ],
  [
    'latin.kml',
    bytes('<kml><Document><name>\xe9</name></Document></kml>'),
    /the text is not utf-8; set options\.encoding/,
  ],
  ['klingon.kml', '<?xml version="1.0" encoding="klingon"?><kml/>', /text encoding "klingon" is unknown/],
  ['town.sqlite', tiles(), /this is MBTiles; it holds tiles/],
  ['town.gpkg', tiles(), /this is MBTiles; it holds tiles/],
  ['tiles.mbtiles', 'x', /MBTiles; its shapes are cut/],
  ['dump.sql', '-- PostgreSQL database dump', /an SQL dump; load it into a database/],
  ['parts.shx', 'x', /a part of a shapefile; take the .shp/],
  ['gzipped.geojson', bytes('\x1f\x8b\x08\0'), /compressed with gzip; rename it so that its name ends in \.gz/],
  ['bzip.csv', 'BZh91AY', /compressed with bzip2; unpack it/],
  ['lonely.shp', SHP, /the \.dbf with the attributes is missing; set options\.withoutAttributes/],
  ['broken.kml', '<kml><Document><Placemark></Document></kml>', /is no well-formed XML: /],
  [
    'links.kml',
    '<kml><NetworkLink><Link><href>http://a.example/b.kml</href></Link></NetworkLink></kml>',
    /only links to other KML files, which are not followed/,
  ],
  [
    'broken.gml',
    '<?xml version="1.0"?><ogr:FeatureCollection xmlns:gml="http://www.opengis.net/gml"><gml:featureMember>',
    /GDAL cannot read it \(XML parsing/,
  ],
  ['broken.tab', '!table\n!version 300\nDefinition Table\n', /GDAL cannot read it/],
  ['broken.sqlite', 'SQLite format 3\0', /GDAL cannot read it/],
  ['noise.xyz', bytes('\x01\x02\x03'), /the name tells no known format; known: shapefile/],
];

describe('a file that is not what its name says', () => {
  it.each(FILES)('%s: the message names what it is and what to do', async (name, content, message) => {
    const path = write(name, content);
    const error = await failureOf(path);
    expect(error.name).toBe('ReadError');
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/undefined|NaN|\[object|Unexpected token|is not a function|ENOENT|wasm/);
  });

  it('names what an archive holds, and a folder', async () => {
    const messages: string[] = [];
    const zips: Record<string, Record<string, string>> = {
      'nothing.zip': { 'a.docx': 'x', 'b.lyr': 'x' },
      'two.zip': { 'a.geojson': '{}', 'b.kml': '<kml/>' },
      'bad.zip': { 'in/a.geojson': '<html>' },
      'zips.zip': { 'a.zip': 'x', 'readme.pdf': 'x' },
    };
    for (const [name, members] of Object.entries(zips))
      messages.push((await failureOf(write(name, await zipOf(members)))).message);
    expect(messages.map(text => text.slice(text.indexOf(': ') + 2))).toEqual([
      'holds no layer and no table that is read; it holds a.docx, b.lyr',
      'holds 2 layers or tables (a.geojson, b.kml); set options.member to one of them',
      expect.stringMatching(/^in\/a\.geojson: this is an HTML page/),
      'holds archives, which are not opened within another (a.zip, readme.pdf); unpack it and take one of them',
    ]);
    const folder = join(dirname(write('beside', 'x')), 'shapes');
    mkdirSync(folder);
    expect((await failureOf(folder)).message).toMatch(/is a folder; a file or a file geodatabase/);
    const encrypted = await zipOf({ 'a.geojson': '{}' });
    // The first bit of the flags, in the local header and in the directory.
    encrypted[6]! |= 1;
    encrypted[encrypted.indexOf(bytes('PK\x01\x02')) + 8]! |= 1;
    expect((await failureOf(write('locked.zip', encrypted))).message).toMatch(/is encrypted/);
  });
});
