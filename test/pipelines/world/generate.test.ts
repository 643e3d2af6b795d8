import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { Lattice } from '../../../pipelines/world/lattice.ts';
import { Cadastre } from '../../../pipelines/world/parcel.ts';
import { Terrain } from '../../../pipelines/world/terrain.ts';
import { makeWorld } from '../../../pipelines/world/world.ts';
import { folder } from './truth.ts';

const made: string[] = [];
const out = () => {
  made.push(folder());
  return made.at(-1)!;
};
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** sha256 of every file below a folder. */
const hashes = (root: string) =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [path.slice(root.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );

/** The roll alone: floods and rasters take longer than all parcels. */
const roll = (records: number, seed: number) =>
  new Cadastre(new Lattice(new Terrain(seed), Math.ceil(records * 1.15)), seed, records).parcels();

describe('a generated area', () => {
  it('is the same in every byte for the same seed, and another for another', async () => {
    const [a, b, c] = [out(), out(), out()];
    const summary = await generateWorld({ parcels: 300, seed: 5, out: a });
    await generateWorld({ parcels: 300, seed: 5, out: b });
    await generateWorld({ parcels: 300, seed: 6, out: c });
    const first = hashes(a);
    // What is listed is what is there: no temporary file is left.
    expect(Object.keys(first).sort()).toEqual(summary.files.map(f => f.path).sort());
    expect(hashes(b)).toEqual(first);
    const other = hashes(c);
    for (const path of ['parcels/parcels_with_roll.shp.zip', 'usgs/USGS_1_n45w069.tif', 'fema/S_FLD_HAZ_AR.shp.zip'])
      expect(other[path]).not.toBe(first[path]);
  });

  it.each([200, 201, 777, 3000, 20_000])('holds exactly %i parcel records, numbered from 1', parcels => {
    const ids = [...roll(parcels, parcels)].map(p => p.objectId);
    expect(ids).toHaveLength(parcels);
    expect(ids.every((id, i) => id === i + 1)).toBe(true);
  });

  it('has every oddity of a real roll', () => {
    const parcels = [...roll(3000, 1)];
    const numbers = new Map<unknown, number>();
    for (const { roll } of parcels) numbers.set(roll.MAP_BK_LOT, (numbers.get(roll.MAP_BK_LOT) ?? 0) + 1);
    expect(parcels.some(p => p.polygons.length > 1)).toBe(true);
    expect(parcels.some(p => p.polygons.some(rings => rings.length > 1))).toBe(true);
    expect(parcels.some(p => p.lot.units >= 6)).toBe(true);
    expect([...numbers.values()].some(n => n > 1)).toBe(true);
    expect(parcels.some(p => Number(p.roll.ACRES) < 0.05 && p.lot.site === null)).toBe(true);
  });

  it('refuses what it cannot make', async () => {
    await expect(makeWorld({ parcels: 10, seed: 1 })).rejects.toThrow('10 parcels: expected a whole number from 200');
    await expect(makeWorld({ parcels: 300, seed: 1.5 })).rejects.toThrow('seed 1.5: expected a whole number');
  });
});
