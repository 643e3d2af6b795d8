import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { limitPassed, type ReadLimits, readLimits } from '../../../ingest/read-limits.ts';
import { SETTINGS } from '../../../query/engine/settings.ts';
import { BOMBS, HEAVY_BOMBS } from './bombs.ts';

const all = process.env.PLAT_TEST === 'long' ? [...BOMBS, ...HEAVY_BOMBS] : BOMBS;
const folder = mkdtempSync(join(tmpdir(), 'plat-bombs-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  readonly code: string;
  readonly message: string;
  readonly ms: number;
  readonly mb: number;
}

/** Reads files in a process of their own. */
function reads(paths: readonly string[]): Read[] {
  const program = fileURLToPath(new URL('./measured-reads.ts', import.meta.url));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--experimental-strip-types', '--no-warnings', program, ...paths],
    {
      encoding: 'utf8',
    },
  );
  const lines = stdout.trim().split('\n');
  if (lines.length !== paths.length) throw new Error(`after ${lines.at(-1)}: ${stderr}`);
  return lines.map(line => JSON.parse(line) as Read);
}

describe('what takes gigabytes, or for ever, to read', () => {
  it('is ended with an error, or one row is left out, that names the limit, in 512 MB and ten seconds of a processor', () => {
    const paths = all.map(([name, content]) => {
      const path = join(folder, name);
      if (typeof content === 'function') content(path);
      else writeFileSync(path, content);
      return path;
    });
    const found = reads(paths);
    for (const [i, [name, , expected]] of all.entries()) {
      expect(`${name}: ${found[i]!.code} ${found[i]!.message}`).toMatch(expected);
      expect(found[i]!.mb, `memory after ${name}`).toBeLessThan(512);
      expect(found[i]!.ms, `processor time of ${name}`).toBeLessThan(10_000);
    }
  });

  it('is bounded by settings, whose defaults are those of the readers', () => {
    const defaults = readLimits();
    for (const name of Object.keys(defaults) as (keyof ReadLimits)[]) {
      const { message } = limitPassed(name, 'a.csv', 1, 'a line');
      const setting = Object.values(SETTINGS).find(({ variable }) => message.endsWith(`raise ${variable}`))!;
      expect(setting.parse(undefined), name).toBe(defaults[name]);
    }
  });
});
