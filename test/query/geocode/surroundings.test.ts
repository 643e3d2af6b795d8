import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Surroundings } from '../../../query/geocode/match.ts';
import type { Fixture } from '../release-fixture.ts';
import { asker, atlas } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
beforeAll(async () => {
  fixture = await atlas();
  ({ ask } = asker(fixture));
});
afterAll(() => fixture.remove());

const around = async (address: string): Promise<Surroundings | undefined> => (await ask(address)).surroundings;
const NONE = { street: null, numbers: [], city: null, cities: [], others: 0 };

describe('an address that nothing answers', () => {
  it.each([
    ['5000 Main St, Springton, MA', 'MAIN ST, SPRINGTON, MA', ['14', '20', '100']],
    ['1 Mount Pleasant Road, Springton, MA', 'MT PLEASANT RD, SPRINGTON, MA', ['41']],
    ['2000 Quarry Rd, Springton MA 01199', 'QUARRY RD, SPRINGTON, MA', ['5', '7', '9']],
    ['5000 Main, Springton, MA', 'MAIN ST, SPRINGTON, MA', ['14', '20', '100']],
    ['2000 Quarry, Springton MA 01199', 'QUARRY RD, SPRINGTON, MA', ['5', '7', '9']],
    ['500 82nd St, Queenstown, NY', '82ND ST, QUEENSTOWN, NY', ['37-16', '37-18']],
  ])('%s has the nearest numbers of its street', async (address, street, numbers) => {
    const told = await around(address);
    expect(told).toMatchObject({ numbers, cities: [], others: 0 });
    expect(told!.street).toBe(street);
  });

  it('has the city alone where that has other streets', async () => {
    expect(await around('12 Nowhere Ln, Springton, MA')).toEqual({ ...NONE, city: 'SPRINGTON' });
  });

  it('has the cities of its state that have addresses, those of most streets first', async () => {
    expect(await around('12 Nowhere Ln, Elseville, MA')).toEqual({
      ...NONE,
      cities: ['SPRINGTON', 'FORT ASHBY', 'SAINT ALBANS'],
    });
    // The street of that name in another city is no street of this one.
    expect(await around('5000 Main St, Elseville, MA')).toMatchObject({
      street: null,
      cities: ['SPRINGTON', 'FORT ASHBY', 'SAINT ALBANS'],
    });
    expect(await around('5000 Main, Elseville, MA')).toMatchObject({ street: null });
  });

  it('has five cities of the whole release, and the number of the others, where its state has none', async () => {
    const told = await around('12 Nowhere Ln, Elseville, OH');
    expect(told!.cities).toHaveLength(5);
    expect(told!.cities[0]).toBe('SPRINGTON');
    expect(told!.others).toBe(5);
  });
});

it.each(['12 Main St, Springton, MA', 'Springton, MA', 'MA', '01199', '50 Oak Ave & Main St, Springton, MA'])(
  'nothing is told around %s',
  async address => {
    const { surroundings, matches, area } = await ask(address);
    if (area || matches.some(({ similarity }) => similarity >= 0.8)) expect(surroundings).toBeUndefined();
  },
);
