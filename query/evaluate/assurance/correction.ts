import type { Catalog } from '../../../datasets/catalog.ts';
import type { Value } from '../../../datasets/dataset.ts';
import { parcelId } from '../../format/parcel-id.ts';
import {
  type AcceptedCorrection,
  type CorrectedValue,
  type FieldCorrections,
  isNear,
  type PlacedCorrections,
} from '../../release/corrections/correction-list.ts';
import { Interrupted } from '../../release/fault.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Finding } from '../finding.ts';
import { type ParcelMatch, parcelMatch } from '../parcel-at-point.ts';

/** Letters of a source's text that a note repeats. */
const MOST_LETTERS = 100;

/** Whether a source says what a correction says: numbers to nine digits, texts but for white space about them. */
export function isSame(said: unknown, corrected: CorrectedValue): boolean {
  if (typeof said === 'number' && typeof corrected === 'number')
    return Math.abs(said - corrected) <= 1e-9 * Math.max(1, Math.abs(said), Math.abs(corrected));
  if (typeof said === 'string' && typeof corrected === 'string') return said.trim() === corrected.trim();
  return said === corrected;
}

function saidText(value: Answer['value']): string {
  if (value === null) return 'has no value';
  const text = String(value);
  return `says ${text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text}`;
}

/**
 * A finding as a correction has it, with what its source says in the notes. Where the source says the same, it is answered and no
 * correction is told. A source that failed stays failed: nobody knows what it says now.
 */
function corrected<F extends Omit<Finding, 'value'> & { readonly value: Answer['value'] }>(
  finding: F,
  { correction_id: id, dataset, value, evidence_url: url, accepted_at: at }: AcceptedCorrection,
): F {
  if (finding.status === 'failed' || (finding.status === 'ok' && isSame(finding.value, value))) return finding;
  const day = at.slice(0, 10);
  const { atEdge: _, spread: __, near: ___, ...rest } = finding;
  const note = `corrected after review on ${day} (${id}): the source ${saidText(finding.value)}`;
  return {
    ...(rest as F),
    status: 'ok',
    value,
    confidence: 'medium',
    citations: [{ source: `correction:${dataset}`, url, vintage: day }],
    notes: [note, ...finding.notes],
  };
}

/** A finding that rests on what was corrected in another field: told as it is, and no surer than a correction. */
function touched<F extends Pick<Finding, 'status' | 'confidence' | 'notes'>>(
  finding: F,
  { correction_id: id, field, accepted_at: at }: AcceptedCorrection,
): F {
  if (finding.status === 'failed') return finding;
  const day = at.slice(0, 10);
  const note = `what this rests on was corrected here after review on ${day} (${field}, ${id}): this follows from what the source says`;
  const confidence = finding.confidence === 'low' ? 'low' : 'medium';
  // A reason comes first.
  const first = finding.status === 'absent' ? 1 : 0;
  return { ...finding, confidence, notes: [...finding.notes.slice(0, first), note, ...finding.notes.slice(first)] };
}

/** Whether the correction of a parcel counts for a place that was matched to it. @param ofParcel whether the field is of the parcel. */
function idOf(match: ParcelMatch, ofParcel: boolean): string | null {
  if (match.status !== 'matched' || (!ofParcel && match.type === 'nearest')) return null;
  return parcelId(match.hit.feature.properties.parcel_key ?? null);
}

/** The correction that counts at a point, of those of a field. @throws Interrupted. */
async function correctionAt(
  ctx: Context,
  name: string,
  { ofParcels, ofPlaces }: PlacedCorrections,
): Promise<AcceptedCorrection | undefined> {
  const ofPlace = ofPlaces.findLast(one => isNear(one, ctx.point));
  if (ofPlace || ofParcels.size === 0) return ofPlace;
  try {
    const id = idOf(await parcelMatch(ctx), ctx.catalog.parcelRecord.has(name));
    return id === null ? undefined : ofParcels.get(id);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // Which parcel it is cannot be told.
    return undefined;
  }
}

/**
 * A finding of a field at a point, as accepted corrections have it: of the place, or of the parcel that holds it; of the nearest parcel
 * only where the field is read of that.
 * @param name of the catalog. @throws Interrupted.
 */
export async function correctedAt(
  ctx: Context,
  name: string,
  corrections: FieldCorrections,
  finding: Finding,
): Promise<Finding> {
  if (finding.status === 'failed') return finding;
  const own = await correctionAt(ctx, name, corrections);
  if (own) return corrected(finding, own);
  const other = await correctionAt(ctx, name, corrections.besides);
  return other ? touched(finding, other) : finding;
}

/** A finding of a field of a parcel that is known, at the point where its values are read. */
export function correctedOf<F extends Omit<Finding, 'value'> & { readonly value: Answer['value'] }>(
  finding: F,
  corrections: FieldCorrections,
  parcel: { readonly key: Value; readonly point: { readonly lat: number; readonly lng: number } },
): F {
  const by = ({ ofParcels, ofPlaces }: PlacedCorrections) =>
    ofPlaces.findLast(one => isNear(one, parcel.point)) ?? ofParcels.get(parcelId(parcel.key));
  const own = by(corrections);
  if (own) return corrected(finding, own);
  const other = by(corrections.besides);
  return other ? touched(finding, other) : finding;
}

/** Whether a field is of the parcel at a place, so that a correction of it is of the parcel. */
export const isOfParcel = (catalog: Catalog, name: string): boolean =>
  !catalog.fields.has(name) || catalog.parcelRecord.has(name);
