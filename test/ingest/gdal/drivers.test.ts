import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import type { Row } from '../../../ingest/reader.ts';
import { GDAL_FORMATS, NOT_READ } from '../../../ingest/readers/gdal-formats.ts';
import { READERS } from '../../../ingest/readers.ts';
import { DRIVER_FILES, type GeoJson, type Properties, writeDriverFile } from './drivers.ts';

/** Vector drivers whose formats have a reader of ours: driver → reader. */
const OWN_READERS: Readonly<Record<string, string>> = {
  'ESRI Shapefile': 'shapefile',
  GeoJSON: 'geojson',
  GeoJSONSeq: 'geojsonseq',
  TopoJSON: 'topojson',
  ESRIJSON: 'esrijson',
  CSV: 'csv',
  XLSX: 'xlsx',
  GPKG: 'geopackage',
  OpenFileGDB: 'filegdb',
  FlatGeobuf: 'flatgeobuf',
  KML: 'kml',
};

const folder = mkdtempSync(join(tmpdir(), 'plat-drivers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A value without what formats add to it: a date may be written with slashes, or with a time of day. */
function plain(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return value;
  return value.replaceAll('/', '-').replace(/T00:00:00(\.0+)?Z?$/, '');
}

/** Values that are not null, by their column in lower case. */
const valuesOf = (properties: Properties) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) =>
      plain(value) === null ? [] : [[name.toLowerCase(), plain(value)] as const],
    ),
  );

const flat = (coordinates: unknown): number[] =>
  Array.isArray(coordinates)
    ? typeof coordinates[0] === 'number'
      ? coordinates.slice(0, 2)
      : coordinates.flatMap(flat)
    : [];

/** Polygons and their multiples are compared by their positions alone. */
const kindOf = (type: string | undefined) => type?.replace('Multi', '') ?? null;

/** Columns that GDAL keeps apart, such as the identifier of a row, and those that only one version of GDAL or KML's driver adds. */
const APART =
  /^(ogc_fid|fid|folder|id|timestamp|begin|end|altitudemode|tessellate|extrude|visibility|draworder|icon|description|r_g_b|ulink|paperspace|text|avcbin.*|osm_version|osm_timestamp|version)$/;

function expectSame(rows: readonly Row[], expected: readonly (readonly [Properties, GeoJson | null])[]): void {
  const ours = rows.map(({ properties }) => valuesOf(properties));
  const theirs = expected.map(([properties]) => valuesOf(properties));
  const without = (list: readonly Properties[]) =>
    list.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !APART.test(name))));
  expect(without(ours)).toEqual(without(theirs));
  expect(rows.map(({ geometry }) => kindOf(geometry?.type))).toEqual(expected.map(([, g]) => kindOf(g?.type)));
  for (const [i, { geometry }] of rows.entries()) {
    const wanted = flat(expected[i]![1]?.coordinates);
    expect(geometry?.xy.length ?? 0).toBe(wanted.length);
    for (const [at, value] of wanted.entries()) expect(geometry!.xy[at]).toBeCloseTo(value, 9);
  }
}

describe('a file of each vector driver of GDAL', () => {
  it.each(DRIVER_FILES.map(entry => [entry.file, entry] as const))('%s has the rows of ogr2ogr', async (_, entry) => {
    const path = writeDriverFile(folder, entry);
    const before = readdirSync(dirname(path));
    const layers = Object.entries(entry.layers);
    for (const [layer, { rows }] of layers) {
      const isOneOfSeveral = layers.length > 1 || entry.driver === 'OSM';
      const source = await openSource(path, { options: isOneOfSeveral ? { layer } : {} });
      const got: Row[] = [];
      for await (const batch of source.rows()) got.push(...batch);
      await source.close();
      expectSame(got, rows);
    }
    // Nothing is written beside a published file.
    expect(readdirSync(dirname(path))).toEqual(before);
  });

  it('stands for each driver of the installed GDAL that reads vectors: read by GDAL, by a reader of ours, or refused', async () => {
    const require = createRequire(import.meta.url);
    const names = new Set(
      [...readFileSync(require.resolve('gdal3.js/package.json'), 'utf8').matchAll(/"version": "([^"]+)"/g)].map(
        m => m[1],
      ),
    );
    // The list below was printed by this version. After an update, print it again: Object.keys(gdal.drivers.vector).
    expect([...names]).toEqual(['2.8.1']);
    const installed =
      `PCIDSK|PDS4|VICAR|PDF|MBTiles|ESRI Shapefile|MapInfo File|UK .NTF|LVBAG|OGR_SDTS|S57|DGN|OGR_VRT|Memory|CSV|GML|GPX|KML|GeoJSON|GeoJSONSeq|ESRIJSON|TopoJSON|OGR_GMT|GPKG|SQLite|WAsP|OpenFileGDB|DXF|CAD|FlatGeobuf|Geoconcept|GeoRSS|VFK|PGDUMP|OSM|OGR_PDS|EDIGEO|SVG|Idrisi|ODS|XLSX|SXF|Selafin|JML|VDV|MVT|MapML|GTFS|PMTiles|JSONFG|TIGER|AVCBin|AVCE00`.split(
        '|',
      );
    const read = GDAL_FORMATS.map(({ driver }) => driver);
    const listed = [
      ...new Set([...read, ...Object.keys(OWN_READERS), ...NOT_READ.flatMap(({ driver }) => driver ?? [])]),
    ];
    expect(listed.sort()).toEqual(installed.sort());
    const files = new Set(DRIVER_FILES.map(({ driver }) => driver));
    expect(read.filter(driver => !files.has(driver))).toEqual([]);
    for (const reader of Object.values(OWN_READERS)) expect(READERS.map(r => r.name)).toContain(reader);
  });
});

describe('the table of expected rows', { tags: ['GDAL'] }, () => {
  it('is what ogr2ogr says of the files', () => {
    for (const entry of DRIVER_FILES) {
      const path = writeDriverFile(folder, entry);
      for (const [layer, { rows }] of Object.entries(entry.layers)) {
        const args = ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=12', '-nlt', 'CONVERT_TO_LINEAR', '-dim', 'XY'];
        const text = execFileSync('ogr2ogr', [...args, '/vsistdout/', path, layer], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const { features } = JSON.parse(text) as { features: { properties: Properties; geometry: GeoJson | null }[] };
        expect(features.map(({ properties, geometry }) => [properties, geometry])).toEqual(rows);
      }
    }
  });
});
