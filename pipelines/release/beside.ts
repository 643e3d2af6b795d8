import { join } from 'node:path';

/** How the run went that made a release. @param home PLAT_HOME. */
export const runPathOf = (home: string, release: string): string => join(home, 'runs', `${release}.json`);

/** The STAC documents of a release, over the files of the store. @param releases folder of the manifests. */
export const stacFolderOf = (releases: string, release: string): string => join(releases, 'stac', release);
