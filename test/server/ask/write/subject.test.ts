import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { thingsOf } from '../../../../server/ask/write/subject.ts';

describe('a count', () => {
  it.each([
    ['Public benches within 500 m', 'bench', 'benches', ' within 500 m'],
    ['Licensed day cares in tract', 'day care', 'cares', ' in the tract'],
    ['Ferries within 5 km', 'ferry', 'ferries', ' within 5 km'],
    ['Well count within 1 km', 'well', 'wells', ' within 1 km'],
  ])('counts what "%s" names, with or without the word count', (title, thing, things, where) => {
    const counted = thingsOf({ title, unit: 'count' });
    expect(counted).toMatchObject({ thing: expect.stringContaining(thing), where });
    expect(counted!.things.endsWith(things)).toBe(true);
    expect(thingsOf({ title: 'Distance to nearest well', unit: 'm' })).toBeNull();
  });

  it('of every field that counts names what it counts', () => {
    const counting = [...catalog.fields.values()].filter(({ unit }) => unit === 'count');
    expect(counting.length).toBeGreaterThan(20);
    expect(counting.filter(field => thingsOf(field) === null).map(({ name }) => name)).toEqual([]);
  });
});
