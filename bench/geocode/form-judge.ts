import { parseAddress } from '../../query/geocode/address/address.ts';
import { streetOf } from '../../query/geocode/address/street.ts';
import { capitals } from '../../query/geocode/address/text.ts';
import type { AddressMatch } from '../../query/geocode/match.ts';
import { metresBetween, type Question } from './form.ts';
import { metresTo } from './judge.ts';
import type { Truth } from './truth.ts';

/** Least similarity that is answered with (part of the interface of POST /v1/geocode). */
const ANSWERED = 0.8;
const PARCEL_GRADE: readonly string[] = ['rooftop', 'nearest_rooftop_match'];
const COARSE: readonly string[] = ['place', 'county', 'state'];
/** Metres beyond which an answer of parcel grade is of another place. */
const FAR_M = 100;

/**
 * `right`: the very place. `street`: an estimate, which says so. `several`: the right place among others, none of them
 * picked. `wrong`: of parcel grade and elsewhere, or on a street that was not asked for.
 */
export type FormVerdict = 'right' | 'street' | 'several' | 'refused' | 'wrong';

const isSamePlace = (some: readonly Truth[], others: readonly Truth[]) =>
  some.some(a => others.some(b => metresBetween(a, b) <= FAR_M));
const wholeOf = (line: string) => streetOf(capitals(line).split(',')[0]!.split(' ').slice(1)).whole;

/** Compares an answer with what the files have. */
export function judgeForm({ text, right, others = [] }: Question, matches: readonly AddressMatch[]): FormVerdict {
  const answered = matches.filter(m => m.similarity >= ANSWERED && !COARSE.includes(m.accuracyType));
  const [best] = answered;
  if (!right.length) {
    if (!best || answered.length > 1) return 'right';
    if (PARCEL_GRADE.includes(best.accuracyType)) return 'wrong';
    const { located } = parseAddress(text);
    const asked = new Set(located.flatMap(l => l.readings.map(r => r.street?.whole)));
    return best.accuracyType !== 'street_center' && asked.has(wholeOf(best.normalizedAddress)) ? 'right' : 'wrong';
  }
  if (!best) return 'refused';
  // Where the files have both, to ask back is right, and to answer one of them is to guess.
  const isTwo = others.length > 0 && metresTo(best, [...right, ...others]) <= FAR_M && !isSamePlace(right, others);
  if (isTwo && answered.length === 1) return 'wrong';
  if (answered.length > 1) {
    const both = [right, others].every(of => answered.some(m => metresTo(m, of) <= FAR_M));
    if (others.length > 0 && both) return 'right';
    if (answered.some(m => metresTo(m, right) <= FAR_M)) return 'several';
    return answered.some(m => PARCEL_GRADE.includes(m.accuracyType)) ? 'wrong' : 'street';
  }
  const isNear = metresTo(best, right) <= FAR_M;
  if (PARCEL_GRADE.includes(best.accuracyType)) return isNear ? 'right' : 'wrong';
  return isNear ? 'right' : best.accuracyType === 'street_center' ? 'wrong' : 'street';
}
