import { expect, it } from 'vitest';
import { describeStores } from '../state/state-stores.ts';
import { killRun, killWorkers } from './kills.ts';

const MOMENTS = Array.from({ length: 30 }, (_, i) => i + 1);

describeStores('kill -9 of servers at thirty moments', kind => {
  it('that work on jobs: each ends once in its effects', { timeout: 900_000 }, async () => {
    await killWorkers(
      kind,
      Array.from({ length: 10 }, (_, i) => MOMENTS.slice(3 * i, 3 * i + 3)),
    );
  });

  it('of a run: interrupted or done, and charged once', { timeout: 1_800_000 }, async () => {
    const found = new Set<string>();
    for (const moment of MOMENTS) found.add(await killRun(kind, moment));
    expect([...found]).toEqual(expect.arrayContaining(['anew', 'failed']));
    // By then it has ended, and its server looks for more.
    expect(await killRun(kind, 60)).toBe('done');
  });
});
