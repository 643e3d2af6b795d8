import { spawnSync } from 'node:child_process';

/**
 * The interpreter itself. `python3` may be a script that looks for it (pyenv), which takes longer than what most tests ask of it.
 */
export const PYTHON =
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim() || 'python3';
