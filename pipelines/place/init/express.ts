import type { Column, Value } from '../../../datasets/dataset.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { compileExpression } from '../../steps/normalise.ts';
import { Misfit } from '../../steps/value.ts';
import { dateForm, isNoDate } from './dates.ts';
import { isNothing, type Look } from './looks.ts';
import { numberIn, type Profile, presentIn } from './profile.ts';

/** A column expression, with notes for the place file. */
interface Expressed {
  readonly expression: ColumnExpression;
  readonly notes: readonly string[];
}

type Steps = Exclude<ColumnExpression, string>;
type Draft = { -readonly [K in keyof Steps]: Steps[K] };
type Present = Exclude<Value, null>;

/** Numbers that mean no value in any column. */
const SENTINELS = new Set([-9999, -999, -99, -99999, -999999, -9999999, -99999999, -99999998, 99999999, -1.797e308]);
/** Looks in which a text of zeros means no value. */
const ZERO_IS_NOTHING: ReadonlySet<Look> = new Set([
  'id',
  'parcel_id',
  'use_code',
  'zip',
  'house_number',
  'address',
  'use_text',
  'year',
]);
/** Columns in which zero means no value: not sold, not built, no size. */
const ZERO_TARGETS =
  /^(sale(price|price2)|yearbuilt(_effective)?|taxyear|assessment_year|gisacre|deeded_acres|recrdareano|lot_(frontage|depth)_ft|[LR](FROM|TO)ADD|HEIGHT|SQMETERS|Add_Number)$/;
/** Most values that a null list names. */
const LISTED = 12;
/** Share of rows that an expression may misread. */
const MISREAD = 0.002;

const isNumberTarget = ({ type }: Column) => type === 'number' || type === 'integer';
const typed = (value: Present): string | number => (typeof value === 'number' ? value : String(value));

/** Returns the published values that mean no value in this column, for its `null` list. */
function nothingIn(profile: Profile, column: Column, target: string, look: Look): (string | number)[] {
  const allowed = new Set((column.values ?? []).map(value => String(value).toLowerCase()));
  const numbers = isNumberTarget(column);
  const found: (string | number)[] = [];
  for (const value of profile.values.keys()) {
    const text = String(value);
    const number = numberIn(value);
    if (allowed.has(text.toLowerCase())) continue;
    // `0 UNKNOWN` is not an address either.
    const said = look === 'address' ? text.replace(/^0+\s+/, '') : value;
    if (column.type === 'date' ? isNoDate(value) : isNothing(said)) found.push(typed(value));
    else if (numbers && SENTINELS.has(number)) found.push(number);
    else if (numbers && number === 0 && ZERO_TARGETS.test(target)) found.push(0);
    else if (!numbers && column.type === 'string' && ZERO_IS_NOTHING.has(look) && /^0+(\.0+)?$/.test(text))
      found.push(typed(value));
    else if (ZERO_TARGETS.test(target) && /^(0+|0+\.0+)$/.test(text)) found.push(typed(value));
    else if (look === 'year' && numbers && !Number.isNaN(number) && (number < 1600 || number > 2100))
      found.push(number);
  }
  // A negative area or value means no value.
  if (numbers && ['acres', 'lot_sqft', 'money', 'building_sqft', 'area_m2'].includes(look)) {
    const negative = [...profile.values.keys()].map(numberIn).filter(n => n < 0);
    if (negative.length <= LISTED) found.push(...negative);
  }
  return [...new Set(found)];
}

/** Returns steps that restore leading zeros, or cut a code out of a longer identifier, to the length of the look. */
function codeSteps(profile: Profile, look: Look): Partial<Draft> {
  const digits = /^(?:fips|geoid)(\d+)$/.exec(look)?.[1];
  const length = digits ? Number(digits) : look === 'zip' ? 5 : 0;
  if (length === 0) return {};
  const values = [...profile.values.keys()].map(String);
  if (values.every(value => /^\d{7}US\d+$/.test(value))) return { slice: [9, 9 + length] };
  if (look === 'zip')
    return values.some(value => /^\d{4}$/.test(value)) && values.every(value => /^\d{1,5}$/.test(value))
      ? { pad: 5 }
      : {};
  return values.some(value => value.length < length) ? { pad: length } : {};
}

/** Maps published words to values of a closed list: equal except for case, or the value whose words they contain. */
function listLookup(profile: Profile, values: readonly Present[]): Record<string, Present> | null {
  const exact = new Map(values.map(value => [String(value).toLowerCase(), value]));
  const lookup: Record<string, Present> = {};
  for (const published of profile.values.keys()) {
    const text = String(published).trim();
    const hit = exact.get(text.toLowerCase());
    if (hit !== undefined) lookup[text] = hit;
  }
  return Object.keys(lookup).length > 0 ? lookup : null;
}

/** Returns the share of values that an expression misreads, and those values. */
function misread(profile: Profile, expression: ColumnExpression, column: Column): { share: number; values: Present[] } {
  const fill = compileExpression(expression, column.type, '2000-01-01');
  const values: Present[] = [];
  let wrong = 0;
  let all = 0;
  for (const [value, count] of profile.values) {
    all += count;
    try {
      fill({ [profile.name]: value });
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      values.push(value);
      wrong += count;
    }
  }
  return { share: all === 0 ? 0 : wrong / all, values };
}

const plain = (steps: Draft): ColumnExpression =>
  Object.keys(steps).length === 1 && typeof steps.from === 'string' ? steps.from : steps;

/**
 * Returns the expression that reads a published column into a dataset's column. It names values that mean none, the form of
 * dates, and lost zeros.
 * @param name under which rows have the column (a joined one has its prefix).
 * @returns null if too many values do not fit the column's type.
 */
export function express(
  target: string,
  column: Column,
  look: Look,
  profile: Profile,
  name: string = profile.name,
): Expressed | null {
  const steps: Draft = { from: profile.name };
  const notes: string[] = [];
  const nothing = nothingIn(profile, column, target, look);
  if (nothing.length > 0) steps.null = nothing.slice(0, LISTED * 2);
  if (column.type === 'date') {
    const form = dateForm(profile);
    if (!form) return null;
    if (form.format) steps.dateFormat = form.format;
    if (form.strip) steps.strip = form.strip;
  }
  if (column.type === 'string') Object.assign(steps, codeSteps(profile, look));
  if (column.type === 'integer' && profile.integers < profile.numbers) {
    steps.scale = 1;
    notes.push('rounded to whole numbers');
  }
  if (column.values && profile.listed) {
    const lookup = listLookup(profile, column.values);
    const list = new Set(column.values.map(String));
    const values = [...profile.values.keys()].map(value => String(value).trim());
    if (!lookup) return null;
    if (values.some(value => !list.has(value))) {
      steps.lookup = lookup;
      const left = values.filter(value => !(value in lookup));
      if (left.length > 0) notes.push(`becomes null: ${left.slice(0, 8).join(', ')}${left.length > 8 ? ' …' : ''}`);
    }
  }
  let bad = misread(profile, plain(steps), column);
  if (bad.values.length > 0 && bad.values.length <= LISTED && bad.share < 0.05) {
    steps.null = [...(steps.null ?? []), ...bad.values.map(typed)];
    notes.push(`read as nothing: ${bad.values.slice(0, 6).join(', ')}`);
    bad = misread(profile, plain(steps), column);
  }
  if (bad.share > MISREAD) return null;
  if (presentIn(profile) < profile.rows * 0.5)
    notes.push(`empty in ${Math.round((100 * profile.nulls) / profile.rows)} % of the rows`);
  return { expression: plain({ ...steps, from: name }), notes };
}
