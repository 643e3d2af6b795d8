/**
 * Units that differ by a factor, with their size in the first of each kind: the definitions of NIST (SP 811, appendix B). Names as
 * GDAL, EPSG and people write them, in lower case and without blanks.
 */
const KINDS: readonly (readonly (readonly [size: number, ...names: string[]])[])[] = [
  [
    [1, 'm', 'metre', 'meter', 'metres', 'meters'],
    [0.1, 'dm', 'decimetre', 'decimeter', 'decimetres', 'decimeters'],
    [0.01, 'cm', 'centimetre', 'centimeter', 'centimetres', 'centimeters'],
    [0.001, 'mm', 'millimetre', 'millimeter', 'millimetres', 'millimeters'],
    [1000, 'km', 'kilometre', 'kilometer', 'kilometres', 'kilometers'],
    [0.3048, 'ft', 'foot', 'feet', 'internationalfoot', 'internationalfeet', 'ift'],
    [
      1200 / 3937,
      'ussurveyfoot',
      'ussurveyfeet',
      'u.s.surveyfoot',
      'u.s.surveyfeet',
      'surveyfoot',
      'surveyfeet',
      'foot_us',
      'us-ft',
      'usft',
      'ftus',
      'sft',
    ],
    [0.0254, 'in', 'inch', 'inches'],
    [0.9144, 'yd', 'yard', 'yards'],
  ],
  [
    [1, 'm/s', 'ms-1', 'metrespersecond', 'meterspersecond'],
    [1 / 3.6, 'km/h', 'kmh', 'kph'],
    [0.44704, 'mph', 'mi/h', 'milesperhour'],
    [1852 / 3600, 'kn', 'kt', 'knot', 'knots'],
  ],
  [[1, 'percent', '%', 'pct']],
];

const normal = (text: string): string =>
  text.toLowerCase().replace(/[\s^]/g, '').replaceAll('²', '2').replace(/\/d$/, '/day');

/** Splits `0.001 in` into its factor and its unit. */
function split(text: string): readonly [factor: number, unit: string] {
  const match = /^(\d*\.?\d+)\s+(.+)$/.exec(text.trim());
  return match ? [Number(match[1]), normal(match[2]!)] : [1, normal(text)];
}

/**
 * Returns the factor that turns numbers of one unit into numbers of another, such as 0.3048 for `ft` and `m`; a unit may have a
 * factor of its own (`0.001 in`). Null when they measure different things or one is not known.
 */
export function unitFactor(from: string, to: string): number | null {
  const [[a, fromUnit], [b, toUnit]] = [split(from), split(to)];
  if (fromUnit === toUnit) return a / b;
  const sizeOf = (kind: (typeof KINDS)[number], unit: string) => kind.find(([, ...names]) => names.includes(unit))?.[0];
  for (const kind of KINDS) {
    const [s, t] = [sizeOf(kind, fromUnit), sizeOf(kind, toUnit)];
    if (s !== undefined && t !== undefined) return (a * s) / (b * t);
  }
  return null;
}
