import type { Field } from '../../../datasets/dataset.ts';
import type { AskRecord } from '../../ask/backend.ts';
import { converted, type Unit, unitsIn, unitWords } from '../../ask/units.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { ExampleLocation } from '../../state/field-requests/row.ts';
import type { KeptBody } from '../schema.ts';
import { judgeClaim } from './claim.ts';
import { exampleValue, resumeOf } from './example-values.ts';
import { staleness } from './freshness.ts';
import type { SubAsk } from './sub-asks.ts';

/** Matches the notes of a place for which no file was ingested. */
const UNMAPPED =
  /not (?:mapped|covered|installed|in this release)|no (?:data|file|coverage|layer)|holds? no|outside the coverage|beyond the/i;

/** A field's records at the example locations of a request. */
export interface Found {
  readonly field: Field;
  /** In the words of the dataset. */
  readonly cadence: string;
  /** Why the open release cannot answer it anywhere; null where it can. */
  readonly lack: string | null;
  /** One for each example location; none where it cannot be answered. */
  readonly records: readonly AskRecord[];
  readonly locations: readonly ExampleLocation[];
  readonly now: number;
}

function unitDoubt(
  { units }: SubAsk,
  { output_preference }: KeptBody,
  { unit }: Field,
): { doubt?: string; note?: string } {
  const said = output_preference?.units?.trim() ?? '';
  const wanted = [...unitsIn(`in ${said}`), ...(said === '' ? units : [])];
  if (wanted.length === 0)
    return said === '' || said === unit
      ? {}
      : { doubt: `its values are in ${unitWords(unit) || 'no unit'}, and you prefer ${said}` };
  const fits = wanted.find(other => other === unit || converted(1, unit, other) !== null);
  if (fits === undefined)
    return {
      doubt: `its values are in ${unitWords(unit) || 'no unit'}, which is not brought to ${unitWords(wanted[0] as Unit)}`,
    };
  return fits === unit ? {} : { note: `Values are in ${unitWords(unit)}; bring them to ${unitWords(fits)} yourself.` };
}

/** Reasons to doubt that a field is what is asked for; empty when there are none. */
export function doubtsOf(one: SubAsk, body: KeptBody, found: Found): string[] {
  const { field, lack, records, locations, cadence, now } = found;
  if (lack !== null) return [`this service cannot answer it yet (${lack})`];
  const doubts: string[] = [];
  const absent = locations.filter((_, i) => records[i]!.status !== 'ok');
  if (absent.length > 0) {
    const reason = records.find(record => record.status !== 'ok')!.notes ?? 'without a reason';
    doubts.push(`it has no value at example ${absent.map(({ index }) => index).join(', ')} (${reason})`);
  }
  for (const [i, { index }] of locations.entries()) {
    const claimed = body.example_locations[index]?.claimed_value;
    const { status, value, unit } = records[i]!;
    if (claimed !== undefined && status === 'ok' && judgeClaim(claimed, value, unit) === 'differs')
      doubts.push(`at example ${index} it is ${value}${unit ? ` ${unit}` : ''}, and you say ${claimed}`);
  }
  const vintages = records.filter(({ status }) => status === 'ok').map(record => record.dataset_vintage);
  const stale = staleness(body.freshness?.max_staleness, cadence, vintages, now);
  if (stale !== null) doubts.push(stale);
  const { doubt } = unitDoubt(one, body, field);
  if (doubt !== undefined) doubts.push(doubt);
  return doubts;
}

/** Whether the field has no data at any example location, so that it must be built there. */
export const isUnmapped = ({ lack, records }: Found): boolean =>
  lack !== null || records.every(({ status, notes }) => status === 'absent' && UNMAPPED.test(notes ?? ''));

/** Makes the disposition of a field that answers or may answer. @param doubts empty for one that answers. */
export function foundDisposition(
  one: SubAsk,
  body: KeptBody,
  found: Found,
  why: string,
  doubts: readonly string[],
): Disposition {
  const { field, locations, records } = found;
  const { note } = unitDoubt(one, body, field);
  const sure = doubts.length === 0;
  const explanation = sure
    ? `${why}.${note ? ` ${note}` : ''}`
    : `${field.name} (${field.title}) may be what you mean, but ${doubts.join('; ')}. Take it by its resume call, or file again with ${field.name} in constraints.must_not_be.`;
  return {
    ask: one.ask,
    disposition: sure ? 'matched' : 'near_miss',
    field_id: field.name,
    estimated_ready_at: null,
    resume: resumeOf(field.name, locations),
    explanation,
    values: records.map((record, i) => exampleValue(locations[i]!.index, record)),
  };
}
