import type { IngestCount } from '../../../datasets/release.ts';
import { type Breach, breachLines } from '../../steps/quality/breach.ts';
import type { Built } from '../../steps/quality/built.ts';
import { breachesOf } from '../../steps/quality/expectations.ts';
import { qualityTable } from '../../steps/quality/table.ts';
import { topReasons } from './reasons.ts';
import { type TrialOptions, tryPlace } from './trial.ts';

/** The result of a layer's trial ingest. */
interface CheckedLayer {
  readonly dataset: string;
  readonly layer: string;
  readonly file: string;
  /** Every n-th row was tried. */
  readonly every: number;
  /** Null if the layer failed as a whole. */
  readonly count: IngestCount | null;
  /** The most frequent reasons for rejected rows. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number; readonly example: string }[];
  readonly error: string | null;
}

interface CheckReport {
  readonly layers: readonly CheckedLayer[];
  /** The measures as lines for people. */
  readonly table: readonly string[];
  /** Expectations that the rows do not meet. */
  readonly breaches: readonly Breach[];
  /** These breaches and the failed layers, as lines for people. */
  readonly missed: readonly string[];
}

/** Returns the quality table of a layer, followed by the most frequent reasons. */
function lines({ dataset, layer, file, every, count, reasons, error }: CheckedLayer): string[] {
  if (!count) return [`${dataset}:${layer}  ${file}: failed: ${error}`];
  const [first, ...columns] = qualityTable([count]);
  return [
    every > 1 ? `${first} (of every ${every} rows one was tried)` : first!,
    ...columns,
    ...reasons.map(({ reason, rows, example }) => `  rejected: ${rows} for "${reason}", as ${example}`),
  ];
}

/** Ingests a sample of every layer of a valid place and compares it with the expectations. @throws as tryPlace. */
export async function checkPlaceFiles(options: TrialOptions): Promise<CheckReport> {
  const layers: CheckedLayer[] = [];
  const built: Built[] = [];
  await tryPlace(options, async ({ layer, every, result, error }, job) => {
    const { dataset, file } = layer;
    const reasons = result ? await topReasons(result) : [];
    const count = result?.counts[0] ?? null;
    layers.push({ dataset, layer: layer.layer, file, every, count, reasons, error });
    if (count) built.push({ layer: job.layer, count, examples: result!.examples[0] ?? {} });
  });
  const breaches = breachesOf(options.place, built, null);
  const failed = layers.flatMap(({ dataset, layer, file, error }) =>
    error === null ? [] : [`${dataset}:${layer}, ${file}: ${error}`],
  );
  return {
    layers,
    table: layers.flatMap(lines),
    breaches,
    missed: [...failed, ...breaches.flatMap(breachLines)],
  };
}
