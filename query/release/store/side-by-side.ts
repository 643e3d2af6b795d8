/** How many files are uploaded or downloaded at once. */
export const AT_ONCE = 8;

/**
 * Does something for each of a list, so many at once. After a failure those that are under way end and no more begin.
 * @throws the first failure.
 */
export async function sideBySide<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items].reverse();
  const lane = async () => {
    try {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  const lanes = Array.from({ length: Math.min(atOnce, left.length) }, lane);
  for (const end of await Promise.allSettled(lanes)) if (end.status === 'rejected') throw end.reason;
}
