import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../datasets/release.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { run } from '../../../pipelines/run.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { filesOf } from '../../../query/release/home/store.ts';
import { SILENT } from '../silent.ts';
import { FILES, folder, village, writeFiles } from '../village.ts';

const home = folder();
const sources = folder();
const releases = join(home, 'releases');
let manifest: Manifest;

beforeAll(async () => {
  writeFiles(sources, FILES);
  await run({ home, sources, place: village, threads: 0, progress: SILENT });
  manifest = readManifest(releases, currentId(releases)!);
});
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

/** Changes a stored file, verifies, and puts it back. */
async function damaged(role: string, change: (path: string) => void) {
  const file = filesOf(manifest).find(f => f.role === role)!;
  const path = join(releases, file.path);
  const good = readFileSync(path);
  change(path);
  try {
    const { damage } = await verify(releases, manifest);
    return damage.map(d => [d.path === file.path, d.problem]);
  } finally {
    writeFileSync(path, good);
  }
}

describe('release verify', () => {
  it('finds nothing wrong with a sound release', async () => {
    const result = await verify(releases, manifest);
    expect(result.damage).toEqual([]);
    expect(result.files).toBe(filesOf(manifest).length);
    expect(result.files).toBeGreaterThan(3);
  });

  for (const role of ['features', 'coverage', 'rejects', 'tiles'])
    it(`finds any one flipped bit of a ${role} file`, async () => {
      const size = filesOf(manifest).find(f => f.role === role)!.bytes;
      for (const at of [0, 1, Math.floor(size / 2), size - 1]) {
        const found = await damaged(role, path => {
          const bytes = readFileSync(path);
          bytes[at]! ^= 1 << (at % 8);
          writeFileSync(path, bytes);
        });
        expect(found).toEqual([[true, expect.stringContaining('its content has changed')]]);
      }
    });

  it('finds a missing byte, a byte too many and a missing file', async () => {
    const { bytes } = filesOf(manifest).find(f => f.role === 'features')!;
    expect(await damaged('features', path => truncateSync(path, bytes - 1))).toEqual([
      [true, `expected ${bytes} bytes, found ${bytes - 1}`],
    ]);
    expect(await damaged('features', path => appendFileSync(path, 'x'))).toEqual([
      [true, `expected ${bytes} bytes, found ${bytes + 1}`],
    ]);
    expect(await damaged('features', path => rmSync(path))).toEqual([[true, 'the file is missing']]);
  });

  it('finds a manifest whose row count is not the file’s', async () => {
    const wrong = JSON.parse(JSON.stringify(manifest)) as Manifest;
    const file = wrong.datasets.local_zoning!.main!.partitions[0]!.files[0] as { rows: number };
    file.rows++;
    const { damage } = await verify(releases, wrong);
    expect(damage.map(d => d.problem)).toEqual([
      'expected 4 rows, found 3',
      expect.stringContaining('the partition has 3 rows, the file 4'),
    ]);
  });
});
