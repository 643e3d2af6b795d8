import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();
const properties = async (name: string, text: string | Uint8Array, options = {}) =>
  (await readRows(write(name, text), options)).map(r => r.properties);

describe('CSV', () => {
  it('keeps values as text and empty cells as null', async () => {
    const found = await properties('a.csv', 'fips,n,name\n01001,1.50,\n02013,,"a ""b"", c\nd"\n');
    expect(found).toEqual([
      { fips: '01001', n: '1.50', name: null },
      { fips: '02013', n: null, name: 'a "b", c\nd' },
    ]);
  });

  it.each([
    ['\n', 'lf'],
    ['\r\n', 'crlf'],
    ['\r', 'cr'],
  ])('reads line ends %j, a byte-order mark and gzip', async (end, name) => {
    const text = `\uFEFF${['a,b', '1,2', '3,4'].join(end)}${end}`;
    const wanted = [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ];
    expect(await properties(`${name}.csv`, text)).toEqual(wanted);
    expect(await properties(`${name}.csv.gz`, text)).toEqual(wanted);
    const titled = ['note "x', 'a,b', '1,2', '3,4'].join(end);
    expect(await properties(`${name}2.csv`, titled, { skipLines: 1 })).toEqual(wanted);
  });

  it('skips lines before and after the header and takes another delimiter', async () => {
    const text = 'Some "title\nand, more\na|b\nunits|m\n1|2\n';
    const options = { skipLines: 2, skipAfterHeader: 1, delimiter: '|' };
    expect(await properties('skip.csv', text, options)).toEqual([{ a: '1', b: '2' }]);
    expect(await properties('tabs.tsv', 'a\tb\n1\t2\n')).toEqual([{ a: '1', b: '2' }]);
  });

  it('gives every column a name of its own', async () => {
    const source = await openSource(write('names.csv', 'a,,a,a_2,\n1,2,3,4,5\n'));
    expect(source.columns).toEqual(['a', 'column_2', 'a_2', 'a_2_2', 'column_5']);
  });

  it('makes points of two columns', async () => {
    const path = write('points.csv', 'name,lat,lon\nx,44.5, -68.25\ny,,\nz,north,1\n');
    const source = await openSource(path, { options: { x: 'lon', y: 'lat' } });
    expect(source.crs).toBe('EPSG:4326');
    const rows = await readRows(path, { x: 'lon', y: 'lat' });
    expect(rows.map(r => (r.geometry ? [...r.geometry.xy] : null))).toEqual([[-68.25, 44.5], null, null]);
    const other = await openSource(path, { options: { x: 'lon', y: 'lat', crs: 'EPSG:26919' } });
    expect(other.crs).toBe('EPSG:26919');
    expect((await openSource(path)).crs).toBeNull();
  });

  it('says which cell is no number, and takes a decimal comma where semicolons divide cells, as GDAL does', async () => {
    const text = 'lat;lon\n44,5;-70,25\n"44° 30\' 15"" N";-70\n1.234,5;-70\n';
    const rows = await readRows(write('degrees.csv', text), { x: 'lon', y: 'lat' });
    expect(rows.map(({ geometry, unread }) => unread?.reason ?? [...geometry!.xy])).toEqual([
      [-70.25, 44.5],
      expect.stringMatching(/^"44° 30' 15" N" in lat is no number; decimal degrees/),
      expect.stringMatching(/^"1\.234,5" in lat is no number/),
    ]);
    const [row] = await readRows(write('feet.csv', 'x,y\n"200,000",1\n'), { x: 'x', y: 'y' });
    expect(row!.unread!.reason).toMatch(/^"200,000" in x is no number/);
  });

  it('decodes text', async () => {
    const latin = Buffer.from('a\nCañon\n', 'latin1');
    expect(await properties('latin.csv', latin)).toEqual([{ a: 'Cañon' }]);
    expect(await properties('named.csv', latin, { encoding: 'windows-1252' })).toEqual([{ a: 'Cañon' }]);
    expect(await properties('utf8.csv', 'a\nCañon\n')).toEqual([{ a: 'Cañon' }]);
  });

  it('takes a quote inside an unquoted cell as text, and stray empty cells as none', async () => {
    expect(await properties('inch.csv', 'a,b\n5" pipe,1,,\n')).toEqual([{ a: '5" pipe', b: '1' }]);
  });

  it('reads a header without rows', async () => {
    expect(await properties('header.csv', 'a,b\n')).toEqual([]);
  });
});

describe('damaged CSV', () => {
  it.each([
    ['an open quote', 'a,b\n1,2\n3,"4\n', {}, 'file_truncated', 2],
    ['an empty file', '', {}, 'file_truncated', null],
    ['nothing after the skipped lines', 'x\n', { skipLines: 1 }, 'file_truncated', null],
    ['a missing point column', 'a,b\n1,2\n', { x: 'lon', y: 'b' }, 'column_missing', null],
    ['one point column of two', 'a,b\n1,2\n', { x: 'a' }, 'column_missing', null],
    ['an unknown encoding', 'a,b\n1,2\n', { encoding: 'klingon' }, 'format_unsupported', null],
  ])('refuses %s', async (_, text, options, code, row) => {
    expect(await failureOf(write('bad.csv', text), options)).toMatchObject({ name: 'ReadError', code, row });
  });

  it('loses the rows alone that have other cells than the header, and says why', async () => {
    const rows = await readRows(write('ragged.csv', 'a,b,\n1,2,\n3\n4,5\n6,7,8,9\n'));
    expect(rows.map(({ properties, unread }) => unread?.reason ?? properties)).toEqual([
      { a: '1', b: '2', column_3: null },
      'has 1 cells, the header 3; check the delimiter and the quotes',
      { a: '4', b: '5', column_3: null },
      'has 4 cells, the header 3; check the delimiter and the quotes',
    ]);
  });

  it('finds truncated gzip', async () => {
    const bytes = gzipSync(`a,b\n${'1,2\n'.repeat(5000)}`);
    expect(await failureOf(write('cut.csv.gz', bytes.subarray(0, -10)))).toMatchObject({ code: 'file_truncated' });
  });

  it('says that a file is missing', async () => {
    expect(await failureOf('/nowhere/a.csv')).toMatchObject({ code: 'file_missing', file: '/nowhere/a.csv' });
  });
});
