import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { unitFactor } from '../../datasets/codes/units.ts';
import { changeOf } from '../../ingest/raster/cell-change.ts';
import { ReadError } from '../../ingest/reader.ts';
import { CogFile } from '../../query/format/cog.ts';
import { createCache } from '../../query/release/cache.ts';
import { openRaster } from '../../query/release/raster.ts';
import { rasterStore } from './published-raster.ts';

/** Files of 6 x 4 cells that GDAL 3.6 wrote. */
interface Published {
  readonly name: string;
  readonly unit: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** What GDAL reads in them: scaled, null where masked. */
  readonly expected: readonly (number | null)[];
  readonly transform?: readonly number[];
}
/** Files of which no value can be stored, and a part of the reason. */
interface Refused {
  readonly name: string;
  readonly unit?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly why: string;
}
const read = <T>(file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as readonly T[];
const CASES = read<Published>('./published-rasters.json');
const REFUSED = read<Refused>('./refused-rasters.json');

const folder = mkdtempSync(join(tmpdir(), 'plat-published-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = rasterStore();

/** Writes the files of a case, with its name. @returns path of the raster. */
function written({ name, files }: Pick<Published, 'name' | 'files'>): string {
  const stem = name.replace(/\W+/g, '-');
  for (const [file, bytes] of Object.entries(files))
    writeFileSync(join(folder, file.replace(/^c\b/, stem)), Buffer.from(bytes, 'base64'));
  return join(folder, `${stem}.tif`);
}

describe('a published raster is stored with the values that GDAL reads', () => {
  it.each(CASES)('$name', async ({ unit, files, expected, name, transform }) => {
    const path = await store(written({ name, files }), unit === null ? {} : { unit });
    const file = new CogFile(path);
    if (transform) expect(file.header.transform).toEqual(transform);
    file.close();
    const raster = openRaster(path, name, createCache(1));
    const cells = await raster.window(1, 0, 0, 6, 4);
    raster.close();
    expect([raster.width, raster.height]).toEqual([6, 4]);
    for (const [i, value] of expected.entries()) {
      if (value === null) expect(cells[i], `cell ${i}`).toBeNaN();
      else expect(Math.abs(cells[i]! - value), `cell ${i}: ${cells[i]}`).toBeLessThanOrEqual(Math.abs(value) * 6e-8);
    }
  });
});

describe('a raster that cannot be stored so', () => {
  it.each(REFUSED)('is refused by name: $name', async ({ unit, why, ...refused }) => {
    const path = written(refused);
    const error = await store(path, unit === undefined ? {} : { unit }).catch(error => error);
    expect(error).toBeInstanceOf(ReadError);
    expect(error.message).toContain(why);
    // It says what was wrong and, where something can be done, what.
    expect(error.message).not.toMatch(/undefined|TypeError|RangeError/);
  });
});

describe('how numbers are stored', () => {
  const band = { type: 'Byte', scale: 1, offset: 0, unit: null, nodata: null, isMasked: false };

  it('widens whole numbers for a mask only where none is free', () => {
    expect(changeOf('a.tif', band, {}, {})).toMatchObject({ type: 'uint8', nodata: null });
    expect(changeOf('a.tif', { ...band, isMasked: true }, {}, {})).toMatchObject({ type: 'int16', nodata: -32_768 });
    expect(changeOf('a.tif', { ...band, isMasked: true, nodata: 7 }, {}, {})).toMatchObject({
      type: 'uint8',
      nodata: 7,
    });
    expect(changeOf('a.tif', { ...band, isMasked: true, type: 'UInt32' }, {}, {}).type).toBe('float64');
  });

  it('takes Float64 where Float32 loses', () => {
    const typeOf = (type: string, scale: number, offset = 0) =>
      changeOf('a.tif', { ...band, type, scale, offset }, { unit: 'm' }, {}).type;
    expect(typeOf('Int16', 0.01, 100)).toBe('float32');
    expect(typeOf('Int16', 0.01, 1e7)).toBe('float64');
    expect(typeOf('Int32', 0.01)).toBe('float64');
    expect(typeOf('Float32', 0.01)).toBe('float64');
    expect(typeOf('Float32', 1)).toBe('float32');
  });

  it("takes the place's unit, scale and nodata before the file's, and refuses a unit of something else", () => {
    const feet = { ...band, type: 'Int16', unit: 'ft' };
    expect(changeOf('a.tif', feet, { unit: 'm' }, {}).factor).toBe(0.3048);
    const stated = changeOf('a.tif', feet, { unit: 'm', nodata: [9] }, { unit: 'cm', scale: 10, nodata: -1 });
    expect(stated).toMatchObject({ factor: 0.1, empty: [-1, 9] });
    expect(() => changeOf('a.tif', { ...feet, unit: 'K' }, { unit: 'm' }, {})).toThrow(/values in "K".*options/);
    expect(unitFactor('0.001 in', 'mm')).toBeCloseTo(0.0254, 12);
    expect(unitFactor('kWh/m²/d', 'kWh/m2/day')).toBe(1);
    expect(unitFactor('US survey foot', 'm')).toBe(1200 / 3937);
  });
});
