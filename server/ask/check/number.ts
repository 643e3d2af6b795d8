import { converted, type Unit, unitAt } from '../units.ts';

/** A number as a text shows it. */
export interface ShownNumber {
  readonly value: number;
  /** The power of ten of the last significant digit, to which it may be rounded. */
  readonly step: number;
  /** The unit after it. */
  readonly unit: Unit | null;
  /** As written. */
  readonly written: string;
}

/** A shown number with its place in the text. */
export interface PlacedNumber extends ShownNumber {
  readonly start: number;
  /** Behind the number and before its unit. */
  readonly end: number;
  /** For one in so many: that many. */
  readonly among?: number;
}

/** A number in a record. */
export interface CitedNumber {
  readonly value: number;
  /** The unit as records name it; null when it is not known. */
  readonly unit: string | null;
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  billion: 1e9,
};
const SMALL: Readonly<Record<string, number>> = Object.fromEntries([
  ...ONES.map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, 20 + 10 * i] as const),
]);
const UNITS_OF_WORDS = `(?:${[...ONES, ...TENS].join('|')})`;
const SCALE_WORDS = '(?:dozen|hundred|thousand|million|billion)';
/** Digits, or words for a number. `One` alone is mostly a pronoun. */
const DIGITS = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)`;
const WORDS = `(?:(?:half a|an?|a couple of) ${SCALE_WORDS}|${UNITS_OF_WORDS}(?:[ -](?:${UNITS_OF_WORDS}|${SCALE_WORDS}|and(?= ${UNITS_OF_WORDS})))*)`;
const BEFORE = String.raw`(?<![\p{L}\p{N}.])`;
const NUMBER = new RegExp(
  `${BEFORE}(?<sign>(?<![\\p{L}\\p{N})])-)?\\$?(?<digits>${DIGITS})(?<scale>\\s(?:thousand|million|billion|dozen)\\b|[kK]\\b)?`,
  'gu',
);
const NUMBER_WORD = new RegExp(`(?<![\\p{L}\\p{N}-])${WORDS}(?![\\p{L}\\p{N}])`, 'giu');

/** Parts of one: their names, singular. */
const PARTS: Readonly<Record<string, number>> = {
  half: 2,
  halve: 2,
  third: 3,
  quarter: 4,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  twelfth: 12,
  sixteenth: 16,
  twentieth: 20,
  hundredth: 100,
  thousandth: 1000,
};
const PART_NAMES = `(?:half|halves|quarters?|(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|sixteenth|twentieth|hundredth|thousandth)s?)`;
const FRACTION_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:(?<whole>${UNITS_OF_WORDS}|\\d+) and )?(?:(?<many>an?|${UNITS_OF_WORDS}|\\d+)[ -])?(?<part>${PART_NAMES})(?:(?: of)? an?(?= \\p{L}))?(?![\\p{L}\\p{N}])`,
  'giu',
);
const RATIO = new RegExp(
  `${BEFORE}(?<!-|\\$ ?)(?<a>${DIGITS}|${WORDS})(?: chance| (?:feet|foot|meters?)(?= in every ))?(?:-| )(?:in|out of|of)(?:-| )(?:every |each |about |roughly )?(?<b>${DIGITS}(?: (?:thousand|million|billion))?|${WORDS})(?!\\.?\\p{N}|\\p{L}|%)`,
  'giu',
);
const SLASH = /(?<![\p{L}\p{N}./])(?:(?<whole>\d+) )?(?<a>\d{1,3})\/(?<b>\d{1,5})(?![\p{L}\p{N}/])/gu;
/** `A` before a unit is one of it. */
const SINGLE =
  /(?<![\p{L}\p{N}])(?:an?|one)(?= (?:miles?|kilomet(?:er|re)|acre|hectare|meter|metre|foot|yard|inch|square (?:mile|foot|meter))\b)/giu;

/** The value of words for a number; null for none. */
function wordsValue(text: string): number | null {
  const digits = text.replaceAll(',', '');
  const [first, scale] = digits.split(' ');
  if (/^[\d.]+$/.test(first!)) return Number(first) * (scale ? (SCALES[scale.toLowerCase()] ?? Number.NaN) : 1);
  const words = text
    .toLowerCase()
    .split(/[ -]/)
    .filter(word => word !== 'and' && word !== 'of');
  if (words[0] === 'half') return SCALES[words[2]!]! / 2;
  if (words[0] === 'a' && words[1] === 'couple') return SCALES[words[2]!]! * 2;
  let total = 0;
  let current = 0;
  for (const word of words) {
    if (word === 'a' || word === 'an') current = 1;
    else if (word in SMALL) current += SMALL[word]!;
    else if (SCALES[word]! >= 1000) {
      total += (current || 1) * SCALES[word]!;
      current = 0;
    } else current = (current || 1) * SCALES[word]!;
  }
  return total + current;
}

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

/** The numbers in a text: digits, words, fractions and `one in so many`, in order. */
export function placedNumbers(text: string): PlacedNumber[] {
  const numbers: PlacedNumber[] = [];
  let rest = text;
  const take = (
    pattern: RegExp,
    read: (
      groups: Record<string, string | undefined>,
      written: string,
      behind: string,
    ) => Omit<PlacedNumber, 'start' | 'end' | 'written'> | null,
  ) => {
    for (const match of rest.matchAll(pattern)) {
      const [written] = match;
      const end = match.index + written.length;
      const number = read(match.groups ?? {}, written, text.slice(end));
      if (number === null) continue;
      numbers.push({ ...number, written: written.trim(), start: match.index, end });
      rest = `${rest.slice(0, match.index)}${'_'.repeat(written.length)}${rest.slice(end)}`;
    }
  };
  const share = (value: number, behind: string) => {
    const unit = unitAt(behind) ?? 'fraction';
    return { value, step: value * 0.1, unit };
  };
  take(RATIO, ({ a, b }, written, behind) => {
    const [few, many] = [wordsValue(a!)!, wordsValue(b!)!];
    // So many in a year, or in so many years, is no share.
    if (few > 1 && (/^(?:1[89]|20)\d\d$/.test(b!) || /^ years?\b/.test(behind))) return null;
    // A number that nobody rounds to is a year.
    if (/^(?:1[89]|20)\d\d$/.test(b!) && many % 25 !== 0 && !/chance|out of|every/.test(written)) return null;
    if (!(few > 0 && many > few) || (/ of /.test(written) && !/out of|of every|of each/.test(written))) return null;
    const step = stepOf(String(many));
    return { value: few / many, step: (few / many) * (step / many), unit: 'fraction', among: many / few };
  });
  take(SLASH, ({ whole, a, b }, _, behind) =>
    Number(b) === 0 ? null : share(Number(whole ?? 0) + Number(a) / Number(b), behind),
  );
  take(FRACTION_WORD, ({ whole, many, part }, _, behind) => {
    const name = part!.toLowerCase();
    // An ordinal, as in the third floor.
    if (many === undefined && name !== 'half' && name !== 'quarter') return null;
    if (/^ (?:dozen|hundred)/.test(behind) || (/^ as\b/.test(behind) && name === 'half')) return null;
    const count = many === undefined || /^an?$/i.test(many) ? 1 : wordsValue(many)!;
    return share(
      (whole ? wordsValue(whole)! : 0) +
        count / (PARTS[name.replace(/^halves$/, 'half').replace(/(?<=\w)s$/, '')] ?? Number.NaN),
      behind,
    );
  });
  take(SINGLE, (_, __, behind) =>
    /^ (?:per|an?)\b/.test(behind) ? null : { value: 1, step: 1, unit: unitAt(behind) },
  );
  take(NUMBER, ({ sign, digits, scale }, _, behind) => {
    // Cents are dollars in hundredths.
    const cents = /^ ?(?:cents?\b|¢)/.test(behind) ? 0.01 : 1;
    const times = cents * (scale ? SCALES[scale.trim().toLowerCase()]! : 1);
    return {
      value: Number(digits!.replaceAll(',', '')) * times * (sign ? -1 : 1),
      step: stepOf(digits!) * times,
      unit: unitAt(behind),
    };
  });
  take(NUMBER_WORD, (_, written, behind) => {
    // Mostly a pronoun: one of them, no one, the one that.
    if (/^one$/i.test(written)) return null;
    if (/^zero$/i.test(written)) return { value: 0, step: 1, unit: unitAt(behind) };
    const value = wordsValue(written)!;
    return { value, step: stepOf(String(value)), unit: unitAt(behind) };
  });
  return numbers.sort((a, b) => a.start - b.start);
}

/** The numbers in a text, in order. */
export const numbersIn = (text: string): ShownNumber[] => placedNumbers(text);

/** Largest share by which rounding may change a number, so that no reader would notice. */
const ROUNDING_SHARE = 0.05;

function rounds(shown: ShownNumber, value: number): boolean {
  const error = Math.abs(shown.value - value);
  const slack = 1e-9 * Math.abs(value);
  return error <= slack || (error <= shown.step / 2 + slack && error <= ROUNDING_SHARE * Math.abs(value));
}

/** Units that are a share of one under another name. */
const unitOf = (unit: string | null): string | null => (unit === 'probability' ? 'fraction' : unit);

/** The value of a cited number in the unit that a text shows; null when it measures something else. */
export function inShownUnit(shown: Pick<ShownNumber, 'unit'>, { value, unit }: CitedNumber): number | null {
  if (shown.unit === null || shown.unit === unit) return value;
  // People say a percentile as a percentage.
  if (unit === 'percentile' && (shown.unit === 'percent' || shown.unit === 'fraction'))
    return shown.unit === 'percent' ? value : value / 100;
  return converted(value, unitOf(unit), shown.unit);
}

/**
 * Whether a shown number is the cited one: rounded to its last digit and within 5 percent, or converted to the unit
 * shown. A number with a unit never matches a number of another measure.
 */
export function isNumber(shown: ShownNumber, cited: CitedNumber): boolean {
  const value = inShownUnit(shown, cited);
  if (value === null) return false;
  // A sentence may say how much less: "120 m below".
  return (shown.value >= 0 ? [value, Math.abs(value)] : [value]).some(one => rounds(shown, one));
}
