import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LayerStep } from '../../../pipelines/remote/layer-step.ts';
import { type InputFile, sourcePath, withoutFolders } from '../../../pipelines/remote/layer-task.ts';
import { jobsOf } from '../../../pipelines/steps/job.ts';
import { workKey } from '../../../pipelines/tasks/task.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import { FILES, village, writeFiles } from '../village.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-layer-step-'));
const sources = join(work, 'sources');
const home = join(work, 'worker');
const store = join(work, 'store');
const never = new AbortController().signal;
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Puts a file of the village into the store, as a coordinator does. */
function uploaded(name: string): InputFile {
  const content = readFileSync(join(sources, name));
  const sha256 = createHash('sha256').update(content).digest('hex');
  const target = join(store, workKey(sha256));
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, content);
  return { path: sourcePath(name), sha256, bytes: content.length };
}

const stepOf = () =>
  new LayerStep({ home, store: new FolderStore(store), threads: 1, memoryMb: 64, told: line => console.error(line) });

it('builds a layer from files of the store, keeps those for the next, and nothing else', async () => {
  writeFiles(sources, FILES);
  mkdirSync(join(home, 'layers', 'work', 'task-killed'), { recursive: true });
  const step = stepOf();
  const jobs = jobsOf(village, null, { releases: work, sources, folder: join(work, 'run'), now: new Date(0) });
  const data = (i: number, more: readonly InputFile[] = []) => ({
    job: withoutFolders(jobs[i]!),
    files: [uploaded('boundary.geojson'), uploaded(i === 0 ? 'wetlands.geojson' : 'zoning.geojson'), ...more],
  });
  expect(JSON.stringify(data(0))).not.toContain(work);
  const [wetlands, zoning] = await Promise.all([step.run(data(0), never), step.run(data(1), never)]);
  expect([wetlands.rows, zoning.rows]).toEqual([4, 3]);
  const [said, ...staged] = wetlands.files;
  const { partitions } = JSON.parse(readFileSync(said!.path, 'utf8'));
  expect(partitions[0].files.map(({ path }: { path: string }) => path).sort()).toEqual(staged.map((_, i) => `${i}`));
  for (const { path, bytes } of staged) expect(readFileSync(path)).toHaveLength(bytes);
  // The same task again makes the same files.
  const again = await step.run(data(0), never);
  expect(again.files.map(({ sha256 }) => sha256)).toEqual(wetlands.files.map(({ sha256 }) => sha256));
  for (const product of [wetlands, zoning, again]) step.drop(product);
  expect(readdirSync(join(home, 'layers/work'))).toEqual([]);
  expect(readdirSync(join(home, 'layers/inputs'))).toHaveLength(3);
  // A file that came is not asked for again.
  rmSync(store, { recursive: true });
  const { files } = await step.run({ ...data(0), files: data(0).files }, never);
  expect(files.map(({ sha256 }) => sha256)).toEqual(wetlands.files.map(({ sha256 }) => sha256));

  const outside = { ...uploaded('zoning.geojson'), path: '../../../outside.geojson' };
  await expect(step.run(data(1, [outside]), never)).rejects.toThrow(/names .* as a file of its own/);
  expect(existsSync(join(home, 'outside.geojson'))).toBe(false);
  await expect(step.run({ ...data(0), files: [] }, never)).rejects.toThrow(/wetlands\.geojson|boundary\.geojson/);
  await step.close();
});
