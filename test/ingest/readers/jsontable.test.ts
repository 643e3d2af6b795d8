import { describe, expect, it } from 'vitest';
import { failureOf, readRows, scratch } from './scratch.ts';

const file = scratch();

describe('JSON lists of lists', () => {
  it('are rows under the names of the first list, numbers as numbers, empty text and null missing', async () => {
    const table = [
      ['NAME', 'B19013_001E', 'x', 'y'],
      ['Tract 1', '61842', -70.5, 43],
      ['', null, null, 43],
    ];
    const path = file('acs.table.json', JSON.stringify(table));
    const rows = await readRows(path, { x: 'x', y: 'y' });
    expect(rows.map(row => row.properties)).toEqual([
      { NAME: 'Tract 1', B19013_001E: '61842', x: -70.5, y: 43 },
      { NAME: null, B19013_001E: null, x: null, y: 43 },
    ]);
    expect(rows.map(row => row.geometry && [...row.geometry.xy])).toEqual([[-70.5, 43], null]);
  });

  it.each([
    ['an object', '{"rows":[]}', /is no list of lists/],
    ['the error of a server', '{"error":"unknown variable"}', /this is an error message of a server/],
    ['a page that is no JSON', '<html>', /this is an HTML page/],
    ['half a file', '[["a"],["b"', /ends too early/, 'file_truncated'],
    ['a short row', '[["a","b"],["1"]]', /row 1.*is no list of 2 plain values/],
    ['a row that holds a list', '[["a"],[["1"]]]', /row 1.*is no list of 1 plain values/],
    ['no header', '[]', /is no list of lists/],
  ])('refuse %s', async (_what, text, message, code = 'file_corrupt') => {
    const path = file('bad.table.json', text);
    const error = await failureOf(path);
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(message);
  });
});
