import { expect, it } from 'vitest';
import { unitText, valueText } from '../../web/values/value-text.ts';

it.each([
  [0, 'count', '0'],
  [3, 'count', '3'],
  [0.1214, 'fraction', '12.14 %'],
  [0.01, 'probability', '1 %'],
  [12, 'percent', '12 %'],
  [1234.56, 'm2', '1,234.6 m²'],
  [4.2, 'kWh/m2/day', '4.2 kWh/m²/day'],
  [2, 'm3/s', '2 m³/s'],
  [-70.7067684, 'degrees', '-70.706768°'],
  [7.5, 'degC', '7.5 °C'],
  [1987, null, '1987'],
  [1987, 'USD', '1,987 USD'],
  ['AE', null, 'AE'],
  [true, null, 'Yes'],
  [null, 'm', '—'],
  [[], null, 'None'],
])('%j in %s reads %s', (value, unit, text) => {
  expect(valueText(value, unit)).toBe(text);
});

it('leaves units alone that are written as they are said', () => {
  for (const unit of ['m', 'mm', 'acres', 'USD/year', 'MWac', 'kg/MWh']) expect(unitText(unit)).toBe(unit);
});
