import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../../plat.ts';
import { inThisProcess, type Said } from '../in-this-process.ts';
import { PLAT } from '../plat.ts';
import { FILES, folder, village, wetlands, writeFiles } from './village.ts';

const LONG = process.env.PLAT_TEST === 'long';

const home = folder();
const sources = folder();
const place = join(sources, 'village.json');

const plat = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(PLAT, args, {
    cwd: tmpdir(),
    env: { ...process.env, PLAT_HOME: home },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** The same in this process. */
const here = (name: string, options: Record<string, string | boolean> = {}, ...args: string[]): Promise<Said> =>
  inThisProcess(home, name, options, args);

beforeAll(() => {
  writeFiles(sources, FILES);
  writeFileSync(place, JSON.stringify(village));
});
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

describe('plat', () => {
  it('has every command once, each with a summary', async () => {
    const names = (await loadCommands()).map(c => c.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'ingest plan',
        'ingest run',
        'release list',
        'release show',
        'release verify',
        'world generate',
        'serve',
        'token create',
        'settings',
      ]),
    );
    for (const { summary } of await loadCommands()) expect(summary.length).toBeGreaterThan(10);
  });

  it('helps from any folder, with exit code 0 on stdout', () => {
    const help = plat('ingest', 'run', '--help');
    expect(help.status).toBe(0);
    for (const flag of ['--sources', '--place', '--place-file', '--json', 'plat settings'])
      expect(help.stdout).toContain(flag);
  });

  it('ends with exit code 0 when the reader of its output has seen enough', async () => {
    const child = spawn(PLAT, ['settings'], { cwd: tmpdir(), env: { ...process.env, PLAT_HOME: home } });
    // Closed before anything can be written.
    child.stdout.destroy();
    let said = '';
    for await (const chunk of child.stderr) said += chunk;
    expect([child.exitCode ?? (await once(child, 'exit'))[0], said]).toEqual([0, '']);
  });

  it('answers wrong usage with exit code 2 and one reason', () => {
    const wrong = [
      [['frobnicate'], /unknown command 'frobnicate'/],
      [['ingest', 'frobnicate'], /unknown command 'frobnicate'/],
      [['ingest', 'run', '--frob'], /unknown option '--frob'/],
      [['ingest', 'run', '--place', 'synthetic'], /--sources DIR is missing/],
      [['ingest', 'run', '--sources', sources], /one of --place NAME and --place-file FILE/],
      [['ingest', 'run', '--sources', sources, '--place-file', place, '--threads', 'x'], /--threads x: expected/],
      [['release', 'list', '--workers', '0'], /PLAT_WORKERS=0: expected a whole number/],
    ] as [string[], RegExp][];
    // Each is a process of its own.
    for (const [args, reason] of wrong.filter((_, i) => LONG || i % 3 === 0)) {
      const { status, stdout, stderr } = plat(...args);
      expect([args, status, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(reason);
    }
  });

  it('plans, ingests, shows and verifies; --json is one document on stdout', async () => {
    const json = true;
    const document = async (...asked: Parameters<typeof here>) => JSON.parse((await here(...asked)).stdout);
    const planned = await document('ingest plan', { sources, placeFile: place, json });
    expect(planned).toMatchObject({ place: 'village', missing: [] });
    const ran = plat('ingest', 'run', '--sources', sources, '--place-file', place, '--json', '--threads', '1');
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ changed: true, place: 'village', previous: null });
    const again = plat('ingest', 'run', '--sources', sources, '--place-file', place);
    expect(again.stdout).toBe(`nothing changed; ${report.release} stays\n`);
    expect(again.stderr).toContain('2 layers, 9 rows read, 2 rejected, 1 repaired');
    const log = readFileSync(/^Log: (.+)$/m.exec(again.stderr)![1]!, 'utf8');
    expect(log).toContain('wetlands.geojson: 6 rows read, 4 stored, 2 rejected (33.3 %), 1 repaired');
    const left = await document('ingest rejects', { json });
    expect(left).toMatchObject([
      { place: 'village', layer: 'usfws_nwi:main', file: 'wetlands.geojson', row: 3, action: 'rejected' },
      { row: 5, reason: 'no geometry' },
    ]);
    // Both wings by either fill rule, nothing as it is wound.
    expect(left[0].readings.evenOdd).toBeGreaterThan(400_000);
    expect(left[0].readings.wound).toBeLessThan(1);
    const listed = await here('ingest rejects', { layer: 'usfws_nwi:main', place: 'village', repaired: true });
    expect(listed.stdout).toContain('village  usfws_nwi:main  wetlands.geojson row 4: repaired: 1 unclosed ring(s)');
    expect(listed.stderr).toBe('2 rejected, 1 repaired\n');
    expect((await here('ingest rejects', { layer: 'local_zoning:main', json })).stdout).toBe('[]\n');
    expect(plat('ingest', 'rejects', '--layer', 'nothing:main')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        '--layer nothing:main: the release has none such; it has local_zoning:main, usfws',
      ),
    });
    expect(await document('release list', { json })).toMatchObject([{ id: report.release, current: true }]);
    const shown = await document('release show', { json });
    expect(shown.id).toBe(report.release);
    expect((await document('release verify', { json })).damage).toEqual([]);

    const file = shown.datasets.usfws_nwi.main.partitions[0].files[0];
    writeFileSync(join(home, 'releases', file.path), 'x');
    const verified = plat('release', 'verify');
    expect([verified.status, verified.stdout]).toEqual([3, `${file.path}: expected ${file.bytes} bytes, found 1\n`]);
  });

  it('fails with exit code 1 and the file, row or line at fault', async () => {
    const wrong = join(sources, 'wrong.json');
    writeFileSync(wrong, JSON.stringify({ ...village, layers: [{ ...wetlands, expectRows: 5 }] }));
    const counted = plat('ingest', 'run', '--sources', sources, '--place-file', wrong, '--threads', '0');
    expect([counted.status, counted.stderr]).toEqual([1, expect.stringContaining('expected 5 rows, read 6')]);
    writeFileSync(wrong, JSON.stringify({ ...village, layers: [{ ...wetlands, dataset: 'nothing' }] }, null, 2));
    await expect(here('ingest run', { sources, placeFile: wrong })).rejects.toThrow(
      /wrong\.json:11:18: unknown dataset "nothing"/,
    );
    expect(plat('release', 'show', '20260101-00000000').status).toBe(1);
    await expect(here('release show', {}, '../../etc/passwd')).rejects.toThrow('is no release id');
  });
});
