import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../../release-fixture.ts';
import { bothForms } from '../operators/forms.ts';

const vector = (geometry: 'point' | 'polygon'): VectorLayer => ({
  kind: 'vector',
  geometry,
  joinKey: 'name',
  partition: 'county',
  columns: { name: { type: 'string' } },
});
const FIELDS = {
  metres: field('nearest_distance(sites, max_km=5)'),
  name: field('nearest_attr(sites, name, max_km=5)', { type: 'string' }),
  national: field('nearest_distance(sites:national, max_km=5)'),
  boxed: field('nearest_distance(sites:boxed, max_km=5)'),
};
const sites = dataset('sites', { main: vector('point'), national: vector('point'), boxed: vector('point') }, FIELDS);
const parcels = dataset(
  'parcel_store',
  { main: vector('polygon') },
  {
    lot: field('parcel_attr(name)', { type: 'string', confidence: 'parcel_match' }),
  },
);

const [LNG, LAT] = [-73, 43];
const EAST = 1 / (distance(LNG, LAT, LNG + 0.001, LAT) * 1000);
const NORTH = 1 / (distance(LNG, LAT, LNG, LAT + 0.001) * 1000);
const at = (x: number, y: number) => ({ lng: LNG + x * EAST, lat: LAT + y * NORTH });
const box = (x0: number, y0: number, x1: number, y1: number) => {
  const [a, b] = [at(x0, y0), at(x1, y1)];
  return rectangle([a.lng, a.lat, b.lng, b.lat]);
};
const site = (name: string, x: number, y: number) => ({ name, geometry: point(at(x, y).lng, at(x, y).lat) });

/** Two places side by side, each 2 km wide: their common edge is none of what they cover together. */
const WEST = { place: 'west', key: 'VT/50025', coverage: [box(-2000, -1000, 0, 1000)] };
const THERE = { place: 'east', key: 'VT/50027', coverage: [box(0, -1000, 2000, 1000)] };

let fixture: Fixture;
beforeAll(async () => {
  const features = [site('a', -500, 0), site('b', 1900, 0)];
  fixture = await createFixture([sites, parcels], {
    sites: {
      main: [
        { ...WEST, features: [features[0]!] },
        { ...THERE, features: [features[1]!] },
      ],
      national: [{ features }],
      boxed: [{ ...WEST, coverage: 'extent', features: [site('c', -1500, -500), site('d', -500, 500)] }],
    },
    parcel_store: { main: [{ ...WEST, features: [{ name: 'across', geometry: box(-50, 20, 30, 60) }] }] },
  });
});
afterAll(() => fixture.remove());
const ask = (x: number, y: number, ...names: string[]) => fixture.ask(names, at(x, y));

describe('the nearest feature near the edge of coverage', () => {
  it('is an upper bound where the coverage ends nearer, and says so', async () => {
    const { metres, name, national } = await ask(-1600, 0, 'metres', 'name', 'national');
    expect(metres).toMatchObject({ status: 'ok', confidence: 'low' });
    expect(metres!.notes).toBe(
      'the coverage of sites ends nearer than what was found, so the distance is an upper bound',
    );
    expect(name).toMatchObject({ value: 'a', confidence: 'low' });
    expect(name!.notes).toContain('this may not be the nearest');
    expect(national).toMatchObject({ status: 'ok', confidence: 'high', notes: null });
  });

  it('is what it is where the coverage goes on for longer', async () => {
    expect((await ask(-700, 0, 'metres')).metres).toMatchObject({ confidence: 'high', notes: null });
  });

  it('does not end where the coverage of another place begins', async () => {
    // The feature is 520 m west, the common edge 20 m.
    expect((await ask(20, 0, 'metres', 'name')).metres).toMatchObject({ confidence: 'high', notes: null });
    expect((await ask(-30, 0, 'name')).name).toMatchObject({ value: 'a', confidence: 'high' });
  });

  it('ends with the box of features where that is the coverage', async () => {
    expect((await ask(-1000, 400, 'boxed')).boxed).toMatchObject({ status: 'ok', confidence: 'low' });
    expect((await ask(-520, 460, 'boxed')).boxed).toMatchObject({ confidence: 'low' });
    expect((await ask(-540, 440, 'boxed')).boxed).toMatchObject({ confidence: 'low' });
  });

  it('is unsure of an absence too', async () => {
    const empty = await createFixture([sites], { sites: { main: [{ ...WEST, features: [] }] } });
    const { metres } = await empty.ask(['metres'], at(-1000, 0));
    expect(metres).toMatchObject({ status: 'absent', confidence: 'low' });
    expect(metres!.notes).toBe(
      'Nothing of sites within 5 km. The coverage of sites ends nearer than that, and beyond it nothing is known.',
    );
    empty.remove();
  });

  it('agrees in both forms', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: -2100, max: 2100 }), fc.integer({ min: -1100, max: 1100 })), {
          minLength: 1,
          maxLength: 30,
        }),
        async list => {
          await bothForms(
            fixture,
            Object.keys(FIELDS),
            list.map(([x, y]) => at(x, y)),
          );
        },
      ),
      { seed: 24, numRuns: 8 },
    );
  });
});

describe('a stored parcel that reaches beyond the coverage of its place', () => {
  it('covers the points in it', async () => {
    const [inside, beyond] = await bothForms(fixture, ['lot'], [at(20, 40), at(100, 40)]);
    expect(inside!.lot).toMatchObject({ status: 'ok', value: 'across', confidence: 'high' });
    expect(beyond!.lot).toMatchObject({ status: 'absent', notes: 'no parcel data covers the point' });
  });
});
