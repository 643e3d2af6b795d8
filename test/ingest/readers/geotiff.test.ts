import { writeArrayBuffer } from 'geotiff';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';
import { zipOf } from './zip.ts';

const write = scratch();
const WIDTH = 6;
const HEIGHT = 4;

async function tiff(more: object = {}, bands = 1): Promise<Uint8Array> {
  const values = Array.from({ length: bands }, (_, b) =>
    Array.from({ length: HEIGHT }, (_, y) => Array.from({ length: WIDTH }, (_, x) => 100 * b + 10 * y + x)),
  );
  const buffer = await writeArrayBuffer(values, {
    width: WIDTH,
    height: HEIGHT,
    ModelPixelScale: [2, 3, 0],
    ModelTiepoint: [0, 0, 0, 500, 1000, 0],
    GTModelTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: 26912,
    ...more,
  } as never);
  return new Uint8Array(buffer);
}

describe('GeoTIFF', () => {
  it('gives every block of every band with its place and values', async () => {
    const path = write('bands.tif', await tiff({}, 2));
    const source = await openSource(path);
    expect(source.crs).toBe('EPSG:26912');
    await source.close();
    const rows = await readRows(path);
    expect(rows.length).toBe(source.count);
    for (const band of [1, 2]) {
      const seen = new Map<string, number>();
      for (const { properties: p } of rows.filter(r => r.properties.band === band)) {
        const values = p.values as ArrayLike<number>;
        const width = p.width as number;
        expect(values.length).toBe(width * (p.height as number));
        for (let i = 0; i < values.length; i++)
          seen.set(`${(p.column as number) + (i % width)},${(p.row as number) + Math.floor(i / width)}`, values[i]!);
      }
      expect(seen.size).toBe(WIDTH * HEIGHT);
      for (let y = 0; y < HEIGHT; y++)
        for (let x = 0; x < WIDTH; x++) expect(seen.get(`${x},${y}`)).toBe(100 * (band - 1) + 10 * y + x);
    }
    const xs = rows.flatMap(r => [...r.geometry!.xy].filter((_, i) => i % 2 === 0));
    const ys = rows.flatMap(r => [...r.geometry!.xy].filter((_, i) => i % 2 === 1));
    expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([500, 512, 988, 1000]);
  });

  it('puts the cells of a raster of points about their points, as GDAL does', async () => {
    const rows = await readRows(write('points.tif', await tiff({ GTRasterTypeGeoKey: 2 })));
    const [xs, ys] = [0, 1].map(axis => rows.flatMap(r => [...r.geometry!.xy].filter((_, i) => i % 2 === axis)));
    expect([Math.min(...xs!), Math.max(...xs!), Math.min(...ys!), Math.max(...ys!)]).toEqual([499, 511, 989.5, 1001.5]);
  });

  it('is read within a zip, of several the one that is named', async () => {
    const members = { 'grids/a.tif': await tiff(), 'grids/b.tif': await tiff({}, 2), 'readme.txt': 'of 2026' };
    const path = write('grids.tif.zip', await zipOf(members));
    const source = await openSource(path, { options: { member: 'a.tif' } });
    expect(source.crs).toBe('EPSG:26912');
    const cells: number[] = [];
    for await (const rows of source.rows())
      for (const { properties } of rows) cells.push(...Array.from(properties.values as ArrayLike<number>));
    expect(cells).toEqual(Array.from({ length: WIDTH * HEIGHT }, (_, i) => 10 * Math.floor(i / WIDTH) + (i % WIDTH)));
    await source.close();
    expect((await failureOf(path)).message).toContain('the zip holds 2 files that end in .tif or .tiff');
  });

  it('takes a geographic CRS', async () => {
    const geographic = { GTModelTypeGeoKey: 2, ProjectedCSTypeGeoKey: undefined, GeographicTypeGeoKey: 4326 };
    const source = await openSource(write('geo.tif', await tiff(geographic)));
    await source.close();
    expect(source.crs).toBe('EPSG:4326');
  });

  it('finds a file that was cut off', async () => {
    const bytes = await tiff();
    // The library that wrote it says eight times the bytes that the cells take.
    const cells = bytes.length - 8 * WIDTH * HEIGHT;
    for (const length of [cells + WIDTH * HEIGHT - 1, cells + 2])
      expect(await failureOf(write('cut.tif', bytes.subarray(0, length)))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(write('head.tif', bytes.subarray(0, 40)))).toMatchObject({ name: 'ReadError' });
  });

  it('refuses what is no TIFF', async () => {
    expect(await failureOf(write('text.tif', 'only some text, no TIFF'))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(write('empty.tif', ''))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf('/nowhere/a.tif')).toMatchObject({ code: 'file_missing' });
  });
});
