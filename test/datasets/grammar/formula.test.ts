import { describe, expect, test } from 'vitest';
import { type Formula, inputsOf, parseFormula } from '../../../datasets/grammar/formula.ts';

/** The formula in full parentheses. */
function show(formula: Formula): string {
  switch (formula.kind) {
    case 'number':
      return String(formula.value);
    case 'string':
      return `'${formula.value}'`;
    case 'input':
      return formula.name;
    case 'binary':
      return `(${show(formula.left)} ${formula.op} ${show(formula.right)})`;
    case 'call':
      return `${formula.name}[${formula.args.map(show).join(' ')}]`;
  }
}

describe('parseFormula', () => {
  test.each([
    ['a - b - c', '((a - b) - c)'],
    ['a -1', '(a - 1)'],
    ['a-1', '(a - 1)'],
    ['a * -1', '(a * -1)'],
    ['a + b * c / d', '(a + ((b * c) / d))'],
    ['100 * (p1 / p0 - 1)', '(100 * ((p1 / p0) - 1))'],
    ['ln(v2 / v1) / ln(140 / 80)', '(ln[(v2 / v1)] / ln[(140 / 80)])'],
    ['left(huc_12, 8)', 'left[huc_12 8]'],
    ["join(' ', a, b)", "join[' ' a b]"],
    ["join('(', a, ',')", "join['(' a ',']"],
  ])('%s', (text, expected) => expect(show(parseFormula(text))).toBe(expected));

  test.each(['', 'a +', '(a', 'a b', 'sqrt(a)', 'ln()', 'ln(a, b)', 'left(a)', "a '+' b", "a '(' 1", '`a`'])(
    'refuses "%s", naming it',
    text => {
      expect(() => parseFormula(text)).toThrow(SyntaxError);
      expect(() => parseFormula(text)).toThrow(`Formula "${text}"`);
    },
  );
});

test('inputsOf lists each input once', () => {
  expect(inputsOf(parseFormula("join(' ', b, a) + ln(b) + 5"))).toEqual(['b', 'a']);
});
