import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReleaseFile } from '../../../datasets/release.ts';
import { Fault } from '../../../query/release/fault.ts';
import type { Release } from '../../../query/release/open-release.ts';
import { LOOK_MS, requireUnchanged, sha256Of, soundFile, verify } from '../../../query/release/verified-file.ts';

/** Whether the process has no descriptor left to open a file with. */
const exhausted = vi.hoisted(() => ({ now: false }));
vi.mock('node:fs', async load => {
  const fs = await load<typeof import('node:fs')>();
  return {
    ...fs,
    createReadStream: (...args: Parameters<typeof fs.createReadStream>) => {
      if (exhausted.now) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return fs.createReadStream(...args);
    },
  };
});

let folder: string;
let path: string;
let file: ReleaseFile;
let release: Release;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plat-verified-'));
  path = join(folder, 'rows');
  writeFileSync(path, 'rows');
  file = { role: 'rows', sha256: await sha256Of(path), bytes: statSync(path).size } as ReleaseFile;
  release = { home: folder, pathOf: () => path } as unknown as Release;
});
afterEach(() => {
  exhausted.now = false;
  rmSync(folder, { recursive: true });
});

it('asks again for a file that could not be read, and keeps for good only what its bytes are', async () => {
  exhausted.now = true;
  await expect(verify(release, file)).rejects.toThrow(/cannot be read \(EMFILE\)/);
  exhausted.now = false;
  await expect(verify(release, file)).resolves.toMatchObject({ path });
  expect(verify(release, file)).toMatchObject({ path });
});

it('takes a path that cannot be reached for a fault of the source, never for one of the service', async () => {
  const at = await verify(release, file);
  rmSync(path);
  symlinkSync('rows', path);
  expect(() => statSync(path)).toThrow(/ELOOP/);
  expect(verify(release, file)).toBe(at);
  await new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));
  expect(soundFile(release, file)).toBeNull();
  expect(() => verify(release, file)).toThrow(Fault);
  expect(() => requireUnchanged(file, at)).toThrow(Fault);
});
