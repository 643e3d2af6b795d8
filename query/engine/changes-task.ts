import { type ChangesPage, type ChangesQuestion, changesPage } from '../changes/page.ts';
import { Work } from '../changes/work.ts';
import type { TaskEnvironment } from '../evaluate/environment.ts';
import { Layers } from '../release/layers.ts';
import { openPastRelease } from '../release/open-release.ts';
import { type Failure, failureOf } from './failure.ts';

/** A question about two releases that are kept. */
export interface ChangesRequest extends ChangesQuestion {
  readonly since: string;
  readonly to: string;
  /** Rows judged after which a page ends. */
  readonly rows: number;
  /** Milliseconds after which it ends at the next place where it can. */
  readonly softMs: number;
}

/** The answer, or why there is none. */
export type ChangesAnswer = ChangesPage | Failure;

/** What differs between two releases. Never throws but Interrupted. */
export async function changesTask(
  { since, to, rows, softMs, ...question }: ChangesRequest,
  { release, catalog, cache, deadline, stopped, pause }: TaskEnvironment,
): Promise<ChangesAnswer> {
  if (!release) return { failed: 'nothing was published yet', late: false };
  const open = (id: string) => new Layers(openPastRelease(release.home, id), cache);
  cache.enter();
  try {
    const [before, after] = [open(since), open(to)];
    const work = new Work({ deadline, softDeadline: Date.now() + softMs, rows, stopped, pause });
    return await changesPage({ before, after, catalog }, question, work);
  } catch (error) {
    return failureOf(error, deadline);
  } finally {
    cache.leave();
  }
}
