import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { places } from '../../datasets/places.ts';
import { readPlaceFile } from '../../pipelines/place/place-schema.ts';
import { filesOfPlace } from '../../pipelines/steps/acquire.ts';
import { generateWorld } from '../../pipelines/world/generate.ts';
import { currentId } from '../../query/release/open-release.ts';

const plat = fileURLToPath(new URL('../../plat', import.meta.url));

/** Kept between runs: building two million parcels takes a quarter of an hour. */
export const CACHE = process.env.BENCH_CACHE ?? join(tmpdir(), 'plat-bench-search');

/** What is searched: so many generated parcels, or Bangor. */
export type Subject = number | 'bangor';

export const nameOf = (subject: Subject): string => (subject === 'bangor' ? 'bangor' : `parcels-${subject}`);

/** Writes the place with the layers of some datasets alone. @returns the file. */
function partialPlace(name: string, folder: string, datasets: ReadonlySet<string>): string {
  const place = places.get(name)!;
  const file = join(folder, 'place.json');
  const layers = place.layers.filter(layer => datasets.has(layer.dataset));
  writeFileSync(file, JSON.stringify({ ...place, layers }));
  return file;
}

const PARCELS: ReadonlySet<string> = new Set(['parcel_store']);

/** @returns what runs a command of Plat over a home; its output is not shown. */
const platOver =
  (home: string) =>
  (...args: string[]) => {
    process.stderr.write(`plat ${args.join(' ')}\n`);
    execFileSync(plat, args, { env: { ...process.env, PLAT_HOME: home }, stdio: ['ignore', 'ignore', 'ignore'] });
  };

/** Makes a release of so many generated parcels, with the layers of some datasets alone and without calculations. */
export async function generateHome(
  folder: string,
  home: string,
  parcels: number,
  datasets: ReadonlySet<string>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const world = join(folder, 'world');
  const place = partialPlace('synthetic', folder, datasets);
  const only = new Set(filesOfPlace(readPlaceFile(place)).keys());
  process.stderr.write(`${only.size} files of an area of ${parcels} parcels\n`);
  await generateWorld({ parcels, seed: 1, out: world, only });
  platOver(home)('ingest', 'run', '--no-overlay', '--sources', world, '--place-file', place);
  rmSync(world, { recursive: true });
}

/**
 * A home whose release holds the parcels of the subject and nothing else, made by the ordinary generator and ingest;
 * one made before is used again.
 * @param fresh makes it anew.
 * @returns PLAT_HOME.
 */
export async function homeOf(subject: Subject, fresh: boolean): Promise<string> {
  const folder = join(CACHE, nameOf(subject));
  const home = join(folder, 'home');
  if (fresh) rmSync(home, { recursive: true, force: true });
  if (currentId(home) !== null) return home;
  if (subject === 'bangor') {
    const sources = resolve(process.env.BENCH_SOURCES ?? '../shared/data');
    if (!existsSync(join(sources, 'bangor-me'))) {
      process.stderr.write(
        `bench-search --bangor reads Bangor's published files; ${sources}/bangor-me is absent. Set BENCH_SOURCES.\n`,
      );
      process.exit(1);
    }
    mkdirSync(folder, { recursive: true });
    const place = partialPlace('bangor-me', folder, PARCELS);
    platOver(home)('ingest', 'run', '--sources', sources, '--place-file', place);
    return home;
  }
  // The bench makes its own calculations up.
  await generateHome(folder, home, subject, PARCELS);
  return home;
}
