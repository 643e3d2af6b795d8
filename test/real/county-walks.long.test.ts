import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agree, namesOf, walk } from '../agreement/parcels.ts';
import { MISSING, present } from './bangor.ts';
import { type ServedPlaces, servePlaces, WITH_PARCELS } from './county.ts';

if (!present) console.warn(MISSING);

describe('the parcels of real places', { tags: ['published-files'] }, () => {
  let world: ServedPlaces;
  beforeAll(async () => {
    world = await servePlaces(false);
  }, 900_000);
  afterAll(() => world?.close());
  const DC = { field: 'state', op: 'eq', value: 'DC' };
  const of = (state: string) => world.parcels.filter(parcel => parcel.state === state);

  it.each(WITH_PARCELS)('of $name are named alike everywhere', { timeout: 600_000 }, async ({ state }) => {
    const parcels = of(state);
    const step = Math.floor(parcels.length / 24);
    for (let i = 3; i < parcels.length; i += step) await agree(world.service.ask, parcels, parcels[i]!, i % 6 === 3);
  });

  it('of ten files are answered as the one that was matched', async () => {
    const point = { lat: 38.923216856018186, lng: -76.95692278488087 };
    const { parcel_match, fields } = await world.service.ask('/v1/enrich', { ...point, fields: ['apn', 'parval'] });
    const [row] = of('DC').filter(({ properties }) => properties.apn === '4327    1037');
    expect(parcel_match.parcel.apn).toBe('4327    1037');
    expect(fields.apn).toMatchObject({ value: '4327    1037', status: 'ok' });
    expect(fields.parval.value).toBe(row!.properties.parval ?? null);
  });

  it.each([10, 100])('of ten files are walked once each, in one order, by pages of %i', async limit => {
    const stored = namesOf(of('DC'));
    expect(new Set(stored).size).toBe(7_075);
    expect(await walk(world.service.ask, [DC], limit)).toEqual(stored);
  });

  it.each([7, 100])('of ten files pass a filter whatever the page: %i', async limit => {
    const large = of('DC').filter(({ properties }) => (properties.acreage as number) > 1);
    const filter = { field: 'acreage', op: 'gt', value: 1 };
    expect(await walk(world.service.ask, [DC, filter], limit)).toEqual(namesOf(large));
  });
});
