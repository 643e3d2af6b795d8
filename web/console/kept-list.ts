/** Most ids kept of what this browser started, newest first. The service does not list them. */
const MOST_KEPT = 20;

/** The ids kept under a key. */
export function keptList(key: string): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(list) ? list.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores the newest ids. @returns the stored ones. */
export function keepList(key: string, ids: readonly string[]): string[] {
  const kept = [...new Set(ids)].slice(0, MOST_KEPT);
  localStorage.setItem(key, JSON.stringify(kept));
  return kept;
}
