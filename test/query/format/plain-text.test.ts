import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainLine, visibleText } from '../../../query/format/plain-text.ts';

it('a JSON document means the same when what nobody sees in it is written as escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0x200b, max: 0x206f }), (text, code) => {
      const value = { [text]: `${text}${String.fromCharCode(code)}\ud800` };
      const written = visibleText(JSON.stringify(value, null, 2));
      expect(JSON.parse(written)).toEqual(value);
      expect(written).not.toMatch(/[^\n\P{C}\u{e000}-\u{f8ff}\p{Cn}\p{Co}]|[\u2028\u2029]/u);
    }),
    { seed: 57, numRuns: 200 },
  );
});

it('ordinary words of any language stay as they are', () => {
  for (const text of ['73 Harlow St, Bangor, ME', 'Cañon City – “São”', '東京都 서울 नमस्ते ä\u0301', '👍', '  two  '])
    expect([plainLine(text), visibleText(text)]).toEqual([text, text]);
});

it('the words of a requester steer no terminal', () => {
  expect(visibleText('a\u001b[2J\u202eb\nc')).toBe('a\\u001b[2J\\u202eb\nc');
  expect(plainLine('a\r\n\u2028\u202eb')).toBe('a b');
});
