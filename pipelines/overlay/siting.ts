import type { Partition } from '../../datasets/release.ts';
import { SITING_COLUMNS, type SitingColumn } from '../../datasets/siting-columns.ts';
import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import { type SitingMeasure, sitingMeasures } from '../../query/buildable/siting.ts';
import type { BatchPoint } from '../../query/evaluate/batch-evaluate.ts';
import type { Batch } from '../../query/evaluate/context.ts';
import type { Evaluation } from '../../query/evaluate/evaluate.ts';
import { openArea } from '../../query/evaluate/evaluate-area.ts';
import { absent, type Finding, failed, found } from '../../query/evaluate/finding.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { bindParcel } from '../../query/parcel/bound-parcel.ts';
import { Fault, Interrupted } from '../../query/release/fault.ts';

/** The names that are columns of siting. */
export const isSiting = (name: string): boolean => SITING_COLUMNS.has(name);

/** @param parcels that the parcel is cited from. */
function findingOf({ measure }: SitingColumn, measured: SitingMeasure, parcels: Partition | null): Finding {
  const partitions = [...(parcels ? [parcels] : []), ...measured.partitions];
  if (measured.status === 'ok') return found(Math.round((measured[measure] / ACRE_M2) * 1e4) / 1e4, 'high', partitions);
  if (measured.status === 'absent') return absent(measured.reason, 'high', partitions);
  return failed(new Fault(measured.reason, measured.retryable));
}

/**
 * Computes the columns of siting for the parcels of a batch, and returns the findings to store.
 * @param points of the batch, each with its parcel.
 * @throws Interrupted, and the errors of Batch.check.
 */
export async function sitingFindings(
  batch: Batch,
  names: readonly string[],
  points: readonly BatchPoint[],
  evaluation: Evaluation,
): Promise<Map<string, Finding[]>> {
  const out = new Map<string, Finding[]>(names.map(name => [name, []]));
  if (names.length === 0) return out;
  const templates = [...new Set<SitingTemplate>(names.map(name => SITING_COLUMNS.get(name)!.template))];
  for (const { parcel } of points) {
    batch.check();
    const { partition, ord } = parcel!;
    let broken: Finding | null = null;
    let cited: Partition | null = null;
    let measures: Awaited<ReturnType<typeof sitingMeasures>> = new Map();
    try {
      const bound = await bindParcel(batch.layers, { partition: partition.key, ord });
      const { geometry } = bound;
      cited = bound.partition;
      measures = await sitingMeasures(geometry, templates, area => openArea(area, evaluation, batch.layers).ctx);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      broken = failed(error);
    }
    for (const name of names) {
      const column = SITING_COLUMNS.get(name)!;
      out.get(name)!.push(broken ?? findingOf(column, measures.get(column.template)!, cited));
    }
  }
  return out;
}
