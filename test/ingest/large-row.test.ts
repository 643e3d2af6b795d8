import { DatabaseSync } from 'node:sqlite';
import { serialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLimits, setReadLimits } from '../../ingest/read-limits.ts';
import { failureOf, readRows, scratch } from './readers/scratch.ts';
import { dbf, polygon, shp, square, zip } from './readers/shapefile-bytes.ts';

const file = scratch();
const usual = readLimits();
const MB = 2 ** 20;
beforeAll(() => setReadLimits({ ...usual, valueMb: 1, lineMb: 1 }));
afterAll(() => setReadLimits(usual));

const LONG = 'x'.repeat(1.2 * MB);
const TEXTS = ['a', LONG, 'c', 'd', LONG];
const features = TEXTS.map((note, i) => ({
  type: 'Feature',
  properties: { note },
  geometry: { type: 'Point', coordinates: [-68, 44 + i] },
}));
const collection = { type: 'FeatureCollection', features };
const lines = (ends = '\n') => `note,x${ends}${TEXTS.map((note, i) => `${note},${i}`).join(ends)}${ends}`;

function geopackage(): string {
  const path = file('notes.gpkg', '');
  const database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT); INSERT INTO gpkg_contents VALUES ('notes', 'attributes');
     CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
     CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
     CREATE TABLE notes (note TEXT)`,
  );
  for (const text of TEXTS) database.prepare('INSERT INTO notes VALUES (?)').run(text);
  database.close();
  return path;
}

const kml = () =>
  `<kml><Document>${TEXTS.map(
    (note, i) =>
      `<Placemark><ExtendedData><Data name="note"><value>${note}</value></Data></ExtendedData><Point><coordinates>-68,${44 + i}</coordinates></Point></Placemark>`,
  ).join('')}</Document></kml>`;

/** A file of five rows of each format that is read row by row; the second and the last are too large. */
const FILES: Readonly<Record<string, () => string>> = {
  GeoJSON: () => file('a.geojson', JSON.stringify(collection)),
  'gzipped GeoJSON': () => file('a.geojson.gz', JSON.stringify(collection)),
  'GeoJSON, indented': () => file('b.geojson', JSON.stringify(collection, null, 1)),
  'a row a line': () => file('a.geojsonl', `${features.map(one => JSON.stringify(one)).join('\n')}\n`),
  'a list of lists': () => file('a.table.json', JSON.stringify([['note'], ...TEXTS.map(note => [note])])),
  FlatGeobuf: () => file('a.fgb', serialize(collection as never)),
  GeoPackage: geopackage,
  KML: () => file('a.kml', kml()),
  CSV: () => file('a.csv', lines()),
  'CSV with other line ends': () => file('b.csv', lines('\r\n')),
  'CSV with quotes': () => file('c.csv', lines().replaceAll(LONG, `"${LONG}"`)),
  'CSV of a named encoding, without an end': () => file('d.csv', lines().trimEnd()),
};

describe('a row that passes a limit is left out alone', () => {
  it.each(Object.entries(FILES))('%s', async (_format, make) => {
    const rows = await readRows(make());
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(rows.map(({ properties }) => properties.note)).toEqual(['a', undefined, 'c', 'd', undefined]);
    for (const [i, { unread, geometry }] of rows.entries())
      if (i === 1 || i === 4) {
        expect(unread).toMatchObject({ isLost: true, ground: null });
        expect(unread!.reason).toMatch(/passes the limit of 1 MB; if .* raise PLAT_READ_(VALUE|LINE)_MB$/);
        expect(geometry).toBeNull();
      } else expect(unread).toBeUndefined();
  });

  it('also where its arrays and objects are too many or too deep', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const many = `[${'{},'.repeat(100_000)}0]`;
    const text = ['0', deep(100), '1', many, '2'].map(
      value => `{"type":"Feature","properties":{"a":${value}},"geometry":null}`,
    );
    const rows = await readRows(file('deep.geojson', `{"type":"FeatureCollection","features":[${text.join(',')}]}`));
    expect(rows.map(({ properties }) => properties.a)).toEqual([0, undefined, 1, undefined, 2]);
    expect(rows[1]!.unread!.reason).toMatch(/PLAT_READ_DEPTH$/);
    expect(rows[3]!.unread!.reason).toMatch(/many arrays or objects.*PLAT_READ_VALUE_MB$/);
  });

  it('a shape, whose values and box are known', async () => {
    const large = polygon([Array.from({ length: 70_000 }, (_, i) => [i / 1000, i % 2] as const)]);
    large.writeDoubleLE(-69, 4);
    large.writeDoubleLE(44, 12);
    large.writeDoubleLE(-68, 20);
    large.writeDoubleLE(45, 28);
    const table = dbf([['ID', 'C', 1]], [' 1', ' 2', ' 3']);
    const shapes = shp([polygon([square(0, 0, 1)]), large, polygon([square(2, 2, 1)])]);
    const rows = await readRows(file('a.shp.zip', await zip({ 'a.shp': shapes, 'a.dbf': table })));
    expect(rows.map(({ properties }) => properties.ID)).toEqual(['1', '2', '3']);
    expect(rows.map(({ geometry }) => geometry?.type)).toEqual(['Polygon', undefined, 'Polygon']);
    expect(rows[1]!.unread!.reason).toMatch(/a shape of 1120048 bytes passes the limit of 1 MB/);
    expect([...rows[1]!.unread!.ground!.xy]).toEqual([-69, 44, -68, 44, -68, 45, -69, 45, -69, 44]);
  });
});

describe('a file is refused where nobody knows what else would be lost with the row', () => {
  it.each([
    ['a cell in quotes that does not end', `note,x\na,1\n"${LONG}\nb,2\nc,3\n`, /a quoted cell does not end/],
    ['a cell of several lines', `note,x\na,1\n"b\n${LONG}\n",2\nc,3\n`, /row 2: one line passes.*PLAT_READ_LINE_MB/],
    ['a cell that begins in it', `note,x\na,1\n2,"${LONG}\n"\nc,3\n`, /row 2: one line passes.*PLAT_READ_LINE_MB/],
    ['the header', `${LONG},x\na,1\n`, /one line passes.*PLAT_READ_LINE_MB/],
  ])('%s', async (_what, text, message) => {
    expect((await failureOf(file('refused.csv', text))).message).toMatch(message);
  });

  it('a feature that does not end', async () => {
    const text = `{"type":"FeatureCollection","features":[{"a":"${LONG}`;
    expect(await failureOf(file('cut.geojson', text))).toMatchObject({ code: 'file_truncated', row: 1 });
  });
});
