/** Work that continues when its client has gone. */
export type Outliving = Set<Promise<unknown>>;

/** Keeps work in a set until it ends or fails. @returns the work itself. */
export function outlive<T>(set: Outliving, work: Promise<T>): Promise<T> {
  set.add(work);
  const drop = () => set.delete(work);
  work.then(drop, drop);
  return work;
}

/** Resolves when all work has ended, or after some milliseconds. */
export async function outlived(set: Outliving, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled([...set]), limit]);
  clearTimeout(timer);
}
