import { describe, expect, it } from 'vitest';
import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { columnsOfExpression, compileColumns, compileExpression } from '../../../pipelines/steps/normalise.ts';
import { Misfit } from '../../../pipelines/steps/value.ts';

const ROW = {
  name: "  O'NEIL STREET\0\0",
  blank: ' \0',
  code: 'URD-1',
  n: 12.5,
  zero: 0,
  text: '$1,234.50',
  flag: 'Y',
  date: '03/09/14',
  oracle: '05-Aug-2019',
  esri: 1551744000000,
  old: -252547200000,
  deed: 'B2504P102',
  bytes: new Uint8Array(2),
};
const fill = (expression: ColumnExpression, type: ScalarType = 'string'): Value =>
  compileExpression(expression, type, '2026-11-20')(ROW);

describe('column expressions', () => {
  const cases: [string, ColumnExpression, ScalarType, Value][] = [
    ['a bare name reads and trims white space and NUL', 'name', 'string', "O'NEIL STREET"],
    ['blank text is missing', 'blank', 'string', null],
    ['a column that is not there is missing', 'nope', 'string', null],
    ['several columns, missing ones skipped', { from: ['code', 'blank', 'n'], join: '/' }, 'string', 'URD-1/12.5'],
    ['nested expressions', { from: ['code', { from: 'name', slice: [0, 1] }] }, 'string', 'URD-1 O'],
    ['a template', { template: '{code}:{n}' }, 'string', 'URD-1:12.5'],
    ['a sum', { sum: ['n', 'n'] }, 'number', 25],
    ['a sum of which one is missing', { sum: ['n', 'blank'] }, 'number', null],
    ['a template with a missing part', { template: '{code}:{blank}' }, 'string', null],
    ['a constant', { const: '23019' }, 'string', '23019'],
    ['a null sentinel', { from: 'zero', null: [0] }, 'integer', null],
    ['a numeric sentinel against text', { from: 'text', null: ['$1,234.50'] }, 'number', null],
    [
      'white space for a pattern that asks for it, and none in the value',
      { from: 'name', spaces: true, patterns: [{ match: '^( +.*)$', value: '$1' }] },
      ...(['string', "O'NEIL STREET"] as const),
    ],
    ['blank text where white space counts', { from: 'blank', spaces: true }, 'string', null],
    ['no value with white space around it', { from: 'name', spaces: true }, 'string', "O'NEIL STREET"],
    ['strip', { from: 'code', strip: '[^A-Z0-9]' }, 'string', 'URD1'],
    [
      'every match of a replacement',
      { from: 'code', replace: [{ match: '([A-Z])', value: '<$1$2>' }] },
      'string',
      '<U><R><D>-1',
    ],
    [
      'replacements one after the other, without the white space that they leave',
      {
        from: 'code',
        replace: [
          { match: 'URD', value: ' 7 ' },
          { match: '^ 7 -', value: '' },
        ],
        patterns: [{ match: '^(\\d) ?', value: ' $1 ' }],
      },
      'string',
      '1',
    ],
    ['replacements that leave nothing', { from: 'code', replace: [{ match: '.', value: '' }] }, 'string', null],
    [
      'the first pattern wins, with its groups',
      {
        from: 'deed',
        patterns: [
          { match: '^B(\\d+)P', value: '$1' },
          { match: '.', value: 'x' },
        ],
      },
      'string',
      '2504',
    ],
    ['no pattern matches', { from: 'deed', patterns: [{ match: '^Z', value: 'z' }] }, 'string', null],
    ['lookup', { from: 'code', lookup: { 'URD-1': 'residential' } }, 'string', 'residential'],
    ['lookup without a match', { from: 'code', lookup: { X: 'x' } }, 'string', null],
    ['lookup with otherwise', { from: 'code', lookup: { X: 'x' }, otherwise: 'other' }, 'string', 'other'],
    ['a missing value is not "otherwise"', { from: 'blank', lookup: { X: 'x' }, otherwise: 'other' }, 'string', null],
    ['pad after slice', { from: 'deed', slice: [1, 3], pad: 5 }, 'string', '00025'],
    ['title case', { from: 'name', case: 'title' }, 'string', "O'neil Street"],
    ['dollars and thousands', 'text', 'number', 1234.5],
    ['scale', { from: 'n', scale: 2 }, 'number', 25],
    ['scale rounds an integer', { from: 'n', scale: 0.5 }, 'integer', 6],
    ['yes', 'flag', 'boolean', true],
    ['a two-digit year after POSIX', { from: 'date', dateFormat: 'MM/DD/YY' }, 'date', '2014-03-09'],
    ['a month by its name', { from: 'oracle', dateFormat: 'DD-MMM-YYYY' }, 'date', '2019-08-05'],
    ['milliseconds since 1970', { from: 'esri', dateFormat: 'epoch ms' }, 'date', '2019-03-05'],
    ['milliseconds before 1970', { from: 'old', dateFormat: 'epoch ms' }, 'date', '1961-12-31'],
    ['when it holds', { from: 'code', when: 'n > 12' }, 'string', 'URD-1'],
    ['when it does not', { from: 'code', when: 'blank is not null' }, 'string', null],
  ];
  for (const [name, expression, type, expected] of cases) it(name, () => expect(fill(expression, type)).toBe(expected));

  const misfits: [string, ColumnExpression, ScalarType, RegExp][] = [
    ['text for a number', 'code', 'number', /"URD-1" is no number/],
    ['a fraction for an integer', 'n', 'integer', /"12.5" is no whole number/],
    ['text for a boolean', 'code', 'boolean', /neither true nor false/],
    ['a month that does not exist', { from: 'name', dateFormat: 'MMM' }, 'date', /no date of the form/],
    ['milliseconds that nobody asked for', 'esri', 'date', /no date of the form YYYY-MM-DD/],
    ['text for milliseconds', { from: 'oracle', dateFormat: 'epoch ms' }, 'date', /no date in milliseconds/],
    ['a date of another form', 'date', 'date', /no date of the form YYYY-MM-DD/],
    ['binary data', 'bytes', 'string', /column bytes holds binary data/],
  ];
  for (const [name, expression, type, reason] of misfits)
    it(`refuses ${name}`, () => {
      expect(() => fill(expression, type)).toThrow(Misfit);
      expect(() => fill(expression, type)).toThrow(reason);
    });

  it('refuses a day that is not on the calendar', () => {
    expect(() => fill({ const: '2026-02-29' }, 'date')).toThrow('no date of the calendar');
    expect(fill({ const: '2024-02-29' }, 'date')).toBe('2024-02-29');
  });

  it('knows the columns it reads', () => {
    expect(columnsOfExpression({ from: ['a', { template: '{b}-{c}' }], when: 'd = 1 and a = 2' })).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('names the column whose value does not fit; columns without an expression do not occur', () => {
    const columns = { A: { type: 'number' }, B: { type: 'string' } } as const;
    expect(() => compileColumns({ A: 'code' }, columns, '2026-11-20')(ROW)).toThrow('column A: "URD-1" is no number');
    expect(compileColumns({ A: 'n' }, columns, '2026-11-20')(ROW)).toEqual({ A: 12.5 });
  });
});
