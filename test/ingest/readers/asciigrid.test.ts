import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';
import { damaged, zipOf } from './zip.ts';

const write = scratch();
const HEADER = 'ncols 3\nnrows 2\nxllcorner -70\nyllcorner 44\ncellsize 0.5\nNODATA_value -9999\n';
const GRID = `${HEADER}1 2 -9999\n4 5.5 6e1\n`;
const WKT = 'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137,298.257]]]';

describe('ASCII grid', () => {
  it('reads cells from the north, no data as NaN, and the footprint', async () => {
    for (const [name, content] of [
      ['a.asc', GRID],
      ['crlf.asc', GRID.replaceAll('\n', '\r\n')],
      ['a.asc.gz', GRID],
      ['a.asc.zip', await zipOf({ 'grids/a.asc': GRID, 'readme.txt': 'x' })],
    ] as const) {
      const rows = await readRows(write(name, content), { crs: 'EPSG:4326' });
      expect(rows).toHaveLength(1);
      const { values, ...place } = rows[0]!.properties;
      expect(place).toEqual({ band: 1, column: 0, row: 0, width: 3, height: 2 });
      expect([...(values as Float64Array)]).toEqual([1, 2, NaN, 4, 5.5, 60]);
      expect([...rows[0]!.geometry!.xy]).toEqual([-70, 45, -70, 44, -68.5, 44, -68.5, 45, -70, 45]);
    }
  });

  it('takes centres of cells, another order of its header and cells that are no squares', async () => {
    const text = 'NROWS 1\nNCOLS 2\nXLLCENTER 0.5\nYLLCENTER 1\ndx 1\ndy 2\n7 8';
    const [row] = await readRows(write('centre.asc', text));
    expect([...row!.geometry!.xy]).toEqual([0, 2, 0, 0, 2, 0, 2, 2, 0, 2]);
    expect([...(row!.properties.values as Float64Array)]).toEqual([7, 8]);
  });

  it('cuts a large grid into blocks of whole lines', async () => {
    const [columns, lines] = [1000, 150];
    const cells = Array.from({ length: lines }, (_, i) => Array.from({ length: columns }, (_, j) => i * columns + j));
    const head = `ncols ${columns}\nnrows ${lines}\nxllcorner 0\nyllcorner 0\ncellsize 1\n`;
    const path = write('large.asc', head + cells.map(line => line.join(' ')).join('\n'));
    const source = await openSource(path);
    const rows = await readRows(path);
    expect([source.count, rows.length]).toEqual([3, 3]);
    expect(rows.flatMap(r => [...(r.properties.values as Float64Array)])).toEqual(cells.flat());
    expect(rows[1]!.geometry!.xy[1]).toBe(lines - 65);
  });

  it('has the CRS of the .prj beside it or in the zip', async () => {
    write('b.prj', WKT);
    const beside = await openSource(write('b.asc', GRID));
    expect(beside.crs).toBe(WKT);
    const zipped = await openSource(write('b.asc.zip', await zipOf({ 'b.asc': GRID, 'B.PRJ': WKT })));
    expect(zipped.crs).toBe(WKT);
    await zipped.close();
    expect((await openSource(write('silent.asc', GRID))).crs).toBeNull();
  });
});

describe('damaged ASCII grid', () => {
  it.each([
    ['an empty file', '', 'file_truncated', null],
    ['a header alone', HEADER, 'file_truncated', null],
    ['a cut-off header', HEADER.slice(0, 20), 'file_truncated', null],
    ['cut-off cells', GRID.slice(0, -6), 'file_truncated', 1],
    ['too many cells', `${GRID} 7`, 'file_corrupt', 1],
    ['text among cells', GRID.replace('5.5', 'five'), 'file_corrupt', 1],
    ['a header without columns', GRID.replace('ncols', 'cols'), 'file_corrupt', null],
    ['text in the header', GRID.replace('0.5', 'half'), 'file_corrupt', null],
    ['cells of no size', GRID.replace('0.5', '0'), 'file_corrupt', null],
    ['half a column', GRID.replace('ncols 3', 'ncols 2.5'), 'file_corrupt', null],
    ['another text', 'once upon a time\n', 'file_corrupt', null],
    ['numbers without header', '1 2 3\n', 'file_corrupt', null],
  ])('refuses %s', async (_, content, code, row) => {
    const path = write('bad.asc', content);
    expect(await failureOf(path)).toMatchObject({ name: 'ReadError', code, row, file: path });
  });

  it('finds damage in a zip', async () => {
    const zip = await zipOf({ 'a.asc': GRID });
    expect(await failureOf(write('dam.asc.zip', damaged(zip)))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(write('cut.asc.zip', zip.subarray(0, -30)))).toMatchObject({ code: 'file_truncated' });
    const two = write('two.asc.zip', await zipOf({ 'a.asc': GRID, 'b.asc': GRID }));
    expect(await failureOf(two)).toMatchObject({ code: 'part_missing' });
    expect(await readRows(two, { member: 'B.asc' })).toHaveLength(1);
    const none = write('none.asc.zip', await zipOf({ 'a.txt': 'x' }));
    expect(await failureOf(none)).toMatchObject({ code: 'part_missing', message: expect.stringMatching(/a\.txt/) });
  });
});
