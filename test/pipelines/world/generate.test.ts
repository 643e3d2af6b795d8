import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { command } from '../../../pipelines/world/command.ts';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { worldFiles } from '../../../pipelines/world/layer.ts';
import { Lattice } from '../../../pipelines/world/nature/lattice.ts';
import { Terrain } from '../../../pipelines/world/nature/terrain.ts';
import { COUNTIES } from '../../../pipelines/world/settlement/county.ts';
import { Cadastre } from '../../../pipelines/world/settlement/parcel.ts';
import { makeWorld } from '../../../pipelines/world/world.ts';
import { SHARED_AREA, syntheticHome, syntheticWorld } from '../../synthetic-home.ts';
import { folder } from './truth.ts';

const LONG = process.env.PLAT_TEST === 'long';

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

/** The rolls alone, half of the records each: floods and rasters take longer than all parcels. */
const rolls = (records: number, seed: number) => {
  const lattice = new Lattice(new Terrain(seed), Math.ceil((records / 2) * 1.15));
  const half = [Math.ceil(records / 2), Math.floor(records / 2)];
  return COUNTIES.map((county, i) => new Cadastre(lattice, seed, county, half[i]!).parcels());
};

describe('a generated area', () => {
  // Every file through the command takes as long as the shared area itself: in the long tests.
  it.runIf(LONG)(
    'is the same in every byte for the same seed, made by the command',
    async () => {
      const { parcels, seed } = SHARED_AREA;
      const a = out();
      const lines: string[] = [];
      const errors: string[] = [];
      const terminal = {
        json: true,
        interactive: false,
        out: (line: string) => lines.push(line),
        err: (line: string) => errors.push(line),
      };
      expect(await command.run([], { parcels: String(parcels), seed: String(seed), out: a }, terminal)).toBe(0);
      const summary = JSON.parse(lines.join('')) as Awaited<ReturnType<typeof generateWorld>>;
      expect(summary).toMatchObject({ parcels, seed, out: a });
      const half = parcels / 2;
      expect(summary.files.filter(f => f.path.startsWith('parcels/')).map(f => f.rows)).toEqual([half, half]);
      // A bar on a terminal; elsewhere the summary lists them.
      expect(errors).toEqual([]);
      const first = hashes(a);
      // What is listed is what is there: no temporary file is left.
      expect(Object.keys(first).sort()).toEqual(summary.files.map(f => f.path).sort());
      expect(hashes((await syntheticHome()).sources)).toEqual(first);
    },
    180_000,
  );

  it('is the same in every byte of a file of each kind for the same seed, and another for another', async () => {
    const { parcels, seed } = SHARED_AREA;
    const own = out();
    const kinds = Map.groupBy(worldFiles(await syntheticWorld()), file => file.kind);
    // What a geodatabase holds depends on those that were written before it.
    kinds.delete('geodatabase');
    expect(kinds.size).toBeGreaterThan(6);
    const only = new Set([...kinds.values()].map(files => files[0]!.path));
    await generateWorld({ parcels, seed, out: own, only });
    const shared = hashes((await syntheticHome()).sources);
    expect(hashes(own)).toEqual(Object.fromEntries([...only].map(path => [path, shared[path]])));
    const [world, other] = [await syntheticWorld(), await makeWorld({ parcels, seed: seed + 1 })];
    expect(other.floods).not.toEqual(world.floods);
    expect(other.terrain.elevation(-70.5, 43.5)).not.toBe(world.terrain.elevation(-70.5, 43.5));
    const rollsOf = (of: number) => rolls(parcels, of).flatMap(roll => [...roll].map(parcel => parcel.roll));
    expect(rollsOf(seed + 1)).not.toEqual(rollsOf(seed));
    expect(rollsOf(seed)).toEqual(rollsOf(seed));
  }, 180_000);

  it.each([200, 201, 777, 3000, 20_000])('holds exactly %i parcel records, numbered from 1', parcels => {
    const counted = rolls(parcels, parcels).map(roll => {
      let count = 0;
      for (const { objectId } of roll) expect(objectId).toBe(++count);
      return count;
    });
    expect(counted).toEqual([Math.ceil(parcels / 2), Math.floor(parcels / 2)]);
  });

  it('has every oddity of a real roll', () => {
    const parcels = rolls(3000, 1).flatMap(roll => [...roll]);
    const numbers = new Map<unknown, number>();
    for (const { roll } of parcels) numbers.set(roll.MAP_BK_LOT, (numbers.get(roll.MAP_BK_LOT) ?? 0) + 1);
    expect(parcels.some(p => p.polygons.length > 1)).toBe(true);
    expect(parcels.some(p => p.polygons.some(rings => rings.length > 1))).toBe(true);
    expect(parcels.some(p => p.lot.units >= 6)).toBe(true);
    expect([...numbers.values()].some(n => n > 1)).toBe(true);
    expect(parcels.some(p => Number(p.roll.ACRES) < 0.05 && p.lot.site === null)).toBe(true);
  });

  it('of millions begins with its first parcel at once: none is made before it is asked for', () => {
    for (const roll of rolls(5_000_000, 7)) {
      const first = Array.from({ length: 500 }, () => roll.next().value!);
      expect(first.map(p => p.objectId)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
      // The same again from a fresh start: nothing is kept between calls.
      roll.return(undefined);
    }
    const again = rolls(5_000_000, 7)[0]!;
    const first = (roll: typeof again) => {
      const parcel = roll.next().value!;
      return { ...parcel, footprints: parcel.footprints() };
    };
    expect(first(again)).toEqual(first(rolls(5_000_000, 7)[0]!));
  });

  it('numbers the blocks of any size with three digits', () => {
    for (const records of [3000, 300_000, 5_000_000]) {
      const lattice = new Lattice(new Terrain(2), Math.ceil((records / 2) * 1.15));
      const { columns, rows } = lattice.tracts;
      expect(lattice.columns / 2 / columns / 2).toBe(Math.floor(lattice.columns / 2 / columns / 2));
      expect(lattice.rows / rows / 2).toBe(Math.floor(lattice.rows / rows / 2));
      expect((lattice.columns / 2 / columns / 2) * (lattice.rows / rows / 2)).toBeLessThan(1000);
      for (const county of COUNTIES) expect(lattice.cells(county)).toBeGreaterThanOrEqual((records / 2) * 1.15);
    }
  });

  it('refuses what it cannot make', async () => {
    await expect(makeWorld({ parcels: 10, seed: 1 })).rejects.toThrow('10 parcels: expected a whole number from 200');
    await expect(makeWorld({ parcels: 300, seed: 1.5 })).rejects.toThrow('seed 1.5: expected a whole number');
  });
});
