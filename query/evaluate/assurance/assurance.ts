import type { Catalog } from '../../../datasets/catalog.ts';
import type { Layer } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import { withCertainty } from '../edge/certainty.ts';
import type { Finding } from '../finding.ts';
import { storedLayerOf } from '../raster/terrain.ts';

/** What the figures of publishers allow of the findings of a call; null where they allow everything. */
interface Allowance {
  /** Why nothing mapped is no proof of nothing there; null where it is. */
  readonly omission: string | null;
  /** Whether the values come from a grid that nobody assessed. */
  readonly unassessed: boolean;
  /** Root mean square error of the values as the call gives them; null where none is stated. */
  readonly rmse: number | null;
}

const layersOf = ({ datasets }: Catalog, { sources }: Expression): Layer[] =>
  sources.flatMap(({ dataset, layer }) => datasets.get(dataset)?.layers[storedLayerOf(layer)] ?? []);

const allowanceOf = memo((call: Expression, catalog: Catalog): Allowance | null => {
  const layers = layersOf(catalog, call);
  const omission = layers.map(layer => (layer.kind === 'vector' && layer.omission) || null).find(Boolean) ?? null;
  const unassessed = layers.some(layer => layer.kind === 'raster' && !layer.assessed?.length);
  const rmse = rmseOf(call, layers);
  return omission || unassessed || rmse !== null ? { omission, unassessed, rmse } : null;
});

/** The error that is stated of the cells of a grid, where a call gives one of them. */
function rmseOf({ op, options }: Expression, [layer]: readonly Layer[]): number | null {
  if (op !== 'raster_sample' || layer?.kind !== 'raster' || layer.rmse === undefined) return null;
  return layer.rmse * Math.abs(Number(options.scale ?? 1));
}

/** Whether a finding says that nothing is there, or nothing so near. */
function saysNone({ op }: Expression, { status, value }: Finding): boolean {
  if (status === 'absent') return op === 'polygon_attr' || op === 'nearest_distance';
  if (op === 'nearest_distance') return value !== 0;
  return value === false || value === 0;
}

/**
 * A finding of a call as sure as the figures of the publishers allow: that nothing is mapped is medium at most where mapping leaves
 * much out, and so is every value of a grid that nobody assessed, whose cells have an edge near every point. A value of a grid with
 * a stated error carries that. Both forms of an operator and fields derived from it see it so.
 */
export function assured(call: Expression, catalog: Catalog, finding: Finding): Finding {
  const allowance = finding.status === 'failed' ? null : allowanceOf(call, catalog);
  if (!allowance) return finding;
  const { omission, unassessed, rmse } = allowance;
  const none = omission !== null && saysNone(call, finding);
  // Of an absence the reason is told, which is another where the place is not mapped at all.
  const note = none && finding.status === 'ok' ? `that none is mapped is no proof: ${omission}` : null;
  const sure = none || unassessed ? atMostMedium(finding, note) : finding;
  return rmse === null ? sure : withRmse(sure, rmse, unitOf(call, catalog));
}

/** A finding of medium confidence at most, which no field derived from it exceeds. */
function atMostMedium(finding: Finding, note: string | null): Finding {
  const atEdge = finding.atEdge ?? 'medium';
  if (note === null) return { ...finding, confidence: finding.confidence === 'low' ? 'low' : 'medium', atEdge };
  return withCertainty(finding, { confidence: 'medium', note, atEdge });
}

/** The unit of the grid that a call reads. */
function unitOf(call: Expression, catalog: Catalog): string {
  const [layer] = layersOf(catalog, call);
  return (layer?.kind === 'raster' && layer.unit) || '';
}

/** A number of a grid with the root mean square error that is stated of it. */
function withRmse(finding: Finding, rmse: number, unit: string): Finding {
  if (finding.status !== 'ok') return finding;
  const note = `± ${`${rmse} ${unit}`.trim()}, the root mean square error that the publisher found`;
  return { ...finding, spread: rmse, notes: [note, ...finding.notes] };
}
