import { isHeight, measureIn, type Units, unitsNow } from './units.ts';
import { unitText, valueText } from './value-text.ts';

/** Digits of money, which nobody reads in cents unless it is a price of a few dollars. */
const dollars = (value: number, per: string): string => {
  const most = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 1 ? 2 : 3;
  const text = Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: most });
  return `${value < 0 ? '−' : ''}$${text}${per === '' ? '' : ` ${/^[aeiou]/.test(per) ? 'an' : 'a'} ${per}`}`;
};

/** A number with the digits that its measure bears: three that tell, whole ones from a hundred on. */
function sensible(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: size < 1 ? 3 : digits });
}

/** Units that are told with as many digits as they are published. */
const EXACT = ['degrees', 'fraction', 'probability', 'count', 'index', 'percentile', 'percent'];

/**
 * A value of a field as people read it: in their units, with sensible digits. Pure but for the units by default.
 * @param name of the field, which tells heights from ways. @param units those that are shown, by default.
 */
export function valueWords(
  value: unknown,
  unit: string | null | undefined,
  name = '',
  units: Units = unitsNow(),
): string {
  if (typeof value !== 'number' || !unit) return valueText(value, unit);
  if (unit === 'fraction' || unit === 'probability') {
    const percent = value * 100;
    return `${percent.toLocaleString('en-US', { maximumFractionDigits: percent >= 10 ? 0 : percent >= 1 ? 1 : 3 })} %`;
  }
  if (EXACT.includes(unit)) return valueText(Number(value.toFixed(unit === 'degrees' ? 6 : 2)), unit);
  if (unit.startsWith('USD')) return dollars(value, unit.split('/')[1] ?? '');
  const told = measureIn(value, unit, units, isHeight(name));
  // A foot is what ways are known to.
  const number =
    told.unit === 'ft'
      ? told.value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(told.value) >= 10 ? 0 : 1 })
      : sensible(told.value);
  const of = told.value === 1 && told.unit === 'acres' ? 'acre' : unitText(told.unit);
  return of === '' ? number : `${number} ${of}`;
}

/** How far a title or a sentence of the catalog looks, such as "within 500 m". */
const WITHIN = /\bwithin ([\d.,]+) (k?m)\b/g;

/**
 * A title or a sentence of the catalog with the distance within which it looks in the reader's units, to two digits, as answers in
 * words tell it. Pure but for the units by default.
 */
export function distanceWords(text: string, units: Units = unitsNow()): string {
  if (units === 'metric') return text;
  return text.replace(WITHIN, (_, digits: string, unit: string) => {
    const metres = Number(digits.replaceAll(',', '')) * (unit === 'km' ? 1000 : 1);
    const told = measureIn(metres, 'm', units, false);
    return `within ${Number(told.value.toPrecision(2)).toLocaleString('en-US')} ${told.unit}`;
  });
}
