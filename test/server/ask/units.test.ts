import { describe, expect, it } from 'vitest';
import { converted, customaryUnit, unitsIn, unitWords, wantedUnit } from '../../../server/ask/units.ts';
import { inSpanish } from '../../../server/ask/write/spanish.ts';

describe('units', () => {
  it.each([
    [1609.344, 'm', 'mi', 1],
    [0.3048, 'm', 'ft', 1],
    [4046.8564224, 'm2', 'acres', 1],
    [1, 'acres', 'ft2', 43560],
    [100, 'degC', 'degF', 212],
    [-40, 'degC', 'degF', -40],
    [25.4, 'mm', 'in', 1],
    [1, 'm3/s', 'cfs', 35.3146667],
    [0.25, 'fraction', 'percent', 25],
    [0.44704, 'm/s', 'mph', 1],
  ] as const)('%d %s in %s is %d', (value, from, to, expected) => {
    expect(converted(value, from, to)).toBeCloseTo(expected, 6);
  });

  it('are named by their short forms too, as in how many km', () => {
    expect(unitsIn('How many km to the hospital?')).toEqual(['km']);
    expect(unitsIn('how many mm of rain')).toEqual(['mm']);
    expect(unitsIn('within ten klicks')).toEqual(['km']);
  });

  it('of different measures are not converted', () => {
    expect(converted(1, 'm', 'acres')).toBeNull();
    expect(converted(1, 'dBA', 'm')).toBeNull();
    expect(converted(1, null, 'm')).toBeNull();
    expect(converted(1, 'constructor', 'm')).toBeNull();
  });

  it.each([
    ['how many acres is it', ['acres']],
    ['in square feet please', ['ft2']],
    ['elevation in ft', ['ft']],
    ['within 5 mi of the coast', ['mi']],
    ['distance in kilometres', ['km']],
    ['¿cuántas millas?', ['mi']],
    ['how far is it', []],
    ['the closest intermodal yard', []],
    ['how many yards', ['yd']],
  ])('are read from %j', (text, units) => {
    expect(unitsIn(text)).toEqual(units);
  });

  it('are wanted as the question names them, or as Americans are used to', () => {
    expect(wantedUnit('m', 5000, 'how many feet up is it')).toBe('ft');
    expect(wantedUnit('m2', 5000, 'how many feet up is it')).toBeNull();
    expect(wantedUnit('m', 5000, 'in US units')).toBe('mi');
    expect(wantedUnit('m', 500, 'in imperial units')).toBe('ft');
    expect(wantedUnit('degC', 20, 'in imperial units')).toBe('degF');
    expect(wantedUnit('MW', 20, 'in miles')).toBeNull();
  });

  it('are told only of a size that anybody tells in them', () => {
    expect(wantedUnit('cm', 122, 'How many miles to the hospital and how deep is the water table?')).toBeNull();
    expect(customaryUnit('cm', 122, 'How many miles to the hospital and how deep is the water table?')).toBe('in');
    expect(wantedUnit('m', 2500, 'how far in miles')).toBe('mi');
    expect(wantedUnit('m', 90, 'how far in miles')).toBe('mi');
    expect(wantedUnit('m', 40_000, 'how far in inches')).toBeNull();
    expect(wantedUnit('m2', 1, 'how many square miles')).toBeNull();
    expect(wantedUnit('m', 0, 'how many miles')).toBe('mi');
    expect(wantedUnit('mm', 216.1, 'averaged over 100 m')).toBeNull();
  });

  it('that nobody has named read as fields write them', () => {
    expect(unitWords('minutes', '17')).toBe('minutes');
    expect(unitWords('minutes', '1')).toBe('minute');
    expect(unitWords('visits/week')).toBe('visits a week');
    expect(unitWords('count')).toBe('');
    expect(inSpanish('17 minutes')).toBe('17 minutos');
  });
});
