import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import { checkPlaceFiles } from '../../../../pipelines/place/trial/check.ts';
import { countyGrounds } from '../../../../pipelines/steps/ground/county-ground.ts';
import { feature, provenance, square } from '../../village.ts';
import { building, Hamlet, hamlet, layer } from '../quality/hamlet.ts';

let at: Hamlet;
beforeEach(() => {
  at = new Hamlet();
  at.publish(
    [
      feature('Polygon', [square(-69, 44, 0.2)], { code: 19 }),
      feature('Polygon', [square(-70, 44, 0.2)], { code: 11 }),
    ],
    'counties.geojson',
  );
});
afterEach(() => {
  for (const path of [at.home, at.sources]) rmSync(path, { recursive: true, force: true });
});

const counties: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'county',
  file: 'counties.geojson',
  national: true,
  columns: { GEOID: { from: [{ const: '23' }, { from: 'code', type: 'string', pad: 3 }], join: '' } },
  unpublished: ['STATEFP', 'COUNTYFP', 'NAME', 'NAMELSAD'],
  provenance,
};
/** Buildings whose own box is their coverage, beside a file of counties. */
const place: Place = { ...hamlet, coverage: { extent: true }, layers: [layer, counties] };

/** A building so many degrees east. */
const elsewhere = (made: ReturnType<typeof building>, degrees: number) => {
  const [ring] = made.geometry!.coordinates as number[][][];
  return { ...made, geometry: { ...made.geometry!, coordinates: [ring!.map(([x, y]) => [x! + degrees, y!])] } };
};
/** In the county beside it. */
const west = (i: number) => elsewhere(building(i), -1);
const mixed = Array.from({ length: 200 }, (_, i) => (i < 60 ? west(i) : building(i)));

const checked = async (of: Place) => {
  const { breaches } = await checkPlaceFiles({ place: of, sources: at.sources, rows: null });
  return breaches.map(({ key, what }) => `${key}: ${what}`);
};

it('is the box of each county that the place or a layer names', async () => {
  expect([...(await countyGrounds(place, at.sources, '2026-01-01')).keys()]).toEqual(['23019']);
  const two = { ...place, layers: [{ ...layer, county: '23011' }, counties] };
  const grounds = await countyGrounds(two, at.sources, '2026-01-01');
  expect(grounds.get('23011')).toEqual([-70, 44, expect.closeTo(-69.8, 9), expect.closeTo(44.2, 9)]);
  expect((await countyGrounds({ ...place, county: '23001' }, at.sources, '2026-01-01')).size).toBe(0);
});

it('is what features are held against whose own box is their coverage', async () => {
  at.publish(mixed);
  const said =
    'hamlet/fema_usa_structures:main/outside: 60 of 200 features lie more than 5000 m beyond the box of the county (at most 1 % may)';
  expect(await checked(place)).toEqual([said]);
  await expect(at.ingest(place)).rejects.toThrow('60 of 200 features lie more than 5000 m');
  // Where no file of counties is mapped, the coverage of the place is what there is.
  const own = { ...hamlet, layers: [{ ...layer, coverage: { extent: true } as const }] };
  const beside = said.replace('the county', "the place's coverage");
  expect(await checked(own)).toEqual([beside]);
  // A file whose own polygons are its coverage is not held against itself.
  const itself = { ...hamlet, layers: [{ ...layer, coverage: { file: layer.file } }] };
  expect(await checked(itself)).toEqual([beside]);
  // Nothing is known of the county, and a layer that covers everywhere says that it reaches farther.
  expect(await checked({ ...place, layers: [layer] })).toEqual([]);
  expect(await checked({ ...place, coverage: { everywhere: true } })).toEqual([]);
});

it('holds the buildings of its own county', async () => {
  expect(await checked(place)).toEqual([]);
});

it('is the state where the coverage of the place is the same file, and the table says so', async () => {
  const alone = { ...hamlet, coverage: { file: layer.file } };
  const lines = async () => {
    const { table } = await checkPlaceFiles({ place: alone, sources: at.sources, rows: null });
    return table;
  };
  expect(await checked(alone)).toEqual([]);
  expect((await lines()).join()).toContain('held against the state alone');
  // Ten degrees west lies Ontario's and New York's ground: in the United States, but not in Maine.
  at.publish(mixed.map((_, i) => elsewhere(building(i), -10)));
  expect(await checked(alone)).toEqual([
    'hamlet/fema_usa_structures:main/outside: 200 of 200 features lie more than 5000 m beyond the box of the state (at most 1 % may)',
  ]);
  await expect(at.ingest(alone)).rejects.toThrow('beyond the box of the state');
});
