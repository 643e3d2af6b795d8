import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { failureOf, readRows, scratch } from '../readers/scratch.ts';
import { DRIVER_FILES, writeDriverFile } from './drivers.ts';

const write = scratch();

/** The groups of a block and of its place in the drawing. @param flags 4: another drawing, 8: one that is laid over. */
function withBlock(drawing: string, flags: number, path: string): string {
  const groups = (...pairs: readonly (readonly [number, string])[]) =>
    pairs.map(([code, value]) => `${code}\n${value}\n`).join('');
  const block = groups(
    ...([
      [0, 'BLOCK'],
      [8, '0'],
      [2, 'PLAT'],
      [70, `${flags}`],
      [10, '0.0'],
      [20, '0.0'],
      [1, path],
    ] as const),
    ...([
      [0, 'LINE'],
      [8, '0'],
      [10, '0.0'],
      [20, '0.0'],
      [11, '1.0'],
      [21, '1.0'],
    ] as const),
    ...([
      [0, 'ENDBLK'],
      [8, '0'],
    ] as const),
  );
  const insert = groups([0, 'INSERT'], [8, '0'], [2, 'PLAT'], [10, '5.0'], [20, '5.0']);
  return drawing
    .replace(/( *2\r?\nBLOCKS\r?\n)/, (_, start) => start + block)
    .replace(/( *2\r?\nENTITIES\r?\n)/, (_, start) => start + insert);
}

const roads = DRIVER_FILES.find(({ file }) => file === 'roads.dxf')!;
const drawing = readFileSync(writeDriverFile(dirname(write('here', '')), roads), 'utf8');

it('a DXF that shows other drawings is refused with their names, because GDAL leaves their lines out', async () => {
  for (const flags of [4, 8, 36]) {
    const path = write(`refers-${flags}.dxf`, withBlock(drawing, flags, 'plat-of-county.dxf'));
    // Nor is it read from beside.
    write('plat-of-county.dxf', drawing);
    expect(await failureOf(path)).toMatchObject({
      code: 'part_missing',
      file: path,
      message: expect.stringMatching(/other drawings that it does not hold \(plat-of-county\.dxf\); bind them/),
    });
  }
});

it('a DXF with blocks of its own is read with what they show', async () => {
  const plain = await readRows(write('plain.dxf', drawing));
  const rows = await readRows(write('own.dxf', withBlock(drawing, 0, '')));
  expect(rows.length).toBe(plain.length + 1);
  expect(rows.map(({ geometry }) => [...geometry!.xy].join())).toContain('5,5,6,6');
});
