import synthetic from '../datasets/places/synthetic.ts';
import { run } from '../pipelines/run.ts';
import { worldFiles } from '../pipelines/world/layer.ts';
import { makeWorld, type World } from '../pipelines/world/world.ts';
import { writeFiles } from '../pipelines/world/write-files.ts';
import { SILENT } from './pipelines/silent.ts';

/** The area that tests share: small, and the same in every run. */
export const SHARED_AREA = { parcels: 240, seed: 11 } as const;

let world: Promise<World> | undefined;
/** The generator's own truth of the shared area, made once a process. */
export const syntheticWorld = (): Promise<World> => (world ??= makeWorld(SHARED_AREA));

/** Generates the shared area and ingests it, overlays included. @param home PLAT_HOME of the release. @param sources the generated files. */
export async function makeArea(home: string, sources: string): Promise<void> {
  await writeFiles(worldFiles(await syntheticWorld()), sources);
  await run({ home, sources, place: synthetic, threads: 0, progress: SILENT, overlay: { memoryMb: 256 } });
}
