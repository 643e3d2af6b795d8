import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { currentId } from '../../query/release/home/releases.ts';
import { FolderStore } from '../../query/release/store/folder-store.ts';
import { startReplica } from '../../server/replica/replica.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { expectPulled, pushed } from '../query/release/pull/pulled-home.ts';

vi.mock('../../query/engine/file-checker.ts', async original => {
  const real = await original<typeof import('../../query/engine/file-checker.ts')>();
  const mortal = fileURLToPath(new URL('./mortal-pull-thread.ts', import.meta.url));
  return { ...real, threadFile: (name: string) => ({ ...real.threadFile(name), filename: mortal }) };
});

const work = mkdtempSync(join(tmpdir(), 'plat-pull-thread-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

it('a thread that dies in the middle of a pull is told, and started again: the lock is free, and the pull ends', async () => {
  const store = new FolderStore(join(work, 'store'));
  const id = await pushed(store, await publishedVillage(join(work, 'publisher')));
  const home = join(work, 'home');
  mkdirSync(home);
  const told: string[] = [];
  const log = {
    error: (detail: object, message: string) => told.push(`${message}: ${JSON.stringify(detail)}`),
    info: (_: object, message: string) => told.push(message),
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const options = { home, releases: store.name, releasesPoll: 50, releasesRate: 0, releasesKeep: 1 };
  const replica = await startReplica(options, log);
  while (!replica.state.problem) await pause(20);
  expect(replica.state.problem.shown).toBe('what pulls releases ended; it is started again');
  expect(currentId(join(home, 'releases'))).toBeNull();
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  while (replica.state.number === 0) await pause(20);
  expect(replica.state).toMatchObject({ number: 1, problem: null });
  expectPulled(home, id);
  await replica.close();
  expect(told).toEqual([
    expect.stringContaining('the thread that pulls ended: as nobody foresaw'),
    expect.stringMatching(/a release was pulled|releases are pulled again/),
    expect.stringMatching(/a release was pulled|releases are pulled again/),
  ]);
});
