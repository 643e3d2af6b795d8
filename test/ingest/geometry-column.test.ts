import { describe, expect, it } from 'vitest';
import { tableOptions } from '../../pipelines/place/init/table-shape.ts';
import { readRows, scratch } from './readers/scratch.ts';

const write = scratch();
// ST_AsBinary of PostGIS: LINESTRING(1 2,3 4).
const LINE = '010200000002000000000000000000F03F000000000000004000000000000008400000000000001040';

describe('a table with a column of geometry', () => {
  it('is read from WKT of any kind, with SRID or Z, and from WKB in hexadecimal digits', async () => {
    const cells = [
      'POINT (1 2)',
      'SRID=4326;POINT Z (1 2 3)',
      'MULTIPOINT ((1 2), (3 4))',
      'MULTIPOINT (1 2, 3 4)',
      'POLYGON ((0 0, 1 0, 1 1, 0 0), (.2 .1, .3 .1, .3 .2, .2 .1))',
      'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))',
      'POINT EMPTY',
      LINE,
    ];
    const path = write('shapes.csv', `ID,SHAPE\n${cells.map((cell, i) => `${i},"${cell}"`).join('\n')}\n`);
    expect(await tableOptions(path, null, {})).toEqual({});
    const rows = await readRows(path, { geometry: 'SHAPE' });
    expect(rows.map(({ geometry }) => geometry && [geometry.type, geometry.xy.length])).toEqual([
      ['Point', 2],
      ['Point', 2],
      ['MultiPoint', 4],
      ['MultiPoint', 4],
      ['Polygon', 16],
      ['MultiPolygon', 8],
      null,
      ['LineString', 4],
    ]);
    expect([...rows[7]!.geometry!.xy]).toEqual([1, 2, 3, 4]);
  });

  it('has curves and collections as GDAL reads them, the arcs as lines', async () => {
    const arc = 'CIRCULARSTRING(0 0,1 1,2 0)';
    const cells = [
      arc,
      `COMPOUNDCURVE(${arc},(2 0,3 0))`,
      `SRID=4326;CURVEPOLYGON Z (COMPOUNDCURVE Z (CIRCULARSTRING Z (0 0 1,1 1 1,2 0 1),(2 0 1,0 0 1)),(.5 .1 1,1 .1 1,1 .2 1,.5 .1 1))`,
      `MultiSurface(((5 5,6 5,6 6,5 5)),CURVEPOLYGON(COMPOUNDCURVE(${arc},(2 0,0 0))))`,
      `MULTICURVE(${arc},(2 0,3 0))`,
      'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOINT(1 2,(3 4)))',
      'CURVEPOLYGON EMPTY',
      'CURVEPOLYGON(CIRCULARSTRING(0 0,1 1)',
      'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))',
    ];
    const path = write('curves.csv', `ID,g\n${cells.map((cell, i) => `${i},"${cell}"`).join('\n')}\n`);
    const rows = await readRows(path, { geometry: 'g' });
    expect(
      rows.map(({ geometry }) => geometry && [geometry.type, geometry.ends.length, geometry.parts.length]),
    ).toEqual([
      ['LineString', 1, 0],
      ['LineString', 1, 0],
      ['Polygon', 2, 1],
      ['MultiPolygon', 2, 2],
      ['MultiLineString', 2, 0],
      ['MultiPoint', 1, 0],
      null,
      null,
      null,
    ]);
    const { xy } = rows[0]!.geometry!;
    for (let i = 0; i < xy.length; i += 2) expect(Math.hypot(xy[i]! - 1, xy[i + 1]!)).toBeCloseTo(1, 12);
    expect(xy.length).toBeGreaterThan(100);
    expect(rows.slice(6).map(({ unread }) => unread?.reason)).toEqual([
      undefined,
      expect.stringMatching(/neither WKT nor WKB/),
      expect.stringMatching(/points and lines/),
    ]);
  });

  it('is found by place init, and refused where a cell is no geometry', async () => {
    const path = write('found.csv', 'ID,the_geom\n1,POINT (1 2)\n2,"POLYGON ((0 0, 1 0, 1 1, 0 0))"\n');
    expect(await tableOptions(path, null, {})).toEqual({ geometry: 'the_geom' });
  });

  it('loses a row alone whose cell is no geometry, is cut off or is in another system', async () => {
    // ST_AsHexEWKB of PostGIS, SRID 2263.
    const feet = '0101000020D708000000000000D0122E4100000000006A0841';
    const cells = ['CIRCLE (1 2)', LINE.slice(0, 60), 'SRID=2263;POINT (1 2)', feet, 'POINT (1 2)', 'POLYGON ((0 0, 1'];
    const path = write('bad.csv', `ID,g\n${cells.map((cell, i) => `${i},"${cell}"`).join('\n')}\n`);
    const reasons = async (options: object) =>
      (await readRows(path, { geometry: 'g', ...options })).map(row => row.unread?.reason);
    const other = expect.stringMatching(
      /says SRID 2263, and the file is read as EPSG:4326; set options\.crs to EPSG:2263/,
    );
    const none = expect.stringMatching(/neither WKT nor WKB/);
    expect(await reasons({})).toEqual([none, expect.any(String), other, other, undefined, none]);
    expect(await reasons({ crs: 'EPSG:2263' })).toEqual([
      none,
      expect.any(String),
      undefined,
      undefined,
      undefined,
      none,
    ]);
  });
});
