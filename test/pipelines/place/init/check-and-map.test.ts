import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colourOf } from '../../../../pipelines/place/map/painter.ts';
import { REJECTED } from '../../../../pipelines/place/map/scene.ts';
import { UsageError } from '../../../../query/engine/command.ts';
import { FILES, folder, village, writeFiles } from '../../village.ts';
import { runCommand } from './five-commands.ts';

const sources = folder();
const home = folder();
const out = (name: string) => join(home, name);
const placeFile = out('village.json');

/** A folder for temporary files of its own: other tests try places at the same time. */
const temporary = folder();
const TMPDIR = process.env.TMPDIR;
const leftovers = () => readdirSync(temporary).filter(name => name.startsWith('plat-place-'));

beforeAll(() => {
  process.env.TMPDIR = temporary;
  expect(tmpdir()).toBe(temporary);
  process.env.PLAT_HOME = join(home, 'releases-go-here');
  writeFiles(sources, FILES);
  // As strict as the datasets are: the village itself forgives what its tests reject on purpose.
  const layers = village.layers.map(({ expect: _, ...layer }) => layer);
  writeFileSync(placeFile, JSON.stringify({ ...village, layers }));
});
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  for (const path of [sources, home, temporary]) rmSync(path, { recursive: true, force: true });
});

describe('place check', () => {
  it('tells what is rejected and why, with exit code 3, and publishes nothing', async () => {
    const { code, answer } = await runCommand('place check', [placeFile], { sources });
    expect(code).toBe(3);
    const layers = answer!.layers as { layer: string; dataset: string; reasons: { reason: string; rows: number }[] }[];
    const wetlands = layers.find(l => l.dataset === 'usfws_nwi')!;
    expect(wetlands.reasons.map(r => r.reason)).toContain('no geometry');
    expect((answer!.breaches as { key: string }[]).map(breach => breach.key)).toContain(
      'village/usfws_nwi:main/rejected',
    );
    expect(existsSync(process.env.PLAT_HOME!)).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('tries a spread of the rows, and all of them when told', async () => {
    const tried = async (rows: string) => {
      const { answer } = await runCommand('place check', [placeFile], { sources, rows });
      return (answer!.layers as { count: { read: number } }[]).map(l => l.count.read);
    };
    expect(await tried('0')).toEqual([6, 3]);
    expect(await tried('2')).toEqual([2, 2]);
  });

  it('names files that are missing', async () => {
    const elsewhere = await runCommand('place check', [placeFile], { sources: home });
    expect([elsewhere.code, elsewhere.errors.join(' ')]).toEqual([1, expect.stringContaining('wetlands.geojson')]);
  });
});

describe('place map', () => {
  it('draws layers and rejects into one page that needs nothing else', async () => {
    const { code, answer } = await runCommand('place map', [], { sources, placeFile, out: out('map.html') });
    expect([code, answer]).toMatchObject([0, { rejects: expect.any(Number) }]);
    const html = readFileSync(out('map.html'), 'utf8');
    expect(html).not.toMatch(/(src|href)=|https?:/);
    const scene = JSON.parse(/<script type="application\/json" id="scene">(.*?)<\/script>/s.exec(html)![1]!);
    expect(scene.layers.map((l: { name: string; count: number }) => [l.name, l.count])).toEqual(
      expect.arrayContaining([['local_zoning:main', 3]]),
    );
    expect(scene.rejects.length).toBe(answer!.rejects);
    expect(scene.rejects.some((r: { kind: string | null }) => r.kind === 'polygon')).toBe(true);
    expect(scene.rejects.some((r: { kind: string | null }) => r.kind === null)).toBe(true);
    expect(leftovers()).toEqual([]);
  });

  it('draws them as a PNG, rejects in red', async () => {
    const { code } = await runCommand('place map', [], { sources, placeFile, out: out('map.png') });
    expect(code).toBe(0);
    const { width, height, data, channels } = decode(readFileSync(out('map.png')));
    expect([width > 500, height > 500, channels]).toEqual([true, true, 3]);
    const [red, green, blue] = colourOf(REJECTED);
    let hits = 0;
    for (let i = 0; i < data.length; i += 3)
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) hits++;
    expect(hits).toBeGreaterThan(50);
  });

  it('wants a name that says what to write', async () => {
    await expect(runCommand('place map', [], { sources, placeFile, out: out('map.gif') })).rejects.toThrow(UsageError);
  });
});
