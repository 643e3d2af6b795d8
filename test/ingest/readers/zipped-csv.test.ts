import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';
import { damaged, zipOf } from './zip.ts';

const write = scratch();
/** Members in the manner of the FCC's r_tower.zip: no header line, cells parted by bars. */
const towers = {
  'counts.txt': 'RA 2\n',
  'RA.dat': 'RA|REG|A0001|96974|1000001|\nRA|REG|A0002|96975|1000002|185 "Main" St\n',
  'CO.dat': 'CO|1000001|T|43|57|24.0|N|-72|3|12\n',
};
const header = ['record_type', 'content', 'file_number', 'registration_number', 'usi', 'address'];

describe('text in a zip', () => {
  it('reads the member asked for, without a header line', async () => {
    const path = write('r_tower.dat.zip', await zipOf(towers));
    const rows = await readRows(path, { member: 'ra.dat', delimiter: '|', header });
    expect(rows.map(r => [r.number, r.properties.usi, r.properties.address])).toEqual([
      [1, '1000001', null],
      [2, '1000002', '185 "Main" St'],
    ]);
    const source = await openSource(path, { options: { member: 'RA.dat', delimiter: '|', header } });
    expect([source.columns, source.crs]).toEqual([header, null]);
    await source.close();
  });

  it('reads the only table of a zip, with tabs and points', async () => {
    const path = write('x.csv.zip', await zipOf({ 'data/x.tsv': 'lon\tlat\n-70\t44\n', 'LICENSE.md': 'MIT' }));
    const rows = await readRows(path, { x: 'lon', y: 'lat' });
    expect(rows.map(r => [...r.geometry!.xy])).toEqual([[-70, 44]]);
  });

  it('reads headerless text outside a zip as well', async () => {
    const rows = await readRows(write('RA.dat', towers['RA.dat']), { delimiter: '|', header, skipAfterHeader: 1 });
    expect(rows.map(r => r.properties.usi)).toEqual(['1000002']);
  });

  it('refuses what it cannot choose or trust', async () => {
    const zip = await zipOf({ 'a.csv': `a,b\n${'1,2\n'.repeat(3000)}`, 'b.csv': 'a\n' });
    const path = write('two.csv.zip', zip);
    expect(await failureOf(path)).toMatchObject({ code: 'part_missing', file: path, row: null });
    expect(await failureOf(path, { member: 'c.csv' })).toMatchObject({ code: 'part_missing' });
    expect(await failureOf(path, { member: 'b.csv', x: 'lon', y: 'a' })).toMatchObject({ code: 'column_missing' });
    const bad = await failureOf(write('bad.csv.zip', damaged(zip)), { member: 'a.csv' });
    expect(bad).toMatchObject({ name: 'ReadError', code: 'file_corrupt' });
    expect(await failureOf(write('cut.csv.zip', zip.subarray(0, 100)))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('no.csv.zip', 'a,b\n1,2\n'))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(write('empty.csv.zip', ''))).toMatchObject({ code: 'file_truncated' });
    const hollow = write('hollow.csv.zip', await zipOf({ 'a.csv': '' }));
    expect(await failureOf(hollow)).toMatchObject({ code: 'file_truncated' });
    const short = write('short.dat.zip', await zipOf({ 'RA.dat': 'a|b|c\n' }));
    const [row] = await readRows(short, { delimiter: '|', header });
    expect(row!.unread!.reason).toMatch(/^has 3 cells, the header/);
  });
});
