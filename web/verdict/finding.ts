import { type Outcome, wordsOf } from '../../datasets/verdict.ts';
import { type FieldRecord, isCorrection } from '../values/field-record.ts';
import { lackWords } from '../values/page-words.ts';
import { type Units, unitsNow } from '../values/units.ts';
import { distanceWords, valueWords } from '../values/value-words.ts';
import { FLOOD_FIELDS, partFlooded } from './flood.ts';
import type { Decision, Matter } from './verdicts.ts';

/** What pages call an outcome. A place may be outside of what a part of its parcel is inside. */
const LABELS: Readonly<Record<Outcome | 'part', string>> = {
  ...{ yes: 'Yes', no: 'No', line: 'On the line', part: 'In part', unknown: 'Not known' },
};

/** Tells of the match and not of the ground. */
export const HOW_MATCHED = 'parcel_match_type';

/** A matter as pages tell it. */
export interface Finding {
  readonly outcome: Outcome | 'part';
  readonly label: string;
  /** Sentences with their full stops. */
  readonly text: string;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The value in a sentence: what lies below something is said to be so by the sentence itself. */
function valueSaid({ name, record: { value, unit }, rule }: Decision<FieldRecord>, units: Units): string {
  const isBelow = typeof value === 'number' && value < 0 && / below /.test(rule.words.yes);
  return valueWords(isBelow ? -value : value, unit, name, units);
}

/** What the field that decides a matter says of it, without a full stop. */
function sentenceOf(decision: Decision<FieldRecord>, units: Units): string {
  const { outcome, why } = decision.verdict;
  const reason = why === null ? null : lackWords(why).replace(/\.$/, '');
  const lower = reason && `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return distanceWords(wordsOf(decision.rule, { outcome, why: lower || null }, valueSaid(decision, units)), units);
}

/**
 * A matter as pages tell it. Pure but for the units by default.
 * @param floodShare the record of how much of the parcel floods, where it was asked for: a place outside of the flood hazard areas
 *   is no plain "no" where they reach into its parcel.
 */
export function findingOf(
  matter: Matter<FieldRecord>,
  floodShare: FieldRecord | undefined,
  units: Units = unitsNow(),
): Finding {
  const finding = plainFinding(matter, floodShare, units);
  return isCorrection(matter.first.record) ? { ...finding, text: `${finding.text} ${CORRECTED}` } : finding;
}

/** What is said of a value that is no longer that of its map. */
const CORRECTED = 'This is a correction that was reviewed: the source says something else.';

function plainFinding({ first }: Matter<FieldRecord>, floodShare: FieldRecord | undefined, units: Units): Finding {
  const { outcome } = first.verdict;
  const share = FLOOD_FIELDS.includes(first.name) ? partFlooded(floodShare) : null;
  const sentence = sentenceOf(first, units);
  if (share === null || outcome === 'unknown') return { outcome, label: LABELS[outcome], text: `${sentence}.` };
  const part = valueWords(share, 'fraction', 'share', units);
  if (outcome !== 'no')
    return { outcome, label: LABELS[outcome], text: `${sentence}. Of its parcel, ${part} is inside one.` };
  return {
    outcome: 'part',
    label: LABELS.part,
    text: `${sentence}, but ${part} of its parcel is inside one. Lenders go by where the building stands.`,
  };
}
