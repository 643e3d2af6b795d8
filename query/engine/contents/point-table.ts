import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import type { Answer, Point } from '../../evaluate/answer.ts';
import { type BatchPoint, evaluateBatch } from '../../evaluate/batch-evaluate.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import { type Citation, cite, type Finding } from '../../evaluate/finding.ts';
import { hilbertOf } from '../../geometry/hilbert.ts';
import { correctionsOf } from '../../release/corrections/correction-list.ts';
import { Fault, Interrupted } from '../../release/fault.ts';

/** Fields at many points, as a column each. */
export interface PointTableRequest {
  /** Of the catalog. */
  readonly names: readonly string[];
  /** Points; of one that stands for a parcel, fields of the parcel are of that one. */
  readonly points: readonly (Point & { readonly county?: string; readonly row?: number })[];
}

/** The values of a field, in the order of the points. */
export interface PointColumn {
  readonly type: ScalarType;
  readonly unit: string | null;
  readonly values: readonly Value[];
  /** A letter each: `o` ok, `a` absent, `f` failed. */
  readonly statuses: string;
  /** Whom the values are cited from, each once. */
  readonly citations: readonly {
    readonly source: string;
    readonly source_url: string | null;
    readonly dataset_vintage: string | null;
  }[];
}

/** A table on its way between threads, and what is charged for it. */
export interface PointTable {
  /** JSON text: name → PointColumn. */
  readonly columns: string;
  readonly counts: { readonly ok: number; readonly absent: number; readonly failed: number };
  /** Values that did not fail, outside the parcel record; and points at which a field of the parcel record did not fail. */
  readonly billed: { readonly fields: number; readonly parcels: number };
}

/**
 * Points that are evaluated together, near one another. What is urgent waits for one such batch.
 */
const BATCH_POINTS = 256;

const LETTERS = { ok: 'o', absent: 'a', failed: 'f' } as const satisfies Record<Answer['status'], string>;

/** Points with the parcels that they stand for. @throws Fault where the release has no such county. */
function batchPoints({ points }: PointTableRequest, { release }: Evaluation): readonly BatchPoint[] {
  const partitions = new Map(release?.layer('parcel_store', 'main')?.partitions.map(one => [one.key, one]));
  return points.map(({ lng, lat, county, row }) => {
    if (county === undefined || row === undefined) return { lng, lat };
    const partition = partitions.get(county);
    if (!partition) throw new Fault(`the release has no parcels of ${county}`);
    return { lng, lat, parcel: { partition, ord: row } };
  });
}

/** The places of points in the order of the Hilbert curve: neighbours share what is read. */
function nearOrder(points: readonly Point[]): number[] {
  const rank = points.map(({ lng, lat }) => hilbertOf(lng, lat));
  return points.map((_, i) => i).sort((a, b) => rank[a]! - rank[b]!);
}

/**
 * Answers fields at many points. Never rejects for a data fault: those are failed values.
 * @throws Interrupted when `stopped` says so, RangeError for a name the catalog lacks.
 */
export async function pointTable(request: PointTableRequest, evaluation: Evaluation): Promise<PointTable> {
  const { names } = request;
  const { catalog, pause, release, stopped } = evaluation;
  const terms = release ? { ...evaluation, corrections: correctionsOf(release) } : evaluation;
  const points = batchPoints(request, evaluation);
  const order = nearOrder(points);
  const findings = new Map(names.map(name => [name, new Array<Finding>(points.length)]));
  for (let start = 0; start < order.length; start += BATCH_POINTS) {
    const places = order.slice(start, start + BATCH_POINTS);
    if (stopped?.()) throw new Interrupted('nobody waits for the answer');
    await pause?.();
    const answers = await evaluateBatch(
      names,
      places.map(place => points[place]!),
      terms,
    );
    for (const name of names) {
      const of = findings.get(name)!;
      for (const [i, finding] of answers.get(name)!.entries()) of[places[i]!] = finding;
    }
  }
  const counts = { ok: 0, absent: 0, failed: 0 };
  const parcels = new Uint8Array(points.length);
  let fields = 0;
  const columns: Record<string, PointColumn> = {};
  for (const name of names) {
    const field = catalog.fields.get(name)!;
    const dataset = catalog.datasets.get(field.dataset)!;
    const ofParcel = catalog.parcelRecord.has(name);
    const lists = new Set<readonly Citation[]>();
    let statuses = '';
    const values = findings.get(name)!.map(({ status, value, citations }, i) => {
      statuses += LETTERS[status];
      counts[status]++;
      lists.add(citations);
      if (status !== 'failed') {
        if (ofParcel) parcels[i] = 1;
        else fields++;
      }
      return status === 'ok' ? value : null;
    });
    const cited = new Map<string, PointColumn['citations'][number]>();
    for (const list of lists) {
      const { source, sourceUrl, vintage } = cite(list, dataset);
      cited.set(JSON.stringify([source, sourceUrl, vintage]), {
        source,
        source_url: sourceUrl,
        dataset_vintage: vintage,
      });
    }
    columns[name] = { type: field.type, unit: field.unit ?? null, values, statuses, citations: [...cited.values()] };
  }
  return {
    columns: JSON.stringify(columns),
    counts,
    billed: { fields, parcels: parcels.reduce((sum, one) => sum + one, 0) },
  };
}
