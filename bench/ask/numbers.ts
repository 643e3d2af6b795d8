import type { Field } from '../../datasets/dataset.ts';
import type { AskRecord } from '../../server/ask/backend.ts';

/** A number in a text with the words behind it. */
interface Shown {
  readonly value: number;
  readonly digits: string;
  readonly before: string;
  readonly behind: string;
}

/** A number of a record or of a field's definition, with its unit. */
export interface Known {
  readonly value: number;
  readonly unit: string | null;
}

const NUMBER = /(?<![\p{L}\d.])-?\d[\d,]*(?:\.\d+)?/gu;
/** In one in so many the so many is the number. */
const ONE_IN = /^1(?= in \d)/;
const shownIn = (text: string): Shown[] =>
  [...text.matchAll(NUMBER)].flatMap(match => {
    if (ONE_IN.test(text.slice(match.index))) return [];
    const digits = match[0].replace(/^-/, '').replace(/,+$/, '').replaceAll(',', '');
    const end = match.index + match[0].length;
    return [{ value: Number(digits), digits, before: text.slice(0, match.index), behind: text.slice(end) }];
  });

/** Words of units behind a number, longest first. */
const WORDS: readonly (readonly [string, RegExp])[] = (
  [
    ['ft2', 'square feet|square foot|pies cuadrados'],
    ['m2', 'square meters?|metros cuadrados|m2'],
    ['mi2', 'square miles?'],
    ['cfs', 'cubic feet (?:a|per) second|cfs'],
    ['m3/s', 'cubic meters? (?:a|per) second'],
    ['m3/day', 'cubic meters? a day'],
    ['gal/day', 'gallons? a day'],
    ['mph', 'miles per hour|mph'],
    ['m/s', 'meters? per second|m/s'],
    ['degF', 'degrees Fahrenheit|°F'],
    ['degC', 'degrees Celsius|°C'],
    ['mi', 'miles?|millas?'],
    ['km', 'kilometers?|km'],
    ['ft', 'feet|foot|pies'],
    ['in', 'inches|inch|pulgadas?'],
    ['cm', 'centimeters?|cm'],
    ['mm', 'millimeters?|mm'],
    ['yd', 'yards?'],
    ['m', 'meters?|metros?|m'],
    ['acres', 'acres?'],
    ['ha', 'hectares?'],
    ['percent', 'percent|%'],
  ] as const
).map(([unit, words]) => [unit, new RegExp(`^[\\s-]?(?:${words})(?![\\p{L}\\d])`, 'iu')] as const);
const unitBehind = (text: string): string | null => WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** Sizes in the base unit of a measure, from the definitions of the units (NIST SP 811, appendix B). */
const SIZES: Readonly<Record<string, readonly [measure: string, size: number]>> = {
  m: ['length', 1],
  km: ['length', 1000],
  cm: ['length', 0.01],
  mm: ['length', 0.001],
  ft: ['length', 0.3048],
  yd: ['length', 0.9144],
  in: ['length', 0.0254],
  mi: ['length', 1609.344],
  m2: ['area', 1],
  ft2: ['area', 0.3048 ** 2],
  mi2: ['area', 1609.344 ** 2],
  ha: ['area', 10_000],
  acres: ['area', 4046.8564224],
  'm/s': ['speed', 1],
  mph: ['speed', 0.44704],
  'm3/s': ['flow', 1],
  cfs: ['flow', 0.3048 ** 3],
  'm3/day': ['flow', 1 / 86_400],
  'gal/day': ['flow', 0.003785411784 / 86_400],
  fraction: ['share', 1],
  probability: ['share', 1],
  percent: ['share', 0.01],
};

/** A known number in the unit that a text shows; null where it is of another measure. */
function inUnit({ value, unit }: Known, into: string | null): number | null {
  if (into === null || into === unit || (into === 'percent' && unit === 'percentile')) return value;
  if (unit === 'degC' && into === 'degF') return value * 1.8 + 32;
  const [from, to] = [SIZES[unit ?? ''], SIZES[into]];
  return from && to && from[0] === to[0] ? (value * from[1]) / to[1] : null;
}

/** The step to which a number is rounded: two digits, or as many more as it shows. */
function stepOf({ value, digits }: Shown): number {
  const decimals = digits.split('.')[1]?.length;
  const significant = digits.replace('.', '').replace(/^0+/, '');
  const many = decimals === undefined ? significant.replace(/0+$/, '').length : significant.length;
  return 10 ** (Math.floor(Math.log10(value || 1)) - (Math.max(2, many) - 1));
}

/** Tells if a number shown is one of the record: converted to its unit and rounded as shown. An upper bound is rounded up. */
function is(shown: Shown, known: Known): boolean {
  const value = inUnit(known, unitBehind(shown.behind));
  if (value === null) return false;
  const [own, step] = [Math.abs(value), stepOf(shown)];
  const slack = 1e-9 * Math.max(1, own);
  if (/\bat most (?:[\d.,]+ \p{L}+ \()?-?$|\bcomo máximo (?:[\d.,]+ \p{L}+ \()?$/u.test(shown.before))
    return shown.value >= own - slack && shown.value - own < step + slack;
  return Math.abs(shown.value - own) <= step / 2 + slack;
}

/** Numbers in texts with the units behind them. */
const knownIn = (texts: readonly (string | null | undefined)[]): Known[] =>
  texts.flatMap(text => shownIn(text ?? '').map(({ value, behind }) => ({ value, unit: unitBehind(behind) })));

/** Numbers of a record and of its field's title. */
function knownOf(field: Field, { value, unit, notes, dataset_vintage }: AskRecord): Known[] {
  const own: Known[] = typeof value === 'number' ? [{ value, unit }] : [];
  // So many in a year is one in so many.
  if (unit === 'probability' && typeof value === 'number' && value > 0) own.push({ value: 1 / value, unit: null });
  // A day in words has no zero before it.
  const day = typeof value === 'string' ? value.replace(/-0?/g, ' ') : null;
  const { title, description, verdict } = field;
  const words = verdict ? [verdict.words.yes, verdict.words.no, verdict.matter] : [];
  const texts = knownIn([typeof value === 'string' ? value : null, day, notes, dataset_vintage]);
  return [...own, ...texts, ...knownIn([title, description, ...words])];
}

/** Tells if an answer holds a number, in any unit. Number words do not count. */
export const tellsNumber = (answer: string, known: Known): boolean =>
  shownIn(answer).some(shown => is(shown, known)) || (known.value === 0 && /\bno\b/i.test(answer));

/** A sentence of an answer with the fields that it cites. */
interface Cited {
  readonly text: string;
  readonly fields: readonly string[];
}

/** Records that an answer was made of. */
interface Made {
  readonly question: string;
  readonly answer: string;
  readonly sentences: readonly Cited[];
  readonly records: Readonly<Record<string, AskRecord>>;
  /** Percentiles of values among the parcels, from their quantiles. */
  readonly standings: readonly string[];
  readonly fieldOf: (name: string) => Field;
}

/** Limits stand in the question, not in a record. */
const LIMIT = /(?:, which is |is more than |, (?:apenas )?(?:más|menos) de ).*$/i;

/**
 * Numbers of an answer that do not follow from the records which their sentence cites, by converting units and rounding to two digits
 * or more. Only what a value is held against may stand in the question instead; a sentence that cites nothing may name years of sources.
 */
export function unsupportedNumbers({ question, answer, sentences, records, standings, fieldOf }: Made): string[] {
  const asked = new Set(shownIn(question).map(({ value }) => value));
  const free = sentences.reduce((rest, { text }) => rest.replace(text, ' '), answer);
  const years = Object.values(records).flatMap(({ dataset_vintage, notes }) => knownIn([dataset_vintage, notes]));
  const unquoted = (text: string) =>
    text.replace(/“([^”]*)”/g, (quote, inner: string) => (question.includes(inner) ? '' : quote));
  const inSentences = sentences.flatMap(({ text, fields }) => {
    const known = fields.flatMap(name => (records[name] ? knownOf(fieldOf(name), records[name]) : []));
    known.push(...knownIn(standings));
    const limit = LIMIT.exec(text)?.index ?? text.length;
    return shownIn(unquoted(text)).filter(
      shown => !known.some(one => is(shown, one)) && !(shown.before.length >= limit && asked.has(shown.value)),
    );
  });
  const beside = shownIn(unquoted(free)).filter(shown => !years.some(({ value }) => value === shown.value));
  return [...inSentences, ...beside].map(({ digits }) => digits);
}
