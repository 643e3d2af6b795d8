import { expect, it } from 'vitest';
import { Group } from '../../../pipelines/steps/group.ts';

const row = (id: string | null, kind: string | null, mw: number | null, name = 'a') => ({
  number: 1,
  objectId: null,
  geometry: null,
  properties: { id, kind, mw, name },
});

it('makes one row a key: the sum, the kind with the most of it, the rest of the first row', () => {
  const group = new Group('id', { sum: 'mw', of: 'kind' });
  const rows = [
    row('1', 'Solar', 30),
    row('2', 'Wind', null, 'b'),
    row('1', 'Gas', 20, 'later'),
    row('1', 'Gas', 25),
    row('2', 'Water', 0),
  ];
  for (const one of rows) expect(group.add(one)).toBe(true);
  expect(group.add(row(null, 'Gas', 1))).toBe(false);
  expect(group.size).toBe(2);
  expect([...group.rows()].map(one => one.properties)).toEqual([
    { id: '1', kind: 'Gas', mw: 75, name: 'a' },
    { id: '2', kind: 'Wind', mw: 0, name: 'b' },
  ]);
});
