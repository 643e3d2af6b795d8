import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { placeStatesPath } from '../../../query/release/home/place-states.ts';
import type { ObjectStore } from '../../../query/release/store/object-store.ts';
import { PLACES_KEY } from '../../../query/release/store/store-entry.ts';
import { send } from './upload.ts';

/**
 * Replaces in a store how the places of a home stand, so that operators of replicas see it too. Nothing is done where the home
 * keeps none. @param releases folder of the manifests of the home.
 * @throws Error where the store refuses.
 */
export async function pushPlaces(store: ObjectStore, home: string, releases: string): Promise<void> {
  const path = placeStatesPath(home);
  if (!existsSync(path)) return;
  // A refresh may replace the file meanwhile.
  const folder = join(releases, 'tmp');
  const copy = join(folder, `places-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    copyFileSync(path, copy);
    const bytes = readFileSync(copy);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await send(store, copy, { path: PLACES_KEY, sha256, bytes: bytes.length });
  } finally {
    rmSync(copy, { force: true });
  }
}
