import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { openSource } from '../../../ingest/format.ts';
import { GdalThread } from '../../../ingest/gdal-thread.ts';
import type { OutputRow } from '../../../ingest/writer.ts';
import { createFileGdb, type GeodatabaseOptions } from '../../../ingest/writers/filegdb.ts';
import { readRows } from '../readers/scratch.ts';
import { COLUMNS, dice, geometryOf, scratch, square } from './samples.ts';

const folder = scratch();
const gdal = new GdalThread(Number.POSITIVE_INFINITY);
afterAll(() => gdal.close());

const options: GeodatabaseOptions = {
  folder: 'Town.gdb',
  crs: 'EPSG:4269',
  gdal,
  durable: false,
  layers: {
    Lots: { columns: COLUMNS, geometry: 'polygon' },
    Streams: { columns: { GNIS_Name: { type: 'string' } }, geometry: 'line' },
    Codes: { columns: { code: { type: 'string' }, share: { type: 'number' }, n: { type: 'integer' } }, geometry: null },
    Wells: { columns: { NHDPlusID: { type: 'number' } }, geometry: 'point' },
    Empty: { columns: { name: { type: 'string' } }, geometry: 'polygon' },
  },
};

const holed = geometryOf('MultiPolygon', [
  [[0, 0, 0.5, 0, 0.5, 0.5, 0, 0]],
  [
    [-70.1234567, 43.7654321, -69, 43.7654321, -69, 45, -70.1234567, 43.7654321],
    [-69.5, 44, -69.4, 44.2, -69.4, 44, -69.5, 44],
  ],
]);
const roll = dice(3);
const random = () => Math.round(roll() * 1e7) / 1e7;
const lots: readonly OutputRow[] = [
  square(1, -70, 43, 0.5),
  { properties: { NAME: null, ACRES: null, ID: null, OPEN: null, BUILT: null, SEEN: null }, geometry: holed },
  ...Array.from({ length: 40 }, (_, i) => square(i + 2, -70 + random(), 43 + random(), 0.01)),
  {
    properties: { NAME: 'Später', ID: -(2 ** 31), SEEN: '2026-01-31T12:30:15Z' },
    geometry: square(9, 1, 2, 3).geometry,
  },
];
const rows: Readonly<Record<string, readonly OutputRow[]>> = {
  Lots: lots,
  Streams: [
    { properties: { GNIS_Name: 'A & <B>' }, geometry: geometryOf('LineString', [[[0, 1, 2, 3]]]) },
    {
      properties: { GNIS_Name: '' },
      geometry: geometryOf('MultiLineString', [
        [
          [0, 1, 2, 3],
          [5, 6, 7, 8, 9, 9],
        ],
      ]),
    },
  ],
  Codes: [
    { properties: { code: 'A', share: 0.1, n: 7 }, geometry: null },
    { properties: { code: null, share: null, n: null }, geometry: null },
  ],
  Wells: [{ properties: { NHDPlusID: 55_000_000_000_001 }, geometry: geometryOf('Point', [[[-70.5, 43.25]]]) }],
};

let files = 0;
async function write(extra: Partial<GeodatabaseOptions> = {}) {
  const path = join(folder, `${files++}.gdb.zip`);
  const writer = await createFileGdb(path, { ...options, ...extra });
  for (const [layer, list] of Object.entries(rows)) for (const row of list) writer.write(layer, row);
  return writer.finish();
}

/** Vertices in an order that does not depend on where a ring begins or which way it runs. */
const vertices = ({ xy }: Geometry) =>
  [
    ...new Set(
      Array.from({ length: xy.length / 2 }, (_, i) => `${xy[2 * i]!.toFixed(8)} ${xy[2 * i + 1]!.toFixed(8)}`),
    ),
  ].sort();

/** A value as it comes back: days without the time of day, because GDAL 3.8 reads those before 1970 a second late. */
function stored(value: unknown, type: string) {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return value ?? null;
  return type === 'date' ? value.slice(0, 10) : type === 'timestamp' ? value.slice(0, 19) : value;
}

describe('createFileGdb', () => {
  it('gives back every layer, value and vertex in input order', async () => {
    const written = await write();
    expect(written).toMatchObject({ rows: 48, box: [-70.5, 0, 9, 45] });
    for (const [layer, list] of Object.entries(rows)) {
      const { columns, geometry } = options.layers[layer]!;
      const source = await openSource(written.path, { options: { layer } });
      expect([source.crs, source.count]).toEqual([geometry ? 'EPSG:4269' : null, list.length]);
      await source.close();
      const read = await readRows(written.path, { layer });
      for (const [i, { properties, geometry: shape }] of list.entries()) {
        const found = read[i]!;
        for (const [name, { type }] of Object.entries(columns)) {
          expect(stored(found.properties[name], type), `${layer} ${i} ${name}`).toEqual(stored(properties[name], type));
        }
        if (shape) {
          expect(vertices(found.geometry!)).toEqual(vertices(shape));
          expect(found.geometry!.ends.length).toBe(shape.ends.length);
        } else expect(found.geometry).toBeNull();
      }
      expect(read).toHaveLength(list.length);
    }
    expect(await readRows(written.path, { layer: 'Empty' })).toEqual([]);
    expect(readdirSync(folder).filter(name => !/^\d+\.gdb\.zip$/.test(name))).toEqual([]);
  });

  it('is read by GDAL', { tags: ['GDAL'] }, async () => {
    const { path } = await write();
    const text = execFileSync('ogrinfo', ['-ro', '-al', '-so', `/vsizip/${path}/Town.gdb`], { encoding: 'utf8' });
    expect(
      [...text.matchAll(/^Layer name: (.*)\nGeometry: (.*)\nFeature Count: (\d+)/gm)].map(m => m.slice(1)),
    ).toEqual([
      ['Lots', 'Multi Polygon', '43'],
      ['Streams', 'Multi Line String', '2'],
      ['Codes', 'None', '2'],
      ['Wells', 'Point', '1'],
      ['Empty', 'Multi Polygon', '0'],
    ]);
    expect(text).toMatch(/ACRES: Real .*\nID: Integer .*\nOPEN: Integer.*\nBUILT: DateTime .*\nSEEN: DateTime/);
  });

  it('writes the same bytes for the same rows', async () => {
    const [a, b] = [await write({ gdal: undefined }), await write({ gdal: undefined })];
    expect(readFileSync(b.path).equals(readFileSync(a.path))).toBe(true);
  });

  it('refuses rows that do not fit and goes on without them', async () => {
    const path = join(folder, `${files++}.gdb.zip`);
    const writer = await createFileGdb(path, options);
    const lot = square(1, 0, 0, 1);
    const refused = (layer: string, row: OutputRow, why: RegExp) => {
      expect(() => writer.write(layer, row)).toThrow(expect.objectContaining({ name: 'RowRefused' }));
      expect(() => writer.write(layer, row)).toThrow(why);
    };
    refused('Lots', { ...lot, properties: { ID: 2 ** 31 } }, /"ID" is 2147483648; .* 32 bits/);
    refused('Lots', { ...lot, properties: { NAME: 5 } }, /"NAME" is 5; expected a string/);
    refused('Lots', { properties: {}, geometry: null }, /no geometry/);
    refused('Streams', { properties: {}, geometry: lot.geometry }, /is a Polygon; the layer holds lines/);
    refused('Codes', { properties: {}, geometry: lot.geometry }, /Codes is a table/);
    refused('Wells', { properties: {}, geometry: geometryOf('MultiPoint', [[[0, 1]]]) }, /single points/);
    expect(() => writer.write('Roads', lot)).toThrow(/no layer "Roads"; it has Lots, Streams/);
    writer.write('Lots', lot);
    expect((await writer.finish()).rows).toBe(1);
    expect(() => writer.write('Lots', lot)).toThrow(/finished/);
    expect(await readRows(path, { layer: 'Lots' })).toHaveLength(1);
  });

  it('refuses names that a geodatabase cannot have, and leaves nothing behind', async () => {
    const layers = (name: string) => ({ Lots: { columns: { [name]: { type: 'string' } as const }, geometry: null } });
    const path = join(folder, `${files++}.gdb.zip`);
    await expect(createFileGdb(path, { ...options, layers: layers('Shape') })).rejects.toThrow(/"Shape" of Lots/);
    await expect(createFileGdb(path, { ...options, layers: {} })).rejects.toThrow(/no layers/);
    const writer = await createFileGdb(path, { ...options, layers: layers('Date') });
    await expect(writer.finish()).rejects.toThrow(/GDAL cannot write it \(.*'Date' to 'Date_'/);
    const aborted = await createFileGdb(path, options);
    aborted.write('Lots', square(1, 0, 0, 1));
    await aborted.abort();
    expect(readdirSync(folder).filter(name => !/^\d+\.gdb\.zip$/.test(name))).toEqual([]);
    expect(readdirSync(folder)).not.toContain(`${files - 1}.gdb.zip`);
  });
});
