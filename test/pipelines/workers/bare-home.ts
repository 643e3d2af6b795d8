import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../../datasets/place/place.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { run } from '../../../pipelines/run.ts';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { SILENT } from '../silent.ts';

/** Few, so that a task takes a moment. */
const KEPT = new Set(['parcel_store', 'fema_nfhl']);
const place: Place = { ...synthetic, layers: synthetic.layers.filter(layer => KEPT.has(layer.dataset)) };

/** One moment for all runs, so that equal overlays have equal bytes. */
export const NOW = new Date('2026-11-21T08:00:00.000Z');

export const manifestOf = (home: string): Manifest => {
  const releases = join(home, 'releases');
  return readManifest(releases, currentId(releases)!);
};

/** Makes a home with a release without overlays. */
export async function bareHome(home: string, parcels: number): Promise<string> {
  const sources = `${home}-sources`;
  await generateWorld({ parcels, seed: 6, out: sources });
  await run({ home, sources, place, threads: 0, progress: SILENT, now: NOW });
  rmSync(sources, { recursive: true });
  return home;
}
