import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agree, namesOf, walk } from '../agreement/parcels.ts';
import { MISSING, present } from './bangor.ts';
import { type ServedPlaces, servePlaces, WITH_PARCELS } from './county.ts';

if (!present) console.warn(MISSING);

/** Parcels of each place that are asked about; each twenty-fifth in every field. */
const ASKED = 1_000;

describe('the parcels of real places, many of them', { tags: ['published-files'] }, () => {
  let world: ServedPlaces;
  beforeAll(async () => {
    world = await servePlaces(true);
  }, 3_600_000);
  afterAll(() => world?.close());

  it.each(WITH_PARCELS)('of $name are named alike everywhere', { timeout: 3_600_000 }, async ({ state }) => {
    const parcels = world.parcels.filter(parcel => parcel.state === state);
    const step = Math.max(1, Math.floor(parcels.length / ASKED));
    let matched = 0;
    for (let i = 0; i < parcels.length; i += step)
      if ((await agree(world.service.ask, parcels, parcels[i]!, (i / step) % 25 === 0)) === 'matched') matched++;
    expect(matched).toBeGreaterThan(ASKED / 2);
  });

  it('were rejected in one of the places', () => expect([...world.rejected]).toEqual(['NC']));

  it.each(WITH_PARCELS)('of $name are walked once each, in one order', { timeout: 3_600_000 }, async ({ state }) => {
    const parcels = world.parcels.filter(parcel => parcel.state === state);
    const filter = { field: 'acreage', op: 'gt', value: 1 };
    const STATE = { field: 'state', op: 'eq', value: state };
    const large = parcels.filter(({ properties }) => (properties.acreage as number) > 1);
    for (const limit of [7, 10, 100]) {
      expect(await walk(world.service.ask, [STATE], limit)).toEqual(namesOf(parcels));
      expect(await walk(world.service.ask, [STATE, filter], limit)).toEqual(namesOf(large));
    }
  });
});
