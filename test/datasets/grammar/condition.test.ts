import { describe, expect, test } from 'vitest';
import { columnsOf, parseCondition } from '../../../datasets/grammar/condition.ts';

const compare = (column: string, op: string, value: unknown) => ({ kind: 'compare', column, op, value });

describe('parseCondition', () => {
  test.each([
    ["NAME != 'Great Lakes'", compare('NAME', '!=', 'Great Lakes')],
    ['VOLTAGE >= 115', compare('VOLTAGE', '>=', 115)],
    ['x = -5', compare('x', '=', -5)],
    ['flag = true', compare('flag', '=', true)],
    ['declarationDate >= @today-10y', compare('declarationDate', '>=', { todayMinusYears: 10 })],
    ["`Status Code` = 'C'", compare('Status Code', '=', 'C')],
    ['FType in (460, 558)', { kind: 'in', column: 'FType', items: [460, 558] }],
    ["s in ('1','2')", { kind: 'in', column: 's', items: ['1', '2'] }],
    ['v in (1..9, 20)', { kind: 'in', column: 'v', items: [{ low: 1, high: 9 }, 20] }],
    ["z like '0.2 PCT%'", { kind: 'like', column: 'z', pattern: '0.2 PCT%' }],
    ['z is null', { kind: 'null', column: 'z', negated: false }],
    ['z is not null', { kind: 'null', column: 'z', negated: true }],
    ["t = '('", compare('t', '=', '(')],
    ["t in ('..', ',')", { kind: 'in', column: 't', items: ['..', ','] }],
  ])('%s', (text, expected) => expect(parseCondition(text)).toEqual(expected));

  test('and binds tighter than or; parentheses bind tightest', () => {
    const [a, b, c] = [compare('a', '=', 1), compare('b', '=', 2), compare('c', '=', 3)];
    expect(parseCondition('a = 1 or b = 2 and c = 3')).toEqual({
      kind: 'or',
      terms: [a, { kind: 'and', terms: [b, c] }],
    });
    expect(parseCondition('(a = 1 or b = 2) and c = 3')).toEqual({
      kind: 'and',
      terms: [{ kind: 'or', terms: [a, b] }, c],
    });
    expect(parseCondition('a = 1 and b = 2 and c = 3')).toEqual({ kind: 'and', terms: [a, b, c] });
  });

  test.each([
    '',
    'a',
    'a =',
    'a = b',
    'a = 1 b',
    'a in 1',
    'a in ()',
    "a in ('x'..'y')",
    'a like 5',
    "a is 'null'",
    'a is not',
    '(a = 1',
    "a '=' 1",
    "a in '(' 1 ')'",
  ])('refuses "%s", naming it', text => {
    expect(() => parseCondition(text)).toThrow(SyntaxError);
    expect(() => parseCondition(text)).toThrow(`Condition "${text}"`);
  });
});

test('columnsOf lists each column once, in order', () => {
  expect(columnsOf(parseCondition("b = 1 and (a is null or b > 2) and c like '%'"))).toEqual(['b', 'a', 'c']);
  expect(columnsOf(null)).toEqual([]);
});
