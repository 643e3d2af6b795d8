import { join } from 'node:path';

/** Returns the path of the state of the run that made a release. @param home PLAT_HOME. */
export const runPathOf = (home: string, release: string): string => join(home, 'runs', `${release}.json`);

/** Returns the folder of the STAC documents of a release. @param releases folder of the manifests. */
export const stacFolderOf = (releases: string, release: string): string => join(releases, 'stac', release);
