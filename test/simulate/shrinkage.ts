/** Tries of a shrinkage. */
const MOST_TRIES = 400;

/**
 * Leaves out what a breach does not need: halves, then quarters, at last one by one, as long as something can go.
 * @param holds whether a shorter history still has a breach.
 */
export async function shortest<T>(
  history: readonly T[],
  holds: (shorter: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = history;
  let tries = 0;
  for (let size = Math.ceil(left.length / 2); size >= 1; ) {
    let changed = false;
    for (let i = 0; i < left.length && tries < MOST_TRIES; ) {
      const shorter = [...left.slice(0, i), ...left.slice(i + size)];
      tries++;
      if (await holds(shorter)) {
        left = shorter;
        changed = true;
      } else i += size;
    }
    if (size === 1 && !changed) break;
    if (tries >= MOST_TRIES) break;
    size = changed ? size : Math.floor(size / 2);
    if (size < 1) break;
  }
  return left;
}
