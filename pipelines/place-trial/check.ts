import type { IngestCount } from '../../datasets/release.ts';
import { topReasons } from './reasons.ts';
import { type TrialOptions, tryPlace } from './trial.ts';

/** Share of rows that may be rejected. */
const REJECTED = 0.01;

/** What a layer's dry ingest came to. */
export interface CheckedLayer {
  readonly dataset: string;
  readonly layer: string;
  readonly file: string;
  /** Every n-th row was tried. */
  readonly every: number;
  /** Null where the layer failed as a whole. */
  readonly count: IngestCount | null;
  /** The commonest reasons for which rows were left out. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number; readonly example: string }[];
  readonly error: string | null;
}

export interface CheckReport {
  readonly layers: readonly CheckedLayer[];
  /** For people: what was measured. */
  readonly table: readonly string[];
  /** What does not meet its expectation, one sentence each; none when all is well. */
  readonly breaches: readonly string[];
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function lines({ dataset, layer, file, every, count, reasons, error }: CheckedLayer): string[] {
  const name = `${dataset}:${layer}  ${file}`;
  if (!count) return [`${name}: failed: ${error}`];
  const taken = count.written + count.rejected;
  return [
    `${name}: ${count.read} rows tried${every > 1 ? ` (every ${every}th)` : ''}, ${count.dissolvedTo ?? count.written} written` +
      `${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}${count.rejected > 0 ? `, ${count.rejected} rejected (${percent(count.rejected, taken)})` : ''}`,
    ...reasons.map(({ reason, rows, example }) => `  ${rows} rejected: ${reason}; ${example}`),
  ];
}

/** Tries a sample of every layer of a valid place. @throws as tryPlace. */
export async function checkPlaceFiles(options: TrialOptions): Promise<CheckReport> {
  const layers: CheckedLayer[] = [];
  await tryPlace(options, async ({ layer, every, result, error }) => {
    layers.push({
      dataset: layer.dataset,
      layer: layer.layer,
      file: layer.file,
      every,
      count: result?.counts[0] ?? null,
      reasons: result ? await topReasons(result) : [],
      error,
    });
  });
  const breaches = layers.flatMap(({ dataset, layer, file, count, error }) => {
    const name = `${dataset}:${layer}, ${file}`;
    if (!count) return [`${name}: ${error}`];
    const taken = count.written + count.rejected;
    return count.rejected > taken * REJECTED
      ? [
          `${name}: ${count.rejected} of ${taken} rows are rejected (${percent(count.rejected, taken)}; at most 1 % may be)`,
        ]
      : [];
  });
  return { layers, table: layers.flatMap(lines), breaches };
}
