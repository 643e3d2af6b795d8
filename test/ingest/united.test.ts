import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../ingest/format.ts';
import { failureOf, readRows, scratch } from './readers/scratch.ts';
import { zipOf } from './readers/zip.ts';
import { tarOf } from './tar.ts';

const write = scratch();
/**
 * In the manner of the climate normals by station (NOAA NCEI, us-climate-normals_1991-2020 … by-station): each has the columns of what
 * was measured there, in an order of its own.
 */
const STATIONS = {
  'USC00170273.csv': 'STATION,LATITUDE,LONGITUDE,ANN-PRCP-NORMAL,ANN-SNOW-NORMAL\nUSC00170273,44.8,-68.8,41.9,-7777\n',
  'USW00014606.csv':
    'STATION,LATITUDE,LONGITUDE,ANN-TAVG-NORMAL,ANN-PRCP-NORMAL\nUSW00014606,44.7978,-68.8185,44.7,41.94\n',
  'USW00094623.csv': 'ANN-TAVG-NORMAL,STATION,LATITUDE,LONGITUDE\n-9999,USW00094623,43.1,-70.1\n',
};
const POINT = { x: 'LONGITUDE', y: 'LATITUDE' };

describe('tables of an archive whose headers differ', () => {
  it.each(['by-station.tar.gz', 'by-station.zip'])('are one, its columns united by name, in %s', async name => {
    const members = { ...STATIONS, 'README.txt': 'a,b\n1,2\n' };
    const path = write(name, name.endsWith('.zip') ? await zipOf(members) : gzipSync(tarOf(members)));
    const options = { member: '*.csv', ...POINT };
    const source = await openSource(path, { options });
    expect([...source.columns].sort()).toEqual([
      'ANN-PRCP-NORMAL',
      'ANN-SNOW-NORMAL',
      'ANN-TAVG-NORMAL',
      'LATITUDE',
      'LONGITUDE',
      'STATION',
    ]);
    await source.close();
    const rows = await readRows(path, options);
    expect(
      rows.map(({ number, properties, geometry }) => [
        ...[number, properties.STATION, properties['ANN-TAVG-NORMAL'], properties['ANN-PRCP-NORMAL']],
        geometry!.xy[1],
      ]),
    ).toEqual([
      [1, 'USC00170273', undefined, '41.9', 44.8],
      [2, 'USW00014606', '44.7', '41.94', 44.7978],
      [3, 'USW00094623', '-9999', undefined, 43.1],
    ]);
    // One of them alone is read as ever.
    expect(await readRows(path, { member: 'usw00014606.csv' })).toHaveLength(1);
    expect(await readRows(path, { member: 'USW*.csv' })).toHaveLength(2);
  });

  it('name the member and the file where one cannot be read, or none fits', async () => {
    const path = write('some.tar', tarOf({ ...STATIONS, 'broken.csv': 'STATION,LATITUDE\nX,1\n' }));
    expect(await failureOf(path, { member: '*.csv', ...POINT })).toMatchObject({
      ...{ code: 'column_missing', file: path },
      message: expect.stringContaining('broken.csv'),
    });
    expect(await failureOf(path, { member: '*.dat' })).toMatchObject({ code: 'part_missing', file: path });
  });
});
