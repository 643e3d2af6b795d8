import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { type RunState, runOf } from './journal.ts';

/** What is to be done, as steps of runs are called. */
interface Ahead {
  /** `dataset:layer` and file of each layer that is built. */
  readonly layers: readonly { readonly layer: string; readonly file: string }[];
  readonly parcels: number;
  /** Overlays that are computed of each parcel. */
  readonly overlays: number;
}

const PARCEL_LAYER = `${PARCELS.dataset}:${PARCELS.layer}`;
const OVERLAYS = /^overlays of .*, (\d+) of \d+$/;

/** Runs of a home that made a release which is kept, the earliest first. */
function keptRuns(home: string): RunState[] {
  let names: string[];
  try {
    names = readdirSync(join(home, 'runs'));
  } catch {
    return [];
  }
  return names
    .flatMap(name => runOf(home, name.replace(/\.json$/, '')) ?? [])
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

/**
 * Seconds that building layers and computing overlays would take, by what the same took when it was done last on this home; each
 * for itself, as if nothing ran beside it.
 * @returns null where it is not known of all that is to be done.
 */
export function secondsAhead(home: string, { layers, parcels, overlays }: Ahead): number | null {
  const took = new Map<string, number>();
  let perValue: number | null = null;
  for (const { steps } of keptRuns(home))
    for (const { name, done, seconds, ended } of steps) {
      if (!ended || seconds === undefined) continue;
      const computed = Number(OVERLAYS.exec(name)?.[1] ?? 0);
      if (computed > 0 && done > 0) perValue = seconds / (done * computed);
      else took.set(name, seconds);
    }
  const names = new Set<string>();
  for (const { layer, file } of layers) {
    const name = `${layer} ${file}`;
    // Files of one county's parcels are one step together.
    const together = [...took.keys()].filter(other => layer === PARCEL_LAYER && other.startsWith(`${layer} `));
    const steps = took.has(name) ? [name] : together;
    if (steps.length === 0) return null;
    for (const step of steps) names.add(step);
  }
  const sum = [...names].reduce((seconds, name) => seconds + took.get(name)!, 0);
  if (overlays * parcels === 0) return sum;
  return perValue === null ? null : sum + perValue * overlays * parcels;
}
