import { expect, test } from 'vitest';
import { tokenize } from '../../../datasets/grammar/token.ts';

const texts = (text: string) => tokenize(text).map(t => `${t.kind}:${t.text}`);

test('names, odd names, text, dates and marks', () => {
  expect(texts("`Status Code` != 'O''Brien' and @today-10y >= categories.primary")).toEqual([
    'quoted:Status Code',
    'punctuation:!=',
    "string:O'Brien",
    'name:and',
    'today:10',
    'punctuation:>=',
    'name:categories.primary',
  ]);
});

test('a minus is a sign except after a value', () => {
  expect(texts('a-1')).toEqual(['name:a', 'punctuation:-', 'number:1']);
  expect(texts('a -1')).toEqual(['name:a', 'punctuation:-', 'number:1']);
  expect(texts('(a)-1')).toEqual(['punctuation:(', 'name:a', 'punctuation:)', 'punctuation:-', 'number:1']);
  expect(texts('2-1')).toEqual(['number:2', 'punctuation:-', 'number:1']);
  expect(texts('-9999,-8888')).toEqual(['number:-9999', 'punctuation:,', 'number:-8888']);
  expect(texts('a = -1.5e-3')).toEqual(['name:a', 'punctuation:=', 'number:-1.5e-3']);
});

test('ranges are not decimals', () => {
  expect(texts('1..9')).toEqual(['number:1', 'punctuation:..', 'number:9']);
  expect(texts('-1.5..-0.5')).toEqual(['number:-1.5', 'punctuation:..', 'number:-0.5']);
});

test('the mark of a name still to be confirmed is dropped', () => {
  expect(texts('zone? `Total Units?`')).toEqual(['name:zone', 'quoted:Total Units']);
});

test.each(['12abc', "'open", 'a ~ b', '`open', '.5'])('refuses %s', text => {
  expect(() => tokenize(text)).toThrow(/unexpected character/);
});
