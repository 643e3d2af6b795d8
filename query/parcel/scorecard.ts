import { readFile } from 'node:fs/promises';
import type { Confidence } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';

/** What a field's stored values were held against: computed a second time, by other code, from the rows of the release. */
type Against = 'recomputation';

/** A share with its interval of 95 percent. */
export interface Rate {
  readonly checked: number;
  readonly right: number;
  /** Lower and upper end of Wilson's interval of 95 percent; null where nothing was checked. */
  readonly interval: readonly [number, number] | null;
}

/** How right a field is in a county: parcels of a sample by what became of them. */
export interface FieldScore extends Rate {
  readonly field: string;
  /** Null where it cannot be checked. */
  readonly against: Against | null;
  readonly wrong: number;
  /** Without a value, and failed: counted and not judged. */
  readonly absent: number;
  readonly failed: number;
  /** So near an edge or a tie that either answer may be right: not checked. */
  readonly undecidable: number;
  /** Of numbers, in the unit of the field: by how much half of them, and 95 of 100, are off at most. Null of others. */
  readonly p50_error: number | null;
  readonly p95_error: number | null;
  /** Why it was not checked. */
  readonly reason?: string;
}

/** The scorecard of one county. */
export interface CountyScore {
  readonly county_fips: string;
  /** ISO 8601, UTC. */
  readonly taken_at: string;
  /** Parcels that were looked at. */
  readonly sample: number;
  /** Share of them of whose acres sources disagree. */
  readonly disagreeing: number;
  readonly rows: readonly FieldScore[];
  /** By confidence, over all fields that were checked. */
  readonly calibration: readonly (Rate & { readonly confidence: Confidence })[];
}

/** Standard errors on both sides of an interval of 95 percent. */
const Z = 1.959964;
const digits = (value: number) => Math.round(value * 1e6) / 1e6;

/** Wilson's interval of a share (Wilson, JASA 22, 1927, 209–212); null of nothing. */
export function wilson(right: number, checked: number): readonly [number, number] | null {
  if (checked === 0) return null;
  const [p, z2] = [right / checked, Z * Z];
  const centre = p + z2 / (2 * checked);
  const spread = Z * Math.sqrt((p * (1 - p) + z2 / (4 * checked)) / checked);
  const whole = 1 + z2 / checked;
  return [digits(Math.max(0, (centre - spread) / whole)), digits(Math.min(1, (centre + spread) / whole))];
}

/** Reads a file of a scorecard. @throws Error when it is none. */
export async function readScorecard(path: string): Promise<CountyScore> {
  const read = JSON.parse(await readFile(path, 'utf8')) as CountyScore;
  if (!Array.isArray(read.rows) || !Array.isArray(read.calibration)) throw new Error('it holds no scorecard');
  return read;
}

/** What tells whether a scorecard is of what a county has now: its parcels and the calculations of them. */
export function scoredOf({ manifest }: Release, partition: Partition): string {
  const file = partition.files.find(({ role }) => role === 'features')?.sha256 ?? '';
  const overlays = Object.entries(manifest.overlays?.[file] ?? {}).map(([name, { inputs }]) => `${name}=${inputs}`);
  return [file, ...overlays.sort()].join('\n');
}
