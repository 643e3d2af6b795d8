import { expect, it } from 'vitest';
import { PrefixTable } from '../../../query/suggest/prefix-table.ts';

/** Edits between two texts, neighbours swapped counting as one (optimal string alignment), by the full table. */
function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = Number(a[i - 1] !== b[j - 1]);
      const around = [rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) around.push(rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = Math.min(...around);
    }
  return rows[a.length]![b.length]!;
}

/** Least edits between a text and any beginning of a name. */
const fromBeginning = (text: string, name: string): number =>
  Math.min(...Array.from({ length: name.length + 1 }, (_, i) => edits(text, name.slice(0, i))));

/** Words of few letters, so that most are near one another; the same in every run. */
function words(count: number): string[] {
  let state = 7;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(7) }, () => 'AB C1'[next(5)])
      .join('')
      .trim(),
  )
    .filter(Boolean)
    .map(word => word.replace(/ +/g, ' '));
}

const wordsOf = (name: string) => [0, ...Array.from(name.matchAll(/ /g), ({ index }) => index + 1)];
const namesIn = ({ names }: PrefixTable, ranges: readonly (readonly [number, number])[]) =>
  [...new Set(ranges.flatMap(([from, to]) => [...names.subarray(from, to)]))].sort((a, b) => a - b);

it('finds what begins with a text, and what begins with it but for one error, as every name compared by itself', () => {
  const names = [...new Set(words(400))];
  const table = PrefixTable.of(names, wordsOf);
  const matching = (test: (rest: string) => boolean) =>
    names.flatMap((name, i) => (wordsOf(name).some(at => test(name.slice(at))) ? [i] : []));
  let near = 0;
  for (const text of words(120)) {
    expect(namesIn(table, [table.beginning(text)]), text).toEqual(matching(rest => rest.startsWith(text)));
    const found = namesIn(table, [table.beginning(text), ...table.near(text)]);
    const most = text.length < 4 ? 0 : 1;
    expect(found, text).toEqual(matching(rest => fromBeginning(text, rest) <= most));
    near += found.length;
  }
  expect(near).toBeGreaterThan(500);
});

it('knows a whole name from the end or the beginning of one, and puts it first', () => {
  const table = PrefixTable.of(['JOHN SMITH', 'SMITH', 'SMITHSON', 'SMITH JO'], wordsOf);
  const [from, to] = table.beginning('SMITH');
  const entries = Array.from({ length: to - from }, (_, i) => from + i);
  expect(entries.map(entry => [table.names[entry], table.isWhole(entry, 5), table.rest(entry)])).toEqual([
    [1, true, 'SMITH'],
    [0, false, 'SMITH'],
    [3, false, 'SMITH JO'],
    [2, false, 'SMITHSON'],
  ]);
});
