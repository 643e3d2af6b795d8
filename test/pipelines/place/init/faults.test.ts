import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { placeYaml } from '../../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { feature, folder, square, writeFiles } from '../../village.ts';

const sources = folder();
afterAll(() => rmSync(sources, { recursive: true, force: true }));

const STATES = ['ME', 'NH', 'VT', 'MA', 'NY', 'OH', 'IN', 'IL', 'IA', 'MN'];
/** A bow-tie whose wings are alike: which ground is meant nobody can tell. */
const bowTie = (x: number, y: number) => [
  [x, y],
  [x + 2, y + 2],
  [x + 2, y],
  [x, y + 2],
  [x, y],
];
const states = (crossed: string) =>
  STATES.map((id, i) =>
    feature('Polygon', [id === crossed ? bowTie(-70 - 3 * i, 43) : square(-70 - 3 * i, 43, 2)], {
      id,
      name: `State ${id}`,
    }),
  );
const TRACTS = ['23019000100', '23019000200', '23019000300'];

beforeAll(() => {
  const blocks = Array.from({ length: 90 }, (_, i) => {
    const tract = TRACTS[i % 3]!;
    const [x, y] = [-68.9 + (i % 10) * 0.001, 44.8 + Math.floor(i / 10) * 0.001];
    return feature('Polygon', [square(x, y, 0.001)], {
      GEOID10: `${tract}${1000 + i}`,
      STATEFP10: '23',
      COUNTYFP10: '019',
      TRACT10: tract.slice(5),
      POP10: i,
    });
  });
  writeFiles(sources, { 'census_blocks_2010.geojson': blocks });
  const listed = Array.from({ length: 400 }, (_, i) => `${23019000400 + 100 * i},${i % 2}`);
  writeFileSync(
    join(sources, 'opportunity_zones.csv'),
    ['geoid,oz', `${TRACTS[0]},1`, `${TRACTS[1]},0`, ...listed, ''].join('\n'),
  );
});

async function made(crossed: string) {
  writeFiles(sources, { 'us_states.geojson': states(crossed) });
  const files = ['us_states.geojson', 'census_blocks_2010.geojson', 'opportunity_zones.csv'].map(f => join(sources, f));
  const result = await initPlace({ files, sources, name: 'bangor-me', state: 'ME', county: '23019' });
  const { layers } = parsePlace(placeYaml(result, 'place.yaml'), 'place.yaml');
  return (id: string) => layers.find(l => `${l.dataset}:${l.layer}` === id)!;
}

it('a fault of a national file is forgiven where it lies elsewhere, and nowhere else', async () => {
  const because = '1 of 10 rows is rejected, none on the ground of this place, as row 10: Self-intersection';
  expect((await made('MN'))('census_tiger:state').expect).toEqual({
    rejected: 0.1,
    because: expect.stringContaining(because),
  });
  expect((await made('ME'))('census_tiger:state').expect).toBeUndefined();
  expect((await made(''))('census_tiger:state').expect).toBeUndefined();
});

it('ground of which a list of tracts says nothing is left out of the coverage', async () => {
  const zones = (await made(''))('cdfi_opportunity_zones:main');
  expect(zones).toMatchObject({
    where: 'list.oz = 1',
    coverage: { file: 'census_blocks_2010.geojson', where: "TRACT10 != '000300'" },
    expect: { hits: { list: 0.666 } },
  });
  expect([zones.join!].flat()[0]).not.toHaveProperty('required');
});
