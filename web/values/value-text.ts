/** A value of a record as people read it. */
export function valueText(value: unknown, unit: string | null | undefined): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
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
    return unit ? `${number} ${unitText(unit)}` : number;
  }
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(item => valueText(item, null)).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, item]) => item !== null && typeof item !== 'object')
      .map(([key, item]) => `${key.replaceAll('_', ' ')}: ${valueText(item, null)}`)
      .join(' · ');
  return unit ? `${value} ${unitText(unit)}` : String(value);
}

const UNITS: Readonly<Record<string, string>> = {
  percent: '%',
  degrees: '°',
  m2: 'm²',
  usd: 'USD',
  km2: 'km²',
  fraction: '',
};

const unitText = (unit: string): string => UNITS[unit] ?? unit;
