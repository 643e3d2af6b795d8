import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { makeArea } from './area.ts';

export { SHARED_AREA, syntheticWorld } from './area.ts';

/** What a test finds of the shared area. Nobody may write there: copy `home` (cpSync) to damage or change it. */
export interface SyntheticHome {
  /** PLAT_HOME with one release of the whole synthetic place, overlays included. */
  readonly home: string;
  /** The generated files that it was ingested from. */
  readonly sources: string;
}

/**
 * The shared area, ingested once a run of the tests by whichever file asks first; the others wait for it. It takes half a
 * minute, which every file of its own would take again.
 * @throws Error when the ingest of another file failed.
 */
export async function syntheticHome(): Promise<SyntheticHome> {
  const folder = inject('sharedFolder');
  const home = join(folder, 'home');
  const sources = join(folder, 'sources');
  const done = join(folder, 'done');
  const failed = join(folder, 'failed');
  try {
    mkdirSync(join(folder, 'building'));
  } catch {
    for (;;) {
      if (existsSync(done)) return { home, sources };
      if (existsSync(failed)) throw new Error('The shared area could not be made; the test file that tried says why');
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
  try {
    await makeArea(home, sources);
    writeFileSync(done, '');
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    writeFileSync(failed, '');
    throw error;
  }
  return { home, sources };
}
