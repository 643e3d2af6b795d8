import type { Value } from '../../../datasets/dataset.ts';
import { EPOCH } from '../../steps/value.ts';
import { type Profile, presentIn } from './profile.ts';

/** The form in which a column's dates are written. */
interface DateForm {
  /** Value for `dateFormat`; undefined if the ingest needs none. */
  readonly format?: string;
  /** Value for `strip`, which removes the time of day after the date. */
  readonly strip?: string;
  /** Share of the present values that are dates of this form. */
  readonly share: number;
}

/** Whether a value is milliseconds of 1973 to 2100 or 1850 to 1966, which have more digits than any other form of a date. */
const isEpoch = (value: Exclude<Value, null>): boolean => {
  const ms = /^-?\d{12,13}$/.test(String(value)) ? Number(value) : Number.NaN;
  return ms % 1000 === 0 && ms > -3_786_912_000_000 && ms < 4_102_444_800_000;
};

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const TIME = '(?:[ T]\\d{1,2}:\\d{2}.*)?';
const FORMS: readonly {
  readonly pattern: { test(text: string): boolean };
  readonly format?: string;
  readonly timed?: boolean;
}[] = [
  { pattern: /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/ },
  { pattern: /^(?:17|18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/ },
  {
    pattern: new RegExp(`^(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\\d|3[01])/\\d{4}${TIME}$`),
    format: 'MM/DD/YYYY',
    timed: true,
  },
  {
    pattern: new RegExp(`^\\d{4}/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\\d|3[01])${TIME}$`),
    format: 'YYYY/MM/DD',
    timed: true,
  },
  {
    pattern: new RegExp(`^(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\\d|3[01])/\\d{2}${TIME}$`),
    format: 'MM/DD/YY',
    timed: true,
  },
  { pattern: /^(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])-\d{4}$/, format: 'MM-DD-YYYY' },
  { pattern: /^(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d{2}$/, format: 'MMDDYYYY' },
  { pattern: new RegExp(`^\\d{1,2}-${MONTH}-\\d{4}${TIME}$`, 'i'), format: 'DD-MMM-YYYY', timed: true },
  { pattern: new RegExp(`^\\d{1,2}-${MONTH}-\\d{2}${TIME}$`, 'i'), format: 'DD-MMM-YY', timed: true },
  { pattern: new RegExp(`^${MONTH} \\d{1,2}, \\d{4}$`, 'i'), format: 'MMM DD, YYYY' },
  { pattern: { test: isEpoch }, format: EPOCH },
];

const NO_DATE = /^0+$|^0*[/-]0*[/-]0*$|^(?:1899-12-30|1900-01-01|1901-01-01)/;

/** Whether a value means that there is no date: zeros, or the first day of a spreadsheet's calendar. */
export const isNoDate = (value: Exclude<Value, null>): boolean => NO_DATE.test(String(value));

/** Returns the form of most of a column's values; null if they are not dates. */
export function dateForm(profile: Profile): DateForm | null {
  let best: { form: (typeof FORMS)[number]; hits: number; timed: boolean } | null = null;
  let judged = 0;
  for (const [value, count] of profile.values) if (!isNoDate(value)) judged += count;
  if (judged === 0 || presentIn(profile) === 0) return null;
  for (const form of FORMS) {
    let hits = 0;
    let timed = false;
    for (const [value, count] of profile.values) {
      if (isNoDate(value) || !form.pattern.test(String(value))) continue;
      hits += count;
      timed ||= /\d[ T]\d{1,2}:/.test(String(value));
    }
    if (hits > (best?.hits ?? 0)) best = { form, hits, timed };
  }
  if (!best || best.hits < judged * 0.6) return null;
  const { format, timed } = best.form;
  return {
    ...(format === undefined ? {} : { format }),
    ...(timed && best.timed ? { strip: '[ T].*$' } : {}),
    share: best.hits / judged,
  };
}
