import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../ingest/format.ts';
import type { Feature } from '../../../../pipelines/world/format/feature.ts';
import { number, text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { readRows } from '../../../ingest/readers/scratch.ts';
import { scratch } from '../../../ingest/writers/samples.ts';

const folder = scratch();
const columns = [text('NAME', 6), number('SIZE', 7, 2)];
const at = (properties: Feature['properties'], lng = -70, lat = 43): Feature => ({
  properties,
  geometry: { type: 'Point', coordinates: [lng, lat] },
});
const write = async (name: string, rows: readonly Feature[], of = columns) => {
  const path = join(folder, `${name}.shp.zip`);
  await writeShapefile(path, rows, { geometry: 'point', columns: of });
  return path;
};

describe('a shapefile of the area', () => {
  it('has the rows in their order, and nothing where a value is missing', async () => {
    const path = await write('trees', [at({ NAME: 'Ash', SIZE: 3.5 }), at({ NAME: null }, -70.1234567, 43.5)]);
    const rows = await readRows(path);
    expect(rows.map(({ properties }) => properties)).toEqual([
      { NAME: 'Ash', SIZE: 3.5 },
      { NAME: null, SIZE: null },
    ]);
    expect([...rows[1]!.geometry!.xy]).toEqual([-70.1234567, 43.5]);
    const source = await openSource(path);
    expect(source.crs).toContain('North_American_1983');
    await source.close();
  });

  it('has the same bytes for the same rows', async () => {
    const bytes = async () => readFileSync(await write('trees', [at({ NAME: 'Ash' })]));
    expect((await bytes()).equals(await bytes())).toBe(true);
  });

  it('refuses what does not fit instead of cutting it', async () => {
    await expect(write('a', [at({ NAME: 'Ashcroft' })])).rejects.toThrow(
      'DBF column NAME: "Ashcroft" is longer than 6',
    );
    await expect(write('a', [at({ SIZE: 12_345.678 })])).rejects.toThrow(
      'DBF column SIZE: "12345.68" is longer than 7',
    );
    const long = [text('WETLAND_TYPE', 9)];
    await expect(write('a', [at({ WETLAND_TYPE: 'bog' })], long)).rejects.toThrow(/cannot have that name/);
    expect(readdirSync(folder)).not.toContain('a.shp.zip');
    expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([]);
  });
});
