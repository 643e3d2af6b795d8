import { expect, it } from 'vitest';
import { Knowledge } from '../../../bench/agents/provenance.ts';
import { isRight, TASKS } from '../../../bench/agents/tasks.ts';
import { describeTasks } from './tasks.ts';

/** One of each kind; tasks.long.test.ts plays all. */
const SOME = [
  'acres of two towns',
  'asked of the wrong tool',
  'the dearer of two homes',
  'the nearest airport',
  'what the release lacks',
];
describeTasks(TASKS.filter(({ name }) => SOME.includes(name)));

it('there are thirty tasks and more, each of a name of its own', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(TASKS.map(({ name }) => name)).size).toBe(TASKS.length);
});

it('what no text told is found in arguments, and what one told is not', () => {
  const knowledge = new Knowledge('Parcels over 1,609 m from 12 Main St', [{ name: 'service_search', takes: 'state' }]);
  expect(knowledge.unknownIn({ req: { state: 1609 } })).toEqual(['key "req"']);
  expect(knowledge.unknownIn({ state: '12 Main St', takes: [2, 160] })).toEqual(['value 2', 'value 160']);
  expect(knowledge.unknownIn({ takes: 'parval' })).toEqual(['value "parval"']);
  knowledge.learn({ fields: [{ name: 'parval' }] });
  expect(knowledge.unknownIn({ takes: 'parval' })).toEqual([]);
});

it('an answer is right that is the truth, and no other', () => {
  expect(isRight(['a', 100.05], ['a', 100])).toBe(true);
  for (const wrong of [['a', 101], ['a'], ['b', 100], null]) expect(isRight(wrong, ['a', 100])).toBe(false);
});
