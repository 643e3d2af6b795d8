import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../house/files.ts';

/**
 * The build that an upgrade begins with. No version after 0.1.0 has a tag, and that one had no sites, runs and field requests.
 * This commit has all of them, lacks four of today's migrations, and needs no package that today's build does not have. Once a
 * version is tagged, its tag belongs here.
 */
export const RELEASE_BEFORE = 'a292cee2';

/** Whether this clone reaches back to that build. */
export const hasReleaseBefore = (): boolean =>
  spawnSync('git', ['cat-file', '-e', `${RELEASE_BEFORE}^{commit}`], { cwd: root }).status === 0;

/** Writes that build into a folder. @returns its command line. */
export function releaseBefore(folder: string): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  git('clone', '--quiet', '--shared', '--no-checkout', '.', folder);
  git('-C', folder, 'checkout', '--quiet', RELEASE_BEFORE);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'plat');
}
