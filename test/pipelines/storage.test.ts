import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verify } from '../../pipelines/release/verify.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { inThisProcess } from '../in-this-process.ts';
import { PLAT } from '../plat.ts';
import { ended, startIngest } from './killing.ts';
import { SILENT } from './silent.ts';
import { FILES, feature, folder, square, village, writeFiles } from './village.ts';

const LONG = process.env.PLAT_TEST === 'long';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

function temporary(): string {
  const path = folder();
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A home on a file system of its own. */
function mounted(size: string): string {
  const path = temporary();
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]).status).toBe(0);
  // Lazily: streams that were read to their end close their files a moment later.
  undo.push(() => spawnSync('umount', ['-l', path]));
  return path;
}

/** Sources whose next ingest needs more than a megabyte. */
async function published(home: string): Promise<{ sources: string; place: string; first: string }> {
  const sources = temporary();
  writeFiles(sources, FILES);
  const { release } = await run({ home, sources, place: village, threads: 0, progress: SILENT });
  writeFiles(sources, {
    'wetlands.geojson': Array.from({ length: 6000 }, (_, i) =>
      feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], {
        code: `P${i}`,
      }),
    ),
  });
  const place = join(sources, 'village.json');
  writeFileSync(place, JSON.stringify(village));
  return { sources, place, first: release };
}

/** Everything below the releases folder but what a run leaves for the next on purpose. */
const stored = (home: string) =>
  (readdirSync(join(home, 'releases'), { recursive: true }) as string[])
    .filter(n => !n.startsWith('lock.sqlite'))
    .sort();

async function expectUntouched(home: string, first: string, before: readonly string[]): Promise<void> {
  const releases = join(home, 'releases');
  expect(currentId(releases)).toBe(first);
  expect(releaseIds(releases)).toEqual([first]);
  expect((await verify(releases, readManifest(releases, first))).damage).toEqual([]);
  // Folders of hash prefixes may stay behind, empty.
  expect(stored(home).filter(n => /\./.test(n))).toEqual(before.filter(n => /\./.test(n)));
}

async function expectClean(home: string, sources: string): Promise<void> {
  const releases = join(home, 'releases');
  const report = await run({ home, sources, place: village, threads: 0, progress: SILENT, accept: ['village'] });
  expect(report).toMatchObject({ changed: true, cleaned: 0 });
  expect((await verify(releases, readManifest(releases, report.release))).damage).toEqual([]);
}

describe('a full disk', { tags: ['tmpfs'] }, () => {
  it.each(LONG ? [0, 4, 40, 100, 300, 500, 700] : [40])(
    'with %i KiB left: the ingest says so, publishes nothing and leaves nothing',
    async left => {
      const home = mounted('2m');
      const { sources, place, first } = await published(home);
      const before = stored(home);
      const ballast = join(home, 'ballast');
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1k']);
      const all = readFileSync(ballast);
      writeFileSync(ballast, all.subarray(0, Math.max(0, all.length - left * 1024)));
      const { code, err } = await ended(startIngest(home, sources, place));
      expect([code, err]).toEqual([1, expect.stringContaining(`cannot be written: the disk is full (`)]);
      expect(err).toContain(`Nothing was published, release ${first} stays the current one.`);
      await expectUntouched(home, first, before);
      rmSync(ballast);
      await expectClean(home, sources);
    },
  );

  it('no token is given out that could not be filed, and the next one is', async () => {
    const home = mounted('1m');
    const create = () =>
      spawnSync(PLAT, ['token', 'create', '--account', 'a@b.org'], {
        env: { ...process.env, PLAT_HOME: home },
        encoding: 'utf8',
      });
    const ballast = join(home, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1k']);
    const refused = create();
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/cannot be written.*disk.*full/);
    rmSync(ballast);
    const issued = create();
    expect([issued.status, issued.stderr]).toEqual([0, '']);
    expect(issued.stdout).toMatch(/^eyJ[\w.-]+\n$/);
    expect(readdirSync(join(home, 'secrets'))).toEqual(['token']);
  });

  it.runIf(LONG)('a read-only home is called so, and its releases can still be verified', async () => {
    const home = mounted('2m');
    const { sources, place, first } = await published(home);
    spawnSync('mount', ['-o', 'remount,ro', home]);
    const { code, err } = await ended(startIngest(home, sources, place));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/releases cannot be written: it is read-only; mount it writable/),
    ]);
    const releases = join(home, 'releases');
    expect((await verify(releases, readManifest(releases, first))).damage).toEqual([]);
    const serve = spawnSync(PLAT, ['serve'], { env: { ...process.env, PLAT_HOME: home, PORT: '0' }, encoding: 'utf8' });
    expect([serve.status, serve.stderr]).toEqual([1, expect.stringMatching(/cannot be written/)]);
  });
});

it('a file that outgrows the system’s limit: the ingest says so, publishes nothing and leaves nothing', async () => {
  const home = temporary();
  const { sources, place, first } = await published(home);
  const before = stored(home);
  // Blocks of 1,024 bytes: all the village's files fit, those of 6,000 wetlands do not.
  const limited = `ulimit -f 200; exec '${PLAT}' ingest run --sources '${sources}' --place-file '${place}' --threads 0`;
  const child = spawn('bash', ['-c', limited], {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, err } = await ended(child);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('a file would grow beyond what this system allows; raise the limit (ulimit -f)'),
  ]);
  expect(err).toContain(`Nothing was published, release ${first} stays the current one.`);
  await expectUntouched(home, first, before);
  await expectClean(home, sources);
});

it.runIf(LONG)('a layer in a thread fails in the same words', async () => {
  const home = temporary();
  const { sources, place } = await published(home);
  const limited = `ulimit -f 200; exec '${PLAT}' ingest run --sources '${sources}' --place-file '${place}' --threads 2`;
  const child = spawn('bash', ['-c', limited], {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, err } = await ended(child);
  expect([code, err]).toEqual([1, expect.stringContaining('a file would grow beyond what this system allows')]);
});

describe('a damaged manifest', () => {
  it('is found, whatever bit of it is flipped or wherever it ends', async () => {
    const home = temporary();
    const { first } = await published(home);
    const releases = join(home, 'releases');
    const path = join(releases, `${first}.json`);
    const good = readFileSync(path);
    const manifest = readManifest(releases, first);
    for (let bit = 3; bit < good.length * 8; bit += 101) {
      const bytes = Buffer.from(good);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, bytes);
      let read: unknown = null;
      try {
        read = readManifest(releases, first);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ReleaseError', message: expect.stringContaining('is damaged') });
      }
      // White space between values means nothing.
      if (read !== null) expect(read, `bit ${bit}`).toEqual(manifest);
    }
    for (let length = 0; length < good.length - 1; length += 499) {
      writeFileSync(path, good.subarray(0, length));
      expect(() => readManifest(releases, first), `${length} bytes`).toThrow(/is damaged/);
    }
  });

  it('stops commands and the server with a line that says what to do', async () => {
    const home = temporary();
    const { sources, place, first } = await published(home);
    const releases = join(home, 'releases');
    const good = readFileSync(join(releases, `${first}.json`));
    const plat = (...words: string[]) =>
      spawnSync(PLAT, words, { env: { ...process.env, PLAT_HOME: home, PORT: '0' }, encoding: 'utf8' });
    const files = stored(home);
    writeFileSync(join(releases, `${first}.json`), good.subarray(0, 100));
    const damaged = `The manifest of release ${first} is damaged`;
    await expect(inThisProcess(home, 'release verify')).rejects.toThrow(damaged);
    for (const words of [['serve'], ['ingest', 'run', '--sources', sources, '--place-file', place]]) {
      const { status, stderr } = plat(...words);
      expect([words[0], status, stderr]).toEqual([words[0], 1, expect.stringContaining(damaged)]);
    }
    const listed = await inThisProcess(home, 'release list');
    expect([listed.status, listed.stderr]).toEqual([3, expect.stringContaining('is damaged')]);
    expect(stored(home)).toEqual(files);
    rmSync(join(releases, `${first}.json`));
    const served = (says: unknown) => {
      if (!LONG) return;
      const { status, stderr } = plat('serve');
      expect([status, stderr]).toEqual([1, says]);
    };
    await expect(inThisProcess(home, 'release show')).rejects.toThrow(`No release ${first}`);
    served(expect.stringContaining(`No release ${first}`));
    writeFileSync(join(releases, 'current'), '');
    await expect(inThisProcess(home, 'release show')).rejects.toThrow('current holds "", expected');
    served(expect.stringMatching(/current holds "", expected/));
  });
});
