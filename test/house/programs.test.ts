import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { describe, expect, it } from 'vitest';
import { leftOutLines } from '../left-out.ts';
import { LONG_ORACLES, ORACLES, skippedLines } from '../oracles.ts';
import { filesBelow, root } from './files.ts';

/** Every Debian has these, and the README names the last three. */
const EVERYWHERE = ['sh', '/bin/sh', 'bash', 'cut', 'dd', 'id', 'git', 'make', 'npm'];

/** Packages of oracles whose priority is "required" in Debian: the smallest system has them. */
const REQUIRED = ['util-linux'];

/** A program that is started by its name, or handed on to be. */
const STARTED = /\b(?:spawn|spawnSync|execFile|execFileSync|execSync|run)\(\s*(?:'([^']+)'|\[?'([^']+)', \[)/g;
const HANDED_ON = /=> \['([^']+)', \[/g;

describe('programs that tests start', () => {
  const files = filesBelow('test').map(path => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
  const sources = files.filter(({ text }) => text.includes("'node:child_process'"));

  it('are on every Debian, in the README, or of an oracle whose absence skips their tests', () => {
    const known = new Set([...EVERYWHERE, ...[...ORACLES, ...LONG_ORACLES].flatMap(({ programs = [] }) => programs)]);
    const unknown = sources.flatMap(({ path, text }) =>
      [...text.matchAll(STARTED), ...text.matchAll(HANDED_ON)]
        .map(([, one, other]) => (one ?? other)!)
        .filter(program => /^[a-z/][\w./-]*$/.test(program) && !known.has(program))
        .filter(program => !builtinModules.includes(program))
        .map(program => `${path}: ${program}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are wanted by tests with the tag of their oracle', () => {
    const needy = sources.flatMap(({ path, text }) => {
      if (!path.endsWith('.test.ts') || path.endsWith('programs.test.ts')) return [];
      return [...ORACLES, ...LONG_ORACLES]
        .filter(({ programs = [] }) => programs.some(program => text.includes(`'${program}'`)))
        .filter(({ name }) => !text.includes('tags:') || !text.includes(`'${name}'`))
        .map(({ name }) => `${path}: ${name}`);
    });
    expect(needy).toEqual([]);
  });

  it('are told at the end: how many tests were skipped for what, and one command that brings all of it', () => {
    const [gdal, curl, published] = ['GDAL', 'curl', 'published-files'].map(
      name => ORACLES.find(oracle => oracle.name === name)!,
    );
    expect(skippedLines([['GDAL'], ['GDAL', 'published-files'], []], [gdal!, curl!, published!])).toEqual([
      'Oracle absent: GDAL (Debian: gdal-bin): 2 tests were skipped',
      'Oracle absent: curl (Debian: curl): 0 tests were skipped',
      'Oracle absent: published-files (the folder ../shared/data): 1 test was skipped',
      'On Debian this brings what is missing: apt-get install --no-install-recommends gdal-bin curl',
    ]);
    expect(skippedLines([], [])).toEqual([]);
    // A package that two of them want is named once, and what only a right is wanted for brings none.
    const [limits, mounts] = ['prlimit', 'mount-namespace'].map(name => ORACLES.find(one => one.name === name)!);
    expect(skippedLines([], [limits!, limits!, mounts!]).at(-1)).toMatch(/ --no-install-recommends util-linux$/);
  });

  it('come with the one command of CONTRIBUTING.md, but for what every Debian has', () => {
    const [, named] = /^apt-get install --no-install-recommends (.+)$/m.exec(
      readFileSync(`${root}CONTRIBUTING.md`, 'utf8'),
    )!;
    const wanted = new Set(ORACLES.flatMap(({ packages = [] }) => packages));
    for (const name of REQUIRED) wanted.delete(name);
    expect(named!.split(' ').sort()).toEqual([...wanted].sort());
  });
});

it('tests that changed and that make check leaves out are told, with what runs them', () => {
  const ran = new Set(['test/a.test.ts']);
  expect(leftOutLines(['test/a.test.ts', 'test/fixture.ts', 'query/a.ts'], ran)).toEqual([]);
  expect(leftOutLines(['test/c.long.test.ts', 'test/a.test.ts', 'test/b.test.ts', 'test/b.test.ts'], ran)).toEqual([
    'make check left out 2 of the tests that you changed, which take long. They run by:',
    '  npx vitest run test/b.test.ts',
    '  PLAT_TEST=long npx vitest run test/c.long.test.ts',
  ]);
});
