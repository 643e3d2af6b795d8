import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';
import {
  dbf,
  type Field,
  NULL_SHAPE,
  point,
  polygon,
  type Ring,
  reversed,
  shp,
  square,
  zip,
} from './shapefile-bytes.ts';

const write = scratch();

const table = dbf([['NAME', 'C', 4]], [' one ', ' two ']);
const twoPoints = shp([point(1, 2), point(3, 4)], 1);

function plain(name: string, parts: Readonly<Record<string, Buffer | string>>): string {
  for (const [ending, content] of Object.entries(parts)) write(`${name}.${ending}`, content);
  return write(`${name}.shp`, parts.shp!);
}

describe('plain shapefile', () => {
  it('pairs geometry and attributes record by record', async () => {
    const path = plain('pairs', { shp: twoPoints, dbf: table, prj: 'GEOGCS["x"]' });
    const source = await openSource(path);
    expect(source).toMatchObject({ crs: 'GEOGCS["x"]', columns: ['NAME'], count: 2 });
    await source.close();
    const rows = await readRows(path);
    expect(rows.map(r => [r.number, r.properties.NAME, [...r.geometry!.xy]])).toEqual([
      [1, 'one', [1, 2]],
      [2, 'two', [3, 4]],
    ]);
  });

  it.each([11, 21])('drops Z and M of point type %d', async type => {
    const path = plain(`point${type}`, { shp: shp([point(1, 2, type), NULL_SHAPE], type), dbf: table });
    const rows = await readRows(path);
    expect(rows[0]!.geometry).toEqual({
      type: 'Point',
      xy: Float64Array.of(1, 2),
      ends: Uint32Array.of(1),
      parts: new Uint32Array(0),
    });
    expect(rows[1]!.geometry).toBeNull();
  });

  it('reads columns by type and treats NUL and blank padding alike', async () => {
    const fields: Field[] = [
      ['INT', 'N', 6],
      ['REAL', 'F', 8],
      ['BIG', 'N', 18],
      ['YES', 'L', 1],
      ['DAY', 'D', 8],
      ['TEXT', 'C', 6],
      ['TEXT', 'C', 2],
      ['', 'N', 3],
    ];
    const path = plain('types', {
      shp: shp([point(0, 0), point(0, 0)], 1),
      dbf: dbf(fields, [
        ' 42\0\0\0\0 1.5e+0 123456789012345678T20240229 a b  xx***',
        `${' \0\0\0\0\0\0        '.padEnd(33)}?        \0\0\0\0\0\0     `,
      ]),
    });
    const rows = await readRows(path);
    expect(rows[0]!.properties).toEqual({
      INT: 42,
      REAL: 1.5,
      BIG: '123456789012345678',
      YES: true,
      DAY: '2024-02-29',
      TEXT: ' a b',
      TEXT_2: 'xx',
      column_8: null,
    });
    expect(Object.values(rows[1]!.properties)).toEqual(Array(8).fill(null));
  });

  it('leaves deleted records out and keeps the numbers of the others', async () => {
    const deleted = dbf([['NAME', 'C', 4]], ['*one ', ' two ']);
    const rows = await readRows(plain('deleted', { shp: twoPoints, dbf: deleted }));
    expect(rows.map(r => [r.number, r.properties.NAME])).toEqual([[2, 'two']]);
  });

  it.each([
    ['cpg', { cpg: 'ISO-8859-1' }, 0, Buffer.from([0x20, 0xe9, 0x20, 0x20, 0x20])],
    ['language driver', {}, 87, Buffer.from([0x20, 0xe9, 0x20, 0x20, 0x20])],
    ['UTF-8 by default', {}, 0, Buffer.from(' é  ')],
    ['Windows-1252 where it is no UTF-8', {}, 0, Buffer.from([0x20, 0xe9, 0x20, 0x20, 0x20])],
  ])('decodes text: %s', async (name, more, driver, record) => {
    const path = plain(`text-${name.replaceAll(' ', '')}`, {
      shp: shp([point(0, 0)], 1),
      dbf: dbf([['NAME', 'C', 4]], [record], driver),
      ...more,
    });
    expect((await readRows(path))[0]!.properties.NAME).toBe('é');
  });

  it('has no CRS without .prj unless told', async () => {
    const path = plain('noprj', { shp: twoPoints, dbf: table });
    const crs = async (options: object) => {
      const source = await openSource(path, { options });
      await source.close();
      return source.crs;
    };
    expect(await crs({})).toBeNull();
    expect(await crs({ crs: 'EPSG:2264' })).toBe('EPSG:2264');
    const stated = plain('withprj', { shp: twoPoints, dbf: table, prj: 'STATED' });
    const other = await openSource(stated, { options: { crs: 'EPSG:2264' } });
    expect(other.crs).toBe('STATED');
    const forced = await openSource(stated, { options: { crs: 'EPSG:2264', overrideCrs: true } });
    expect(forced.crs).toBe('EPSG:2264');
  });

  it('takes an empty .prj for none, and reads one in UTF-16', async () => {
    const empty = plain('emptyprj', { shp: twoPoints, dbf: table, prj: '' });
    expect((await openSource(empty)).crs).toBeNull();
    expect((await openSource(empty, { options: { crs: 'EPSG:4326' } })).crs).toBe('EPSG:4326');
    const wide = Buffer.from('\uFEFFGEOGCS["x"]', 'utf16le');
    for (const prj of [wide, wide.subarray(2), Buffer.from(wide).swap16()])
      expect((await openSource(plain('wideprj', { shp: twoPoints, dbf: table, prj }))).crs).toBe('GEOGCS["x"]');
  });

  it('misses the .dbf unless told to do without', async () => {
    const path = plain('nodbf', { shp: twoPoints });
    expect(await failureOf(path)).toMatchObject({ code: 'part_missing', file: path });
    const rows = await readRows(path, { withoutAttributes: true });
    expect(rows.map(r => r.properties)).toEqual([{}, {}]);
  });
});

describe('polygons', () => {
  const shape = async (name: string, rings: readonly Ring[], type = 5) => {
    const path = plain(name, { shp: shp([polygon(rings, type)], type) });
    const [row] = await readRows(path, { withoutAttributes: true });
    const { type: found, ends, parts } = row!.geometry!;
    return { type: found, ends: [...ends], parts: [...parts], xy: [...row!.geometry!.xy] };
  };
  const outer = square(0, 0, 10);
  const hole = reversed(square(2, 2, 2));
  const second = square(20, 0, 10);
  const secondHole = reversed(square(22, 2, 2));

  it.each([5, 15, 25])('reads type %d with a hole', async type => {
    const found = await shape(`hole${type}`, [outer, hole], type);
    expect(found).toMatchObject({ type: 'Polygon', ends: [5, 10], parts: [2] });
    expect(found.xy).toEqual([...outer, ...hole].flat());
  });

  it('gives each hole to the shell around it, wherever it stands', async () => {
    const found = await shape('order', [secondHole, outer, hole, second]);
    expect(found).toMatchObject({ type: 'MultiPolygon', ends: [5, 10, 15, 20], parts: [2, 4] });
    expect(found.xy).toEqual([...outer, ...hole, ...second, ...secondHole].flat());
  });

  it('tolerates rings that all run the wrong way', async () => {
    const found = await shape('wrong', [reversed(outer), reversed(hole), reversed(second)]);
    expect(found).toMatchObject({ type: 'MultiPolygon', parts: [2, 3] });
  });

  it('tolerates rings that all run the same way', async () => {
    const found = await shape('same', [outer, reversed(hole)]);
    expect(found).toMatchObject({ type: 'Polygon', parts: [2] });
  });

  it('knows an island in a lake from a hole', async () => {
    const lake = reversed(square(1, 1, 8));
    const island = square(3, 3, 2);
    const found = await shape('island', [outer, lake, island]);
    expect(found).toMatchObject({ type: 'MultiPolygon', ends: [5, 10, 15], parts: [2, 3] });
  });

  it('assigns a hole that touches its shell at a vertex', async () => {
    const touching: Ring = [
      [0, 0],
      [4, 1],
      [1, 4],
      [0, 0],
    ];
    expect(await shape('touch', [outer, touching])).toMatchObject({ type: 'Polygon', parts: [2] });
  });
});

describe('zipped shapefile', () => {
  it.each([
    [true, 'packed-true.shp.zip'],
    [false, 'packed-false.shp.zip'],
    // As `ogr2ogr -f "ESRI Shapefile" lots.shz` writes it.
    [true, 'packed.shz'],
  ])('reads deflated (%s) and stored parts past other entries of %s', async (compress, name) => {
    const files = {
      'readme.txt': Buffer.from('hello'),
      '__MACOSX/._a.shp': Buffer.from('fork'),
      'in/A.SHP': twoPoints,
      'in/A.DBF': table,
      'in/a.prj': Buffer.from('WKT'),
    };
    const path = write(name, await zip(files, compress));
    const source = await openSource(path);
    expect(source.crs).toBe('WKT');
    await source.close();
    expect((await readRows(path)).map(r => r.properties.NAME)).toEqual(['one', 'two']);
  });

  it('refuses none, and asks which of several shapefiles is meant', async () => {
    const none = write('none.shp.zip', await zip({ 'a.txt': Buffer.from('x') }));
    expect(await failureOf(none)).toMatchObject({ code: 'part_missing' });
    const two = await zip({ 'a.shp': twoPoints, 'x/b.shp': twoPoints, 'x/b.dbf': table });
    for (const name of ['two.zip', 'two.shp.zip']) {
      const path = write(name, two);
      const choice = { option: 'member', names: ['a.shp', 'x/b.shp'] };
      expect(await failureOf(path)).toMatchObject({ code: 'part_missing', choice });
      for (const member of ['x/b.shp', 'B.shp']) expect(await readRows(path, { member })).toHaveLength(2);
    }
  });

  it('finds a flipped bit by checksum', async () => {
    const bytes = await zip({ 'a.shp': twoPoints, 'a.dbf': table }, false);
    const at = bytes.indexOf(twoPoints) + 100 + 8 + 6;
    bytes[at]! ^= 1;
    expect(await failureOf(write('flipped.zip', bytes))).toMatchObject({ code: 'file_corrupt' });
  });

  it('finds a zip that was cut off, at any byte', async () => {
    const bytes = await zip({ 'a.shp': twoPoints, 'a.dbf': table });
    for (const end of [30, Math.floor(bytes.length / 2), bytes.length - 1])
      expect(await failureOf(write('cut.zip', bytes.subarray(0, end)))).toMatchObject({ code: 'file_truncated' });
  });

  it('refuses what is no zip', async () => {
    expect(await failureOf(write('garbage.zip', 'not a zip at all, only some text'))).toMatchObject({
      code: 'file_corrupt',
    });
    expect(await failureOf(write('empty.zip', ''))).toMatchObject({ code: 'file_truncated' });
  });
});

describe('damaged parts', () => {
  it('names the row at which the .shp breaks', async () => {
    const bytes = Buffer.from(shp([polygon([square(0, 0, 1)]), polygon([square(0, 0, 1)])]));
    bytes.writeInt32LE(999, 100 + 8 + 128 + 8 + 40);
    const failure = await failureOf(plain('counts', { shp: bytes }), { withoutAttributes: true });
    expect(failure).toMatchObject({ code: 'file_corrupt', row: 2 });
    expect(failure.message).toContain('999 points');
  });

  it('finds a .shp or .dbf that was cut off', async () => {
    const shpCut = plain('shpcut', { shp: twoPoints.subarray(0, 120), dbf: table });
    expect(await failureOf(shpCut)).toMatchObject({ code: 'file_truncated', file: shpCut });
    const dbfCut = plain('dbfcut', { shp: twoPoints, dbf: table.subarray(0, table.length - 4) });
    expect(await failureOf(dbfCut)).toMatchObject({ code: 'file_truncated' });
    const empty = plain('shpempty', { shp: Buffer.alloc(0), dbf: table });
    expect(await failureOf(empty)).toMatchObject({ code: 'file_truncated' });
  });

  it('finds records that do not pair up', async () => {
    const fewer = dbf([['NAME', 'C', 4]], [' one ']);
    expect(await failureOf(plain('fewer', { shp: twoPoints, dbf: fewer }))).toMatchObject({
      code: 'file_corrupt',
      row: 2,
    });
    const more = dbf([['NAME', 'C', 4]], [' one ', ' two ', ' xyz ']);
    expect(await failureOf(plain('more', { shp: twoPoints, dbf: more }))).toMatchObject({ code: 'file_corrupt' });
  });

  it('refuses garbage and unknown shape types, and says of a multipatch that it is not read', async () => {
    const garbage = plain('garbage', { shp: Buffer.alloc(200, 7), dbf: table });
    expect(await failureOf(garbage)).toMatchObject({ code: 'file_corrupt' });
    const odd = plain('odd', { shp: shp([point(1, 2, 1).fill(2, 0, 1)]) });
    expect(await failureOf(odd, { withoutAttributes: true })).toMatchObject({ code: 'file_corrupt', row: 1 });
    const patch = Buffer.alloc(44);
    patch.writeInt32LE(31, 0);
    expect(await readRows(plain('patch', { shp: shp([patch]) }), { withoutAttributes: true })).toMatchObject([
      { number: 1, geometry: null, unread: { reason: expect.stringMatching(/^MultiPatch/) } },
    ]);
  });

  it('says that a file is missing', async () => {
    const path = plain('gone', { shp: twoPoints, dbf: table });
    rmSync(path);
    expect(await failureOf(path)).toMatchObject({ code: 'file_missing' });
  });

  it('stops when aborted', async () => {
    const many = shp(
      Array.from({ length: 2500 }, () => point(1, 2)),
      1,
    );
    const source = await openSource(plain('many', { shp: many }), { options: { withoutAttributes: true } });
    const controller = new AbortController();
    let rows = 0;
    const reading = (async () => {
      for await (const batch of source.rows(controller.signal)) {
        rows += batch.length;
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    expect(rows).toBe(1000);
    await source.close();
  });
});
