/** Ids of what was begun in this browser, newest first: the service lists them to nobody. */
const MOST_KEPT = 20;

/** The ids that are kept under a key. */
export function keptList(key: string): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(list) ? list.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps ids, the newest of them. @returns those that are kept. */
export function keepList(key: string, ids: readonly string[]): string[] {
  const kept = [...new Set(ids)].slice(0, MOST_KEPT);
  localStorage.setItem(key, JSON.stringify(kept));
  return kept;
}
