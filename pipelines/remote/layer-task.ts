import { basename, join } from 'node:path';
import type { StagedFile } from '../../query/release/home/store.ts';
import type { CountyBefore, CountyJob, LayerJob, LayerResult } from '../steps/layer-job.ts';
import type { TaskFile } from '../tasks/task.ts';

/** Name of the step that builds a layer, or the parcels of a county. */
export const LAYER_STEP = 'layer';

/** A file that a job reads, by its place in a folder of the worker. */
export interface InputFile extends TaskFile {
  readonly path: string;
}

/** Data of a task: a job without folders, and what it reads. */
export interface LayerTask {
  readonly job: LayerJob | CountyJob;
  readonly files: readonly InputFile[];
}

/** Where the published files of a task lie in its folder, where those of the release before, and where it writes. */
const [SOURCES, BEFORE, OUT] = ['sources', 'before', 'out'] as const;

/** Where a published file lies in the folder of a task. @param path below the sources folder. */
export const sourcePath = (path: string): string => join(SOURCES, path);

/** Where a file of the release before lies in the folder of a task. Its name is its content. */
export const beforePath = (path: string): string => join(BEFORE, basename(path));

/** Files of the release before that a job reads. */
export const filesBefore = (job: LayerJob | CountyJob): string[] =>
  'layers' in job ? job.before.flatMap(file => [file.path, file.ended, file.stacks].filter(path => path !== null)) : [];

function moved(before: readonly CountyBefore[], pathOf: (path: string) => string): CountyBefore[] {
  return before.map(({ path, ended, stacks, parts }) => ({
    ...{ path: pathOf(path), parts },
    ...{ ended: ended && pathOf(ended), stacks: stacks && pathOf(stacks) },
  }));
}

/** A job that says nothing of the machine it comes from. */
export function withoutFolders(job: LayerJob | CountyJob): LayerJob | CountyJob {
  const nowhere = { ...job, sources: '', folder: '' };
  return 'layers' in nowhere ? { ...nowhere, before: moved(nowhere.before, path => basename(path)) } : nowhere;
}

/** A job as it is done in a folder of its own. */
export function jobIn(job: LayerJob | CountyJob, folder: string): LayerJob | CountyJob {
  const local = { ...job, sources: join(folder, SOURCES), folder: join(folder, OUT) };
  return 'layers' in local ? { ...local, before: moved(local.before, path => join(folder, beforePath(path))) } : local;
}

/** A result with other paths of its files. */
export function withPaths(result: LayerResult, pathOf: (path: string) => string): LayerResult {
  const renamed = (files: readonly StagedFile[]) => files.map(file => ({ ...file, path: pathOf(file.path) }));
  // Members stay in their order, which is that of the release's lists.
  const partitions = result.partitions.map(partition => ({
    ...partition,
    files: renamed(partition.files),
    ...(partition.parts ? { parts: partition.parts.map(part => ({ ...part, files: renamed(part.files) })) } : {}),
  }));
  return { ...result, partitions };
}
