import { describe, expect, it } from 'vitest';
import { inDigits, limitIn } from '../../../../server/ask/reading/limit.ts';

describe('what a value is held against', () => {
  it.each([
    ['Is the burn probability above 1 in 500?', 'more', 0.002, 'fraction'],
    ['Is the parcel more than 10 acres?', 'more', 10, 'acres'],
    ['Is less than a quarter of it wetland?', 'less', 0.25, 'fraction'],
    ['Is at least half of the land forested?', 'least', 0.5, 'fraction'],
    ['Is the slope under five per cent', 'less', 5, 'percent'],
    ['is it 10 acres or more', 'least', 10, 'acres'],
    ['no more than 3/4 mile away', 'most', 0.75, 'mi'],
    ['no steeper than one in five', 'most', 0.2, 'fraction'],
    ['¿Tiene más de diez acres?', 'more', 10, 'acres'],
    ['¿Es menos de un cuarto humedal?', 'less', 0.25, 'fraction'],
    ['¿La pendiente supera el 5 por ciento?', 'more', 5, 'percent'],
  ])('is read from %s', (clause, relation, value, unit) => {
    const limit = limitIn(clause)!;
    expect(limit).toMatchObject({ relation, unit });
    expect(limit.value).toBeCloseTo(value, 9);
    expect(limit.rest).not.toMatch(/\d|half|quarter|five|diez|cuarto/);
  });

  it.each([
    'how many are within 5 km',
    'averaged over 100 m',
    'how far is it',
    'the 100-year storm',
    'Which is closer, the school or the park?',
  ])('is nothing in %s', clause => expect(limitIn(clause)).toBeNull());

  it('leaves a comparative that names a matter', () => {
    expect(limitIn('is it steeper than 5 percent')!.rest).toBe('is it steeper');
    expect(limitIn('is it more than 5 miles to town')!.rest).toBe('is it to town');
  });
});

it('number words are read as digits, and pronouns stay', () => {
  expect(inDigits('a hundred year storm within fifty km of this one')).toBe('100 year storm within 50 km of this one');
});

describe('a number before a year', () => {
  it.each(['Was it sold for more than $1 in 2024?', 'Did it grow by more than 1 in 2024?'])(
    'is no ratio: %s',
    clause => {
      expect(limitIn(clause)).toMatchObject({ value: 1 });
    },
  );

  it('is a ratio where it is rounded, or written as a number', () => {
    expect(limitIn('Is the chance above 1 in 2000?')).toMatchObject({ value: 1 / 2000 });
    expect(limitIn('Is the chance above 1 in 2,024?')).toMatchObject({ value: 1 / 2024 });
  });
});
