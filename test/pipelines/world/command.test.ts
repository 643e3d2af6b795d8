import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from '../../../pipelines/world/command.ts';
import type { Terminal } from '../../../query/engine/command.ts';
import { folder } from './truth.ts';

function terminal(json: boolean): Terminal & { lines: string[]; errors: string[] } {
  const lines: string[] = [];
  const errors: string[] = [];
  return { json, interactive: false, lines, errors, out: l => lines.push(l), err: l => errors.push(l) };
}

describe('plat world generate', () => {
  it('writes the files and prints what they are', async () => {
    const out = folder();
    try {
      const t = terminal(true);
      expect(await command.run([], { parcels: '250', seed: '4', out }, t)).toBe(0);
      const summary = JSON.parse(t.lines.join(''));
      expect(summary).toMatchObject({ parcels: 250, seed: 4, out });
      const rolls = summary.files.filter((f: { path: string }) => f.path.startsWith('parcels/'));
      expect(rolls.map((f: { rows: number }) => f.rows)).toEqual([125, 125]);
      for (const { path } of summary.files) expect(existsSync(join(out, path)), path).toBe(true);
      // A bar on a terminal; elsewhere the summary lists them.
      expect(t.errors).toEqual([]);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it.each([
    [{ parcels: 'many' }, '--parcels many: expected a whole number from 200 to 5000000'],
    [{ parcels: '12' }, '--parcels 12: expected'],
    [{ seed: '-1' }, '--seed -1: expected'],
    [{ out: '' }, '--out: expected a folder'],
  ])('refuses %j', async (options, message) => {
    await expect(command.run([], options, terminal(false))).rejects.toThrow(message);
  });
});
