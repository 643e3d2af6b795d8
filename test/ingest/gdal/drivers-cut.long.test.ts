import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { failureOf } from '../readers/scratch.ts';
import { DRIVER_FILES, writeDriverFile } from './drivers.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Formats without an end mark and without a count of rows: nobody can tell that rows are missing. */
const ENDLESS = ['projected.mif', 'roads.dgn', 'parcels.gmt', 'wells.gxt'];

it('refuses a file of each driver that was cut off, unless its format has no end', async () => {
  const silent: string[] = [];
  for (const entry of DRIVER_FILES) {
    const path = writeDriverFile(folder, entry);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length * 0.7)));
    const error = await failureOf(path, entry.driver === 'OSM' ? { layer: 'points' } : {}).catch(() => null);
    if (error === null) silent.push(entry.file);
    else expect(error).toMatchObject({ name: 'ReadError' });
  }
  expect(silent).toEqual(ENDLESS);
});
