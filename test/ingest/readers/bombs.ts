import { DatabaseSync } from 'node:sqlite';
import { constants, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { serialize } from 'flatgeobuf/lib/mjs/geojson.js';

/** What a file is made of, by name: bytes, or what writes it to a path. */
export type Bomb = readonly [name: string, content: Uint8Array | ((path: string) => void), expected: RegExp];

const MB = 2 ** 20;

/** Gzipped repetitions of a text, of which each is a member of its own. */
const gzipTimes = (text: string, times: number, before = ''): Buffer => {
  const one = gzipSync(text);
  return Buffer.concat([...(before === '' ? [] : [gzipSync(before)]), ...Array.from({ length: times }, () => one)]);
};

/** Raw Deflate of repetitions of a megabyte. */
function deflatedTimes(text: string, times: number): Buffer {
  const piece = deflateRawSync(text.repeat(MB / text.length), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: times }, () => piece), deflateRawSync('')]);
}

interface Member {
  readonly name: string;
  readonly packed: Buffer;
  /** As its directory has it. */
  readonly bytes: number;
  readonly sum?: number;
}

/** A zip archive by hand, with what its directory says of each file. @param count files that its end says it has. */
export function zipByHand(members: readonly Member[], count = members.length): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, packed, bytes, sum = 0 } of members) {
    const text = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(sum, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes, 18);
    fields.writeUInt16LE(text.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, text, packed]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(20, 4);
    fields.copy(central, 6);
    central.writeUInt32LE(at, 42);
    directory.push(central, text);
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const member = (name: string, text: string, times: number, bytes = times * MB): Member => ({
  name,
  packed: deflatedTimes(text, times),
  bytes,
});

/** A little-endian TIFF of one Deflate tile. @param side of the tile and the image. @param data of the tile, packed. */
function tiff(side: number, data: Buffer): Buffer {
  const tags: [tag: number, type: 3 | 4 | 12, values: readonly number[]][] = [
    [256, 4, [side]],
    [257, 4, [side]],
    [258, 3, [8]],
    [259, 3, [8]],
    [262, 3, [1]],
    [277, 3, [1]],
    [322, 4, [side]],
    [323, 4, [side]],
    [324, 4, [0]],
    [325, 4, [data.length]],
    [33_550, 12, [0.001, 0.001, 0]],
    [33_922, 12, [0, 0, 0, -68, 45, 0]],
  ];
  const start = 8 + 2 + 12 * tags.length + 4;
  const more: Buffer[] = [];
  let next = start;
  const entries = tags.map(([tag, type, values]) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(type, 2);
    entry.writeUInt32LE(values.length, 4);
    if (type === 12) {
      entry.writeUInt32LE(next, 8);
      const doubles = Buffer.from(Float64Array.from(values).buffer);
      more.push(doubles);
      next += doubles.length;
    } else if (type === 3) entry.writeUInt16LE(values[0]!, 8);
    else entry.writeUInt32LE(values[0]!, 8);
    return entry;
  });
  entries[8]!.writeUInt32LE(next, 8);
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, tags.length, 0]);
  return Buffer.concat([head, ...entries, Buffer.alloc(4), ...more, data]);
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);

/** A block of an OSM file: its header, and what unpacks to so many bytes. */
function osmBlock(kind: string, unpacked: Buffer): Buffer {
  const blob = Buffer.concat([Buffer.from([16, ...varint(unpacked.length)]), field(3, deflateSync(unpacked))]);
  const header = Buffer.concat([field(1, Buffer.from(kind)), Buffer.from([24, ...varint(blob.length)])]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

/** A GeoPackage, with its tables made by SQL. */
const geopackage = (sql: string) => (path: string) => {
  const database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT); INSERT INTO gpkg_contents VALUES ('a', 'attributes');
     CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
     CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
     ${sql}`,
  );
  database.close();
};
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

const sheet = (cells: string, padding = 0) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData>${' '.repeat(padding)}</worksheet>`;
/** An XLSX of one sheet. */
function workbook(xml: string): Buffer {
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': xml,
  };
  return zipByHand(
    Object.entries(parts).map(([name, text]) => ({
      name,
      packed: deflateRawSync(text),
      bytes: Buffer.byteLength(text),
      sum: crc32(text),
    })),
  );
}

const shapefile = (record: number): Buffer => {
  const head = Buffer.alloc(108);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((108 + record) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(5, 32);
  head.writeInt32BE(1, 100);
  head.writeInt32BE(record / 2, 104);
  return Buffer.concat([head, Buffer.alloc(record)]);
};

/** A FlatGeobuf whose one feature says that it has a hundred megabytes. */
function flatgeobuf(): Buffer {
  const geometry = { type: 'Point', coordinates: [-68, 45] };
  const bytes = Buffer.from(
    serialize({ type: 'FeatureCollection', features: [{ type: 'Feature', properties: { a: 1 }, geometry }] } as never),
  );
  let at = 12;
  while (bytes.readUInt32LE(at) !== bytes.length - at - 4) at++;
  bytes.writeUInt32LE(100 * MB, at);
  return bytes;
}

/** A small file of each kind that would take gigabytes or for ever, and what reading it must end with. */
export const BOMBS: readonly Bomb[] = [
  ['ratio.csv.zip', zipByHand([member('a.csv', 'x', 2_000)]), /limit_passed.*limit of 200; .*PLAT_READ_RATIO/],
  ['lying.csv.zip', zipByHand([member('a.csv', 'x', 200, 1_000)]), /file_corrupt.*or more, 1000 were expected/],
  [
    'shared.shp.zip',
    zipByHand(['a.shp', 'a.dbf', 'a.shx'].map(name => member(name, '\0', 30))),
    /limit_passed.*PLAT_READ_RATIO/,
  ],
  ['members.csv.zip', zipByHand([member('a.csv', 'x', 1)], 65_000), /limit_passed.*65000 files.*PLAT_READ_MEMBERS/],
  [
    'geodatabase.gdb.zip',
    zipByHand([member('a.gdb/a00000001.gdbtable', '\0', 2_000)]),
    /limit_passed.*PLAT_READ_RATIO/,
  ],
  ['line.csv', Buffer.from(`a,b\n${'x'.repeat(17 * MB)}`), /row .*PLAT_READ_LINE_MB/],
  ['line.csv.gz', gzipTimes('x'.repeat(MB), 2_000, 'a,b\n'), /limit_passed.*PLAT_READ_RATIO/],
  ['quoted.csv', Buffer.from(`a,b\n1,"${'x\n'.repeat(9 * MB)}`), /limit_passed.*PLAT_READ_LINE_MB/],
  [
    'value.geojson.gz',
    gzipTimes(' '.repeat(MB), 1_000, '{"type":"FeatureCollection","features":[{"type":"Feature","a":1'),
    /limit_passed.*PLAT_READ_RATIO/,
  ],
  [
    'objects.geojson',
    Buffer.from(`{"type":"FeatureCollection","features":[{"a":[${'{},'.repeat(3 * MB)}0]}]}`),
    /row .*PLAT_READ_VALUE_MB/,
  ],
  ['value.geojsonl', Buffer.from(`{"type":"Feature","a":"${'x'.repeat(33 * MB)}"}`), /row .*PLAT_READ_VALUE_MB/],
  ['deep.topojson', Buffer.from(`{"type":"Topology","arcs":${'['.repeat(5 * MB)}`), /limit_passed.*PLAT_READ_DEPTH/],
  ['deep.table.json', Buffer.from('['.repeat(5 * MB)), /file_truncated/],
  ['sheet.xlsx', workbook(sheet('', 33 * MB)), /limit_passed.*PLAT_READ_VALUE_MB/],
  [
    'far.xlsx',
    workbook(sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
    /limit_passed.*column 16384.*PLAT_READ_CELLS/,
  ],
  ['tile.tif', tiff(16_000, deflateSync('x')), /limit_passed.*PLAT_READ_VALUE_MB/],
  // GDAL unpacks no more than the bytes of a tile.
  ['unpacks.tif', tiff(64, deflateSync(Buffer.alloc(40 * MB))), /: read /],
  ['block.osm.pbf', osmBlock('OSMHeader', Buffer.alloc(40 * MB)), /limit_passed.*unpacks.*PLAT_READ_VALUE_MB/],
  ['record.fgb', flatgeobuf(), /file_truncated/],
  ['record.shp', shapefile(34 * MB), /row .*PLAT_READ_VALUE_MB/],
  ['view.gpkg', geopackage(`CREATE VIEW a AS ${ENDLESS};`), /format_unsupported.*"a" is a view/],
  [
    'contents.gpkg',
    geopackage(
      `DROP TABLE gpkg_contents; CREATE VIEW gpkg_contents AS SELECT i AS table_name, 'features' AS data_type FROM (${ENDLESS});`,
    ),
    /format_unsupported.*"gpkg_contents" is a view/,
  ],
  [
    'calculated.gpkg',
    geopackage(
      'CREATE TABLE a (i INTEGER, b BLOB GENERATED ALWAYS AS (zeroblob(900000000))); INSERT INTO a VALUES (1);',
    ),
    /format_unsupported.*"b" is calculated/,
  ],
  [
    'blob.gpkg',
    geopackage('CREATE TABLE a (b BLOB); INSERT INTO a VALUES (zeroblob(40000000));'),
    /row .*PLAT_READ_VALUE_MB/,
  ],
  ['columns.csv', Buffer.from(`${'a,'.repeat(20_000)}\n1\n`), /limit_passed.*PLAT_READ_COLUMNS/],
  [
    'deep.geojson',
    Buffer.from(`{"type":"FeatureCollection","x":${'['.repeat(5 * MB)}`),
    /limit_passed.*PLAT_READ_DEPTH/,
  ],
];

/** Those that take seconds. */
export const HEAVY_BOMBS: readonly Bomb[] = [
  ['ratio.csv.gz', gzipTimes(`${'x'.repeat(MB)},1\n`, 500, 'a,b\n'), /limit_passed.*PLAT_READ_RATIO/],
  [
    'numbers.geojson',
    Buffer.from(`{"type":"FeatureCollection","features":[{"a":[${'0,'.repeat(15 * MB)}0]}]}`),
    /file_corrupt/,
  ],
  [
    'texts.osm.pbf',
    Buffer.concat([
      osmBlock('OSMHeader', Buffer.alloc(0)),
      osmBlock('OSMData', field(1, Buffer.from('\x0a\x00'.repeat(10 * MB), 'latin1'))),
    ]),
    /limit_passed.*texts.*PLAT_READ_CELLS/,
  ],
];
