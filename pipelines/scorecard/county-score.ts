import type { Catalog } from '../../datasets/catalog.ts';
import type { Confidence, Field } from '../../datasets/dataset.ts';
import { acresApart, SAID_ACRES } from '../../datasets/parcel/disagreement.ts';
import type { Finding } from '../../query/evaluate/finding.ts';
import { Calculated } from '../../query/parcel/calculated-values.ts';
import { type CountyScore, type FieldScore, wilson } from '../../query/parcel/scorecard.ts';
import type { Layers } from '../../query/release/layers.ts';
import type { County } from '../../query/search/predicate/counties.ts';
import type { Expected } from './plain-arithmetic.ts';
import type { LngLat } from './plain-geometry.ts';
import { NotChecked } from './plain-layer.ts';
import type { Recomputation, Recomputed } from './recomputation.ts';

/** Parcels of a county that are looked at. */
const SAMPLE = 400;

/** A parcel of the sample. */
interface Sampled {
  readonly place: LngLat;
  readonly findings: ReadonlyMap<string, Finding>;
}

/** What became of one value. */
type Outcome = 'right' | 'wrong' | 'absent' | 'failed' | 'undecidable';

/** Holds a stored finding against what was computed a second time. @param step of the field's numbers, null for none. */
function judge(finding: Finding, expected: Expected, step: number | null): { outcome: Outcome; off: number | null } {
  const plain = (outcome: Outcome) => ({ outcome, off: null });
  if (finding.status === 'failed') return plain('failed');
  if (expected.kind === 'undecidable') return plain('undecidable');
  // Why there is none may have reasons that are not computed a second time: an absence is counted and not judged.
  if (finding.status === 'absent') return plain('absent');
  if (expected.kind === 'none') return plain('wrong');
  const { value, tolerance } = expected;
  if (typeof value === 'number' && typeof finding.value === 'number') {
    const off = Math.abs(finding.value - value);
    return { outcome: off <= tolerance + (step ?? 0) / 2 + 1e-9 ? 'right' : 'wrong', off };
  }
  return plain(finding.value === value ? 'right' : 'wrong');
}

/** Of sorted numbers the least that so large a share of them does not exceed; null of none. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;

const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(4)));

/** The score of a field that cannot be checked. */
const unchecked = (field: string, reason: string): FieldScore => ({
  ...{ field, against: null, checked: 0, right: 0, wrong: 0, absent: 0, failed: 0, undecidable: 0 },
  ...{ interval: null, p50_error: null, p95_error: null, reason },
});

/** Places of a sample in a county, evenly over its order, which is that of the ground. */
const ordsOf = (count: number, sample: number): number[] =>
  Array.from({ length: Math.min(count, sample) }, (_, i) => Math.floor((i * count) / Math.min(count, sample)));

/**
 * Holds the stored values of a county's parcels against a second computation from the rows of the release, by code that shares
 * nothing with the one that made them but the readers' formats.
 * @param now epoch milliseconds. @param beat told after each field; may throw.
 * @throws Fault or DamagedFile when the parcels or their values cannot be read.
 */
export async function countyScore(
  layers: Layers,
  catalog: Catalog,
  { partition, fips }: County,
  recomputation: Recomputation,
  now: number,
  beat: () => void = () => {},
): Promise<CountyScore> {
  const { file } = await layers.features(partition);
  const calculated = new Calculated(layers, catalog, partition);
  const names = [...catalog.fields.keys()].filter(name => calculated.locate(name) !== null);
  const sample: Sampled[] = [];
  let disagreeing = 0;
  for (const ord of ordsOf(file.count, SAMPLE)) {
    const properties = file.properties(ord);
    const place = [Number(properties.centroid_lon), Number(properties.centroid_lat)] as const;
    sample.push({ place, findings: await calculated.findings(ord, names) });
    if (SAID_ACRES.some(name => acresApart(properties.acreage, properties[name]) !== null)) disagreeing++;
  }
  const tally: Record<Confidence, { checked: number; right: number }> = {
    high: { checked: 0, right: 0 },
    medium: { checked: 0, right: 0 },
    low: { checked: 0, right: 0 },
  };
  const rows: FieldScore[] = [];
  for (const field of catalog.fields.values()) {
    beat();
    rows.push(
      names.includes(field.name)
        ? await fieldScore(field, sample, recomputation, tally)
        : unchecked(field.name, 'it is not calculated for the parcels of this county'),
    );
  }
  const calibration = (['high', 'medium', 'low'] as const).map(confidence => {
    const { checked, right } = tally[confidence];
    return { confidence, checked, right, interval: wilson(right, checked) };
  });
  return {
    county_fips: fips,
    taken_at: new Date(now).toISOString(),
    sample: sample.length,
    disagreeing: sample.length === 0 ? 0 : rounded(disagreeing / sample.length)!,
    rows,
    calibration,
  };
}

async function fieldScore(
  field: Field,
  sample: readonly Sampled[],
  recomputation: Recomputation,
  tally: Record<Confidence, { checked: number; right: number }>,
): Promise<FieldScore> {
  let again: Recomputed;
  try {
    again = await recomputation.of(field);
  } catch (error) {
    if (error instanceof NotChecked) return unchecked(field.name, error.message);
    throw error;
  }
  const counts: Record<Outcome, number> = { right: 0, wrong: 0, absent: 0, failed: 0, undecidable: 0 };
  const offs: number[] = [];
  for (const { place, findings } of sample) {
    const finding = findings.get(field.name);
    if (!finding) continue;
    const { outcome, off } = judge(
      finding,
      finding.status === 'ok' ? await again(place) : { kind: 'none' },
      field.precision,
    );
    counts[outcome]++;
    if (off !== null) offs.push(off);
    if (outcome !== 'right' && outcome !== 'wrong') continue;
    tally[finding.confidence].checked++;
    if (outcome === 'right') tally[finding.confidence].right++;
  }
  offs.sort((a, b) => a - b);
  const checked = counts.right + counts.wrong;
  return {
    ...{ field: field.name, against: 'recomputation', checked, ...counts, interval: wilson(counts.right, checked) },
    ...{ p50_error: rounded(quantile(offs, 0.5)), p95_error: rounded(quantile(offs, 0.95)) },
    ...(checked === 0 ? { reason: 'no parcel of the sample has a value that can be checked' } : {}),
  };
}
