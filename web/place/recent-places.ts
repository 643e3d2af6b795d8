/** A place that was looked for, as the box offers it again. */
export interface RecentPlace {
  readonly text: string;
  /** What the address bar says of it. */
  readonly state: Readonly<Record<string, string>>;
}

const KEY = 'plat.recent';
const MOST = 6;

/** The places that were looked for last in this browser, the last first. */
export function recentPlaces(): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as RecentPlace[]).filter(({ text, state }) => text && state) : [];
  } catch {
    return [];
  }
}

/** Keeps a place for the next time, and forgets the oldest. */
export function keepRecent(place: RecentPlace): void {
  const others = recentPlaces().filter(({ text }) => text !== place.text);
  localStorage.setItem(KEY, JSON.stringify([place, ...others].slice(0, MOST)));
}
