import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { GdalJob } from '../../ingest/gdal-job.ts';
import { GdalStopped, GdalThread } from '../../ingest/gdal-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-gdal-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));
const job: GdalJob = { path: 'a.gpkg', member: null, driver: 'GPKG', folder, take: { layer: null } };

/** A thread of GDAL that runs this text instead. */
function threadOf(name: string, text?: string): GdalThread {
  const filename = join(folder, name);
  if (text !== undefined) writeFileSync(filename, text);
  return new GdalThread(Number.POSITIVE_INFINITY, filename);
}

describe('GdalThread', () => {
  it('fails for every job when the file of its thread is missing', async () => {
    const thread = threadOf('missing.mjs');
    const first = thread.run(job);
    const second = thread.run(job);
    await expect(first).rejects.toThrow(GdalStopped);
    await expect(second).rejects.toThrow(/cannot begin: Cannot find module .*missing\.mjs.*install/);
    await thread.close();
  });

  it('fails when the thread throws or exits before it is ready; one that dies of a job says so of the job', async () => {
    const throws = threadOf('throws.mjs', 'throw new Error("out of order");');
    await expect(throws.run(job)).rejects.toThrow(/cannot begin: out of order/);
    const exits = threadOf('exits.mjs', 'process.exit(3);');
    await expect(exits.run(job)).rejects.toThrow(/cannot begin: it was stopped/);
    const dies = threadOf('dies.mjs', 'export default () => process.exit(3);');
    expect(await dies.run(job)).toEqual({ error: 'worker exited with code: 3' });
  });

  it('does another job after a thread that ended, and reports what the thread itself reports', async () => {
    const thread = threadOf(
      'once.mjs',
      `export default ({ path }) => path === 'end' ? process.exit(1) : path === 'fail' ? Promise.reject(new Error('no')) : { layers: [] };`,
    );
    expect(await thread.run(job)).toEqual({ layers: [] });
    expect(await thread.run({ ...job, path: 'end' })).toEqual({ error: 'worker exited with code: 1' });
    expect(await thread.run({ ...job, path: 'fail' })).toEqual({ error: 'no' });
    expect(await thread.run(job)).toEqual({ layers: [] });
    await thread.close();
  });
});
