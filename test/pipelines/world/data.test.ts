import { expect, it } from 'vitest';
import type { SyntheticData } from '../../../datasets/places/synthetic/data.ts';
import type { WorldFile } from '../../../pipelines/world/format/file.ts';
import { dataFiles } from '../../../pipelines/world/layers/data.ts';
import { syntheticWorld } from '../../synthetic-home.ts';

const data: SyntheticData = {
  dataset: 'some_things',
  layers: {
    main: {
      columns: ['id'],
      *features({ at, stream, ring }) {
        const random = stream('things of a test');
        yield { properties: { id: '1' }, geometry: { type: 'Point', coordinates: at(random.between(0, 1), 0.5) } };
        yield { properties: { id: '2' }, geometry: { type: 'Polygon', coordinates: [ring(random, at(0.5, 0.5), 90)] } };
      },
    },
    county: {
      columns: ['fips', 'tracts'],
      rows: ({ counties, tracts }) =>
        counties.map(fips => ({ fips, tracts: tracts.filter(id => id.startsWith(fips)).length })),
    },
  },
};

const rowsOf = (file: WorldFile) => ('rows' in file ? [...file.rows()] : []);

it('data of one file becomes the published files of its layers, the same for a seed', async () => {
  const world = await syntheticWorld();
  const of = (seed: number) => dataFiles({ ...world, options: { ...world.options, seed } }, [data]);
  const [one, same, other] = [of(1), of(1), of(2)];
  expect(one.map(({ path, kind }) => [path, kind])).toEqual([
    ['some-things/main.geojson', 'geojson'],
    ['some-things/county.csv', 'csv'],
  ]);
  expect(one.map(rowsOf)).toEqual(same.map(rowsOf));
  expect(rowsOf(one[0]!)).not.toEqual(rowsOf(other[0]!));
  const [maine, hampshire] = rowsOf(one[1]!) as { fips: string; tracts: number }[];
  expect([maine!.fips, hampshire!.fips]).toEqual(['23999', '33999']);
  expect(maine!.tracts).toBeGreaterThan(1);
});
