import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { drawingOf } from '../steps/workforce.ts';
import { type RunState, runOf } from './journal.ts';

/** The work of a run, with the names of its steps. */
interface Ahead {
  /** `dataset:layer` and file of each layer that is built. */
  readonly layers: readonly { readonly layer: string; readonly file: string }[];
  readonly parcels: number;
  /** Number of overlays to compute for each parcel. */
  readonly overlays: number;
  /** Map layers whose tiles are drawn. */
  readonly maps: readonly string[];
}

const PARCEL_LAYER = `${PARCELS.dataset}:${PARCELS.layer}`;
const OVERLAYS = /^overlays of .*, (\d+) of \d+$/;

/** Returns the runs of a home whose release still exists, the earliest first. */
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
 * Estimates the seconds for building layers, drawing tiles and computing overlays from the last time of each on this home. The
 * times are added, as if nothing ran in parallel.
 * @returns null if the time of a part is not known.
 */
export function secondsAhead(home: string, { layers, parcels, overlays, maps }: Ahead): number | null {
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
    // All files of one county's parcels are one step.
    const together = [...took.keys()].filter(other => layer === PARCEL_LAYER && other.startsWith(`${layer} `));
    const steps = took.has(name) ? [name] : together;
    if (steps.length === 0) return null;
    for (const step of steps) names.add(step);
  }
  // A map layer that no kept run has drawn takes little beside its layer.
  for (const map of maps) if (took.has(drawingOf(map))) names.add(drawingOf(map));
  const sum = [...names].reduce((seconds, name) => seconds + took.get(name)!, 0);
  if (overlays * parcels === 0) return sum;
  return perValue === null ? null : sum + perValue * overlays * parcels;
}
