import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { scratch } from '../readers/scratch.ts';
import { dbf, point, shp } from '../readers/shapefile-bytes.ts';

const write = scratch();

/** What GDAL 3.6 makes of the bytes 128 to 255 by language driver; U+FFFD where it gives none. */
const DRIVERS = JSON.parse(readFileSync(join(import.meta.dirname, 'language-drivers.json'), 'utf8')) as readonly {
  readonly drivers: readonly number[];
  readonly characters: string;
}[];

async function namesOf(name: string, cells: readonly Buffer[], driver: number, cpg?: string) {
  const path = write(`${name}.shp`, shp(Array(cells.length).fill(point(0, 0)), 1));
  const width = Math.max(...cells.map(cell => cell.length));
  const records = cells.map(cell => Buffer.concat([Buffer.from(' '), cell, Buffer.alloc(width - cell.length, 0x20)]));
  writeFileSync(path.replace(/shp$/, 'dbf'), dbf([['NAME', 'C', width]], records, driver));
  if (cpg) writeFileSync(path.replace(/shp$/, 'cpg'), cpg);
  const source = await openSource(path);
  const names: unknown[] = [];
  for await (const batch of source.rows()) names.push(...batch.map(row => row.properties.NAME));
  await source.close();
  return { names, notes: source.findings!.notes };
}

describe('the text of a .dbf', () => {
  it.each(DRIVERS.flatMap(({ drivers, characters }) => drivers.map(driver => [driver, characters] as const)))(
    'by language driver %i is what GDAL reads',
    async (driver, characters) => {
      // GDAL reads 87 as ISO 8859-1, whose 128 to 159 are no letters.
      const bytes = Array.from({ length: 128 }, (_, i) => i + 128).filter(b =>
        /[^\ufffd\x80-\x9f]/.test(characters[b - 128]!),
      );
      const { names } = await namesOf(
        `l${driver}`,
        bytes.map(byte => Buffer.from([0x61, byte, 0x62])),
        driver,
      );
      expect(names).toEqual(bytes.map(byte => `a${characters[byte - 128]}b`));
    },
  );

  const latin = (text: string) => Buffer.from(text, 'latin1');

  it.each<[string, readonly Buffer[], number, string | undefined, string[], RegExp | null]>([
    ['UTF-8 as declared', [Buffer.from('Peña'), Buffer.from('Niño')], 87, 'UTF-8', ['Peña', 'Niño'], null],
    [
      'Windows-1252 by the header though the .cpg says UTF-8',
      [latin('abc'), latin('Pe\xf1a'), latin('Ni\xf1o')],
      87,
      'UTF-8',
      ['abc', 'Peña', 'Niño'],
      /^text read as windows-1252: the \.cpg says utf-8, but 2 of 2 cells with other than ASCII/,
    ],
    [
      'code page 437 by the header though the .cpg says UTF-8',
      [Buffer.from([0x50, 0x65, 0xa4, 0x61])],
      1,
      '65001',
      ['Peña'],
      /^text read as code page 437: .* 1 of 1 cell with/,
    ],
    ['Windows-1252 where the header says nothing', [latin('Pe\xf1a')], 0, 'UTF-8', ['Peña'], /read as windows-1252/],
    [
      'UTF-8 though the .cpg says 1252',
      [Buffer.from('Peña'), Buffer.from('日本')],
      0,
      '1252',
      ['Peña', '日本'],
      /^text read as utf-8: the \.cpg says windows-1252, but all of 2 cells/,
    ],
    ['DOS code page of the .cpg', [Buffer.from([0xa4])], 0, 'CP437', ['ñ'], null],
  ])('is %s', async (what, cells, driver, cpg, names, note) => {
    const read = await namesOf(what.replace(/\W/g, ''), cells, driver, cpg);
    expect(read.names).toEqual(names);
    if (note === null) expect(read.notes).toEqual([]);
    else expect(read.notes).toEqual([expect.stringMatching(note)]);
  });
});
