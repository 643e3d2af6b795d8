import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../simulate/planted.ts';
import { LAYERS } from './layers.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

it.each(Object.keys(LAYERS))(
  'of the mutants of %s nine in ten die in the tests beside it',
  async layer => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--experimental-strip-types', '--no-warnings', MAIN, '--layer', layer],
      { cwd: ROOT, maxBuffer: 100_000_000 },
    );
    const { mutants, dead } = JSON.parse(stdout.split('\n').find(line => line.startsWith('{"layer"'))!);
    expect(mutants).toBeGreaterThan(100);
    expect(dead / mutants, stdout).toBeGreaterThanOrEqual(0.9);
  },
  3_600_000,
);
