import { ACRE_M2 } from '../../query/geometry/acre.ts';

/** A unit: its word in plain English, the quantity it measures, and its size in the base unit. */
interface Measure {
  readonly word: string;
  readonly kind: string;
  readonly factor: number;
  /** Added in the base unit after scaling, for temperatures. */
  readonly offset?: number;
  /** The smallest and largest number that anybody tells in it. */
  readonly least?: number;
  readonly most?: number;
}

/**
 * Units between which values are converted, with exact factors: the international foot is 0.3048 m, the international
 * acre 4046.8564224 m2, the US liquid gallon 3.785411784 l.
 */
const MEASURES = {
  m: { word: 'meters', kind: 'length', factor: 1, least: 0.3 },
  km: { word: 'kilometers', kind: 'length', factor: 1000, least: 0.02 },
  cm: { word: 'centimeters', kind: 'length', factor: 0.01, most: 10_000 },
  mm: { word: 'millimeters', kind: 'length', factor: 0.001, most: 20_000 },
  ft: { word: 'feet', kind: 'length', factor: 0.3048 },
  yd: { word: 'yards', kind: 'length', factor: 0.9144 },
  in: { word: 'inches', kind: 'length', factor: 0.0254, most: 2000 },
  nmi: { word: 'nautical miles', kind: 'length', factor: 1852, least: 0.02 },
  mi: { word: 'miles', kind: 'length', factor: 1609.344, least: 0.02 },
  m2: { word: 'square meters', kind: 'area', factor: 1 },
  ft2: { word: 'square feet', kind: 'area', factor: 0.09290304 },
  acres: { word: 'acres', kind: 'area', factor: ACRE_M2, least: 0.001 },
  ha: { word: 'hectares', kind: 'area', factor: 10_000, least: 0.001 },
  mi2: { word: 'square miles', kind: 'area', factor: 2_589_988.110336, least: 0.001 },
  degC: { word: 'degrees Celsius', kind: 'temperature', factor: 1 },
  degF: { word: 'degrees Fahrenheit', kind: 'temperature', factor: 5 / 9, offset: -160 / 9 },
  'm/s': { word: 'meters per second', kind: 'speed', factor: 1 },
  mph: { word: 'miles per hour', kind: 'speed', factor: 0.44704 },
  'm3/s': { word: 'cubic meters per second', kind: 'flow', factor: 1 },
  cfs: { word: 'cubic feet per second', kind: 'flow', factor: 0.028316846592 },
  'm3/day': { word: 'cubic meters a day', kind: 'flow', factor: 1 / 86_400 },
  'gal/day': { word: 'gallons a day', kind: 'flow', factor: 0.003785411784 / 86_400 },
  fraction: { word: 'as a fraction', kind: 'share', factor: 1 },
  percent: { word: 'percent', kind: 'share', factor: 0.01 },
} as const satisfies Record<string, Measure>;
export type Unit = keyof typeof MEASURES;

/** Units of the catalog that are named but never converted. */
const NAMES: Readonly<Record<string, string>> = {
  degrees: 'degrees',
  dBA: 'dBA',
  'vehicles/day': 'vehicles a day',
  MW: 'MW',
  MWac: 'MW (AC)',
  'minutes/year': 'minutes a year',
  kV: 'kV',
  people: 'people',
  jobs: 'jobs',
  units: 'homes',
  'kg/MWh': 'kilograms per MWh',
  Mbps: 'Mbps',
  'days/year': 'days a year',
  'degF-days': 'degree days (Fahrenheit)',
  'kWh/m2/day': 'kWh per square meter a day',
  g: 'g',
};

/** Units that no word follows: what is counted stands in the title, money has its sign, and scales are told by what they mean. */
const UNSAID: ReadonlySet<string> = new Set([
  'count',
  'index',
  'percentile',
  'probability',
  'USD',
  'USD/kWh',
  'USD/year',
]);

/** How people write units: long forms anywhere, short forms only after a number or `in`. Longer units come first. */
const WRITTEN: readonly (readonly [unit: Unit, long: string, short?: string])[] = [
  ['ft2', '(?:square|sq\\.?)[\\s-]*(?:feet|foot|ft|footage)|sqft|pies cuadrados', 'ft2|sf'],
  ['mi2', '(?:square|sq\\.?)[\\s-]*miles?|millas cuadradas', 'mi2'],
  ['m2', '(?:square|sq\\.?)[\\s-]*(?:met(?:er|re)s?|m)|metros cuadrados', 'm2|sqm'],
  ['cfs', 'cubic (?:feet|foot|ft) (?:per|a) second|cfs'],
  ['gal/day', 'gallons? (?:per|a) day', 'gpd'],
  ['m3/s', 'cubic met(?:er|re)s? (?:per|a) second', 'm3/s'],
  ['m3/day', 'cubic met(?:er|re)s? (?:per|a) day', 'm3/day'],
  ['mph', 'miles (?:per|an) hour|mph'],
  ['m/s', 'met(?:er|re)s? (?:per|a) second', 'm/s'],
  ['degF', '(?:degrees? )?fah?r[ae]nh(?:ei|ie|i)t', '(?:°|degrees?)\\s?f'],
  ['degC', '(?:degrees? )?(?:celsius|centigrade)', '(?:°|degrees?)\\s?c'],
  ['acres', 'acres?|acreage', 'ac'],
  ['ha', 'hectares?|hectareas?', 'ha'],
  ['nmi', 'nautical miles?|millas nauticas', 'nmi'],
  ['mi', 'miles?|millas?', 'mi'],
  ['yd', 'yards|(?<=\\d )yard(?! sale)', 'yds?'],
  ['ft', 'feet|foot|pies', 'ft'],
  ['in', 'inch(?:es)?|pulgadas?'],
  ['km', 'kilomet(?:er|re)s?|kilometros?|kms?|klicks?'],
  ['cm', 'centimet(?:er|re)s?|centimetros?', 'cm'],
  ['mm', 'millimet(?:er|re)s?|milimetros?', 'mm'],
  ['m', 'met(?:er|re)s?|metros?', 'm'],
  ['percent', 'percent|per cent'],
  ['fraction', 'as a fraction'],
];
const ANYWHERE = WRITTEN.map(
  ([unit, long, short]) =>
    [
      unit,
      new RegExp(
        `\\b(?:${long})\\b${short ? `|(?<=\\d\\s?|\\b(?:in|how many|cuant[oa]s) )(?:${short})\\b` : ''}`,
        'gi',
      ),
    ] as const,
);
const AT_START = WRITTEN.map(
  ([unit, long, short]) => [unit, new RegExp(`^[\\s-]*(?:${long}${short ? `|${short}` : ''})\\b`, 'i')] as const,
);

/** Matches a text that is only a unit. */
const ALONE = new RegExp(
  `^(?:${WRITTEN.flatMap(([, long, short]) => (short ? [long, short] : [long])).join('|')})$`,
  'i',
);

/** Metric units, and the unit that American readers expect for a quantity of that size. */
const CUSTOMARY: Partial<Readonly<Record<Unit, (value: number) => Unit>>> = {
  m: metres => (metres >= 1609.344 / 2 ? 'mi' : metres >= 1 ? 'ft' : 'in'),
  km: () => 'mi',
  cm: () => 'in',
  mm: () => 'in',
  m2: area => (area >= 4046 ? 'acres' : 'ft2'),
  ha: () => 'acres',
  degC: () => 'degF',
  'm/s': () => 'mph',
  'm3/s': () => 'cfs',
  'm3/day': () => 'gal/day',
};

const isUnit = (unit: string | null): unit is Unit => unit !== null && unit in MEASURES;
const measureOf = (unit: Unit): Measure => MEASURES[unit];

/** The units that a text names, longest names first. */
export function unitsIn(text: string): Unit[] {
  // Remove each unit once read: square feet are not feet.
  let rest = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return ANYWHERE.flatMap(([unit, pattern]) => {
    const before = rest;
    rest = rest.replace(pattern, ' ; ');
    return rest === before ? [] : [unit];
  });
}

/** The unit at the beginning of a text that follows a number; null when there is none. */
export const unitAt = (text: string): Unit | null =>
  /^\s?%/.test(text) ? 'percent' : (AT_START.find(([, pattern]) => pattern.test(text))?.[0] ?? null);

/** Whether a text is only a unit. */
export const isUnitName = (text: string): boolean => ALONE.test(text.normalize('NFKD').replace(/\p{M}/gu, '').trim());

/** Whether a question asks for American units without naming one. */
const wantsCustomary = (text: string): boolean =>
  /\b(?:imperial|american|u\.?s\.?|customary) (?:customary )?(?:units?|measures?|measurements?)\b/i.test(text);

/**
 * Converts a value to another unit.
 * @returns null when the units measure different quantities.
 */
export function converted(value: number, from: string | null, to: Unit): number | null {
  if (!isUnit(from) || measureOf(from).kind !== measureOf(to).kind) return null;
  const [a, b] = [measureOf(from), measureOf(to)];
  return (value * a.factor + (a.offset ?? 0) - (b.offset ?? 0)) / b.factor;
}

/** Whether two units measure the same quantity. */
export const measureTheSame = (a: string | null, b: string | null): boolean =>
  isUnit(a) && isUnit(b) && measureOf(a).kind === measureOf(b).kind;

/** A radius within which something is asked for: "within half a kilometer". */
const RADIUS =
  /\b(?:with)?in (?:a radius of )?(?:about |roughly )?(?:[\d.,]+|an?|one|two|three|five|ten|half an?|quarter of an?)[\s-]\p{L}+|\b(?:dentro de|a menos de|en) (?:[\d.,]+|un|una|medi[oa]) \p{L}+/giu;

/** The units that a text names for a value: of its quantity, and in which somebody would tell a value of that size. */
function unitsNamed(unit: Unit, value: number, text: string): Unit[] {
  return unitsIn(text.replace(RADIUS, ' ')).filter(other => {
    const { kind, least = 0, most = Number.POSITIVE_INFINITY } = measureOf(other);
    const size = kind === measureOf(unit).kind ? Math.abs(converted(value, unit, other)!) : Number.NaN;
    return size === 0 || (size >= least && size <= most);
  });
}

/**
 * The unit that a clause asks for its value in: the first one that it names and that fits the value; null for none.
 * @param clause that the value answers: what another clause is told in says nothing of it.
 */
export function wantedUnit(unit: string | null, value: number, clause: string): Unit | null {
  if (!isUnit(unit)) return null;
  const named = unitsNamed(unit, value, clause).find(other => other !== unit);
  if (named) return named;
  return wantsCustomary(clause) ? (CUSTOMARY[unit]?.(Math.abs(value)) ?? null) : null;
}

/** The unit that American readers expect where the clause names none that fits; null when there is none. */
export function customaryUnit(unit: string | null, value: number, clause: string): Unit | null {
  if (!isUnit(unit) || (value === 0 && unit !== 'degC')) return null;
  return unitsNamed(unit, value, clause).length > 0 ? null : (CUSTOMARY[unit]?.(Math.abs(value)) ?? null);
}

/** The first plural of a unit's words, in the singular. */
const SINGULAR: Readonly<Record<string, string>> = { feet: 'foot', inches: 'inch', people: 'person' };
const oneOf = (words: string): string =>
  words.replace(/\b(?:feet|inches|people|(?!Mbps)\p{L}{3,}s)\b/u, plural => SINGULAR[plural] ?? plural.slice(0, -1));

/** The words of a unit that is never converted; one that nobody has named reads as its field writes it. */
const nameOf = (unit: string): string => NAMES[unit] ?? (UNSAID.has(unit) ? '' : unit.replaceAll('/', ' a '));

/** A unit in words, as it follows a number; empty for a plain number. @param number as it is written. */
export function unitWords(unit: string | null, number = ''): string {
  const words = isUnit(unit) ? MEASURES[unit].word : unit === null ? '' : nameOf(unit);
  return number === '1' ? oneOf(words) : words;
}
