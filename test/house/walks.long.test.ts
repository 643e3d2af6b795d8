import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from './files.ts';
import { take, walksOf } from './walk.ts';

const walks = walksOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
/** What is built or installed. */
const LINKED = ['node_modules', 'dist', 'web/dist'];
/** Options by which make takes it as it is, whatever the dates of files in a copy say. */
const PRESENT = ['-o', 'node_modules/.installed', '-o', 'dist/plat.js'];
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A copy of the project as it stands, with the packages of this one, what lies beside it, and a commit of its own. */
function copyOfProject(): string {
  const above = mkdtempSync(join(tmpdir(), 'plat-walk-'));
  folders.push(above);
  const folder = join(above, 'plat');
  mkdirSync(folder);
  // Tests of the design and of published files are skipped where it is absent, and what they refuse would not be seen.
  if (existsSync(join(root, '../shared'))) symlinkSync(realpathSync(join(root, '../shared')), join(above, 'shared'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=walk', '-c', 'user.email=walk@example.org', ...args], { cwd: folder });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const path of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  for (const name of LINKED) symlinkSync(join(root, name), join(folder, name));
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, '.git/info/exclude'), LINKED.join('\n'));
  git('add', '--all');
  git('commit', '--quiet', '--message=before the walk');
  return folder;
}

/** Runs a command in a copy; what it said is told where it fails. */
function run(folder: string, ...[command, ...args]: readonly [string, ...string[]]): void {
  const env = { ...process.env, PLAT_TEST: undefined };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}:\n${stdout}\n${stderr}`.slice(-8_000)).toBe(0);
}

it.each([...walks])(
  '%s is taken, and make check is green',
  (_, steps) => {
    const folder = copyOfProject();
    for (const step of steps) take(step, folder);
    run(folder, 'make', ...PRESENT, 'docs');
    // The two goals of `make check`; by itself it would install packages and build pages that are linked here.
    run(folder, 'make', ...PRESENT, '-Otarget', 'check-lint', 'check-tests');
  },
  1_800_000,
);
