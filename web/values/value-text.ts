/** Words that a publisher joins by underscores, such as `America/New_York`, apart. */
const spaced = (text: string): string => (/^[A-Za-z/]+(?:_[A-Za-z/]+)+$/.test(text) ? text.replaceAll('_', ' ') : text);

/** A value of a record as people read it. */
export function valueText(value: unknown, unit: string | null | undefined): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    // A share is read in hundredths, as the answers to questions and the hints write it.
    if (unit === 'fraction' || unit === 'probability') return valueText(value * 100, 'percent');
    const digits = Number.isInteger(value)
      ? 0
      : unit === 'degrees'
        ? 6
        : Math.abs(value) >= 1000
          ? 1
          : Math.abs(value) >= 1
            ? 3
            : 5;
    const isYear = Number.isInteger(value) && value > 1600 && value < 2200 && !unit;
    const number = isYear ? String(value) : value.toLocaleString('en-US', { maximumFractionDigits: digits });
    return withUnit(number, unit);
  }
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(item => valueText(item, null)).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([key, item]) => item !== null && typeof item !== 'object' && !key.endsWith('_id'))
      .map(([key, item]) => `${key.replaceAll('_', ' ')}: ${valueText(item, null)}`)
      .join(' · ');
  return withUnit(spaced(String(value)), unit);
}

const UNITS: Readonly<Record<string, string>> = {
  percent: '%',
  degrees: '°',
  degC: '°C',
  degF: '°F',
  'degF-days': '°F days',
  fraction: '',
  count: '',
  index: '',
  probability: '',
  units: 'homes',
};

/** A unit as people write it; empty where the name of the value says it. */
export const unitText = (unit: string): string =>
  UNITS[unit] ?? unit.replace(/(?<=m)[23](?![0-9])/g, power => (power === '2' ? '²' : '³'));

function withUnit(text: string, unit: string | null | undefined): string {
  const written = unit ? unitText(unit) : '';
  return written === '' ? text : `${text}${written === '°' ? '' : ' '}${written}`;
}
