import { converted, type Unit, unitAt } from '../units.ts';

/** A number as a text shows it. */
interface ShownNumber {
  readonly value: number;
  /** The power of ten of the last significant digit, to which it may be rounded. */
  readonly step: number;
  /** The unit after it. */
  readonly unit: Unit | null;
  /** As written. */
  readonly written: string;
}

/** A number in a record. */
export interface CitedNumber {
  readonly value: number;
  /** The unit as records name it; null when it is not known. */
  readonly unit: string | null;
}

const NUMBER =
  /(?<![\p{L}\p{N}.])(?<sign>(?<![\p{L}\p{N})])[-−])?\$?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?<scale>\s(?:thousand|million|billion)\b|[kK]\b)?/gu;
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, k: 1e3, million: 1e6, billion: 1e9 };

/** Number words that are hardly ever anything else. */
const WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, i) => [word, i + 2]),
);
const NUMBER_WORD = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');

/**
 * The power of ten of the last significant digit: a hundredth for 0.25, a hundred for 1,200. Trailing zeros may come
 * from rounding, as long as two digits are left.
 */
function stepOf(digits: string): number {
  const plain = digits.replaceAll(',', '');
  const decimals = plain.split('.')[1]?.length ?? 0;
  if (decimals > 0) return 10 ** -decimals;
  const significant = plain.replace(/^0+/, '').replace(/0+$/, '').length;
  const zeros = /0*$/.exec(plain)![0].length;
  return 10 ** Math.max(0, Math.min(zeros, zeros + significant - 2));
}

/** The numbers in a text, in digits and in words from two to twenty. */
export function numbersIn(text: string): ShownNumber[] {
  const shown = [...text.matchAll(NUMBER)].map(match => {
    const { sign, digits, scale } = match.groups!;
    const times = scale ? SCALES[scale.trim().toLowerCase()]! : 1;
    const value = Number(digits!.replaceAll(',', '')) * times * (sign ? -1 : 1);
    const unit = unitAt(text.slice(match.index + match[0].length));
    return { value, step: stepOf(digits!) * times, unit, written: match[0].trim() };
  });
  const words = [...text.matchAll(NUMBER_WORD)].map(match => ({
    value: WORDS[match[0].toLowerCase()]!,
    step: 1,
    unit: unitAt(text.slice(match.index + match[0].length)),
    written: match[0],
  }));
  return [...shown, ...words];
}

/** Largest share by which rounding may change a number, so that no reader would notice. */
const ROUNDING_SHARE = 0.05;

function rounds(shown: ShownNumber, value: number): boolean {
  const error = Math.abs(shown.value - value);
  const slack = 1e-9 * Math.abs(value);
  return error <= slack || (error <= shown.step / 2 + slack && error <= ROUNDING_SHARE * Math.abs(value));
}

/**
 * Whether a shown number is the cited one: rounded to its last digit and within 5 percent, or converted to the unit
 * shown. A number with a unit never matches a number of another measure.
 */
export function isNumber(shown: ShownNumber, cited: CitedNumber): boolean {
  // A sentence may say how much less: "120 m below".
  const candidates = shown.value >= 0 ? [cited.value, Math.abs(cited.value)] : [cited.value];
  if (shown.unit === null) return candidates.some(value => rounds(shown, value));
  return candidates.some(value => {
    const same = converted(value, cited.unit, shown.unit!);
    return same !== null && rounds(shown, same);
  });
}
