import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How far the calculations have come that are being made for the next release. */
export interface OverlayProgress {
  /** Parcels that are done, of how many. */
  readonly done: number;
  readonly total: number;
  /** Parcels a second of this run so far; 0 before the first are done. */
  readonly perSecond: number;
  /** Names of the fields that are being calculated. */
  readonly fields: readonly string[];
}

/** A record that was not renewed for so long is of a run that was killed: milliseconds. */
const STALE_MS = 30_000;

const pathIn = (home: string) => join(home, 'releases', 'overlay.json');

/** Renews the record of a run. It is a courtesy to who searches: where it cannot be written, the run goes on. */
export function tellOverlayProgress(home: string, progress: OverlayProgress, now = Date.now()): void {
  const path = pathIn(home);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.part`, JSON.stringify({ ...progress, at: now }));
    renameSync(`${path}.part`, path);
  } catch {}
}

/** Removes the record at the end of a run. */
export function endOverlayProgress(home: string): void {
  try {
    rmSync(pathIn(home), { force: true });
  } catch {}
}

/** @returns how far the run has come that goes on in this home; null where none does, or nothing is known of it. */
export function overlayProgress(home: string, now = Date.now()): OverlayProgress | null {
  try {
    const { at, ...progress } = JSON.parse(readFileSync(pathIn(home), 'utf8')) as OverlayProgress & { at: number };
    return Math.abs(now - at) < STALE_MS ? progress : null;
  } catch {
    return null;
  }
}

/** Seconds as people say them: `42 s`, `7 min`, `3.5 h`. */
export function durationOf(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
