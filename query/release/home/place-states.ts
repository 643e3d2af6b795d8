import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the refresh of a place, or of one of its files, stands. Times are ISO 8601, UTC. */
export interface RefreshState {
  /** When its publisher was last asked, or when it was last ingested; null if never. */
  readonly askedAt: string | null;
  /** When something new last came of it. */
  readonly newAt: string | null;
  /** Since when it fails; null while it does not. */
  readonly failedSince: string | null;
  /** Why it failed last, a sentence for people; null while it does not. */
  readonly why: string | null;
}

/** A place with its files. */
export interface PlaceState extends RefreshState {
  /** By path below the sources folder. */
  readonly files: Readonly<Record<string, RefreshState>>;
}

/** The state of something that was never asked for. */
export const UNASKED: RefreshState = { askedAt: null, newAt: null, failedSince: null, why: null };

/** The file of the states in a home. */
export const placeStatesPath = (home: string): string => join(home, 'places.json');

/** Returns how the places of a home stand, by name; none where nothing was ingested yet, or the file cannot be read. */
export function placeStates(home: string): Readonly<Record<string, PlaceState>> {
  try {
    return JSON.parse(readFileSync(placeStatesPath(home), 'utf8'));
  } catch {
    return {};
  }
}

/** Since when a place or the first of its files fails, and why; null while nothing of it fails. */
export function failureOf(state: PlaceState): { readonly since: string; readonly why: string } | null {
  const failing = [state, ...Object.entries(state.files).map(([file, of]) => ({ ...of, file }))]
    .filter(({ failedSince }) => failedSince !== null)
    .sort((a, b) => (a.failedSince! < b.failedSince! ? -1 : 1));
  const [first] = failing;
  if (!first) return null;
  const what = 'file' in first && typeof first.file === 'string' ? `${first.file}: ${first.why}` : first.why!;
  return { since: first.failedSince!, why: failing.length > 1 ? `${what} (and ${failing.length - 1} more)` : what };
}
