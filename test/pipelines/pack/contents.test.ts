import { expect, it } from 'vitest';
import { buildCatalog } from '../../../datasets/catalog.ts';
import type { Layer } from '../../../datasets/dataset.ts';
import type { Box } from '../../../datasets/geometry.ts';
import type { Manifest, Partition, ReleaseFile } from '../../../datasets/release.ts';
import { contentsOf } from '../../../pipelines/pack/contents.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { dataset, field, rectangle } from '../../query/release-fixture.ts';

const AREA: Box = [-70, 44, -69.9, 44.1];
const posts: Layer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: null,
  partition: 'county',
  columns: { NAME: { type: 'string' } },
};
const rates: Layer = {
  kind: 'table',
  key: { column: 'GEOID', is: 'tract_geoid' },
  partition: 'state',
  columns: { GEOID: { type: 'string' } },
};
const catalog = buildCatalog([
  dataset(
    'posts',
    { main: posts, near: posts },
    {
      farthest: field('nearest_distance(posts:main, max_km=50)'),
      nearer: field('nearest_distance(posts:main, max_km=10)'),
      about: field('count_within(posts:near, radius_m=500)', { unit: 'count' }),
    },
  ),
  dataset('rates', { main: rates }),
]);

const file = (role: ReleaseFile['role'], name: string, box?: Box): ReleaseFile => ({
  ...{ role, path: name, sha256: name, bytes: 1, rows: 1 },
  ...(box ? { box } : {}),
});

/** A partition with a coverage of its own, which is where its rows are. */
const partition = (name: string, box: Box | null, role: 'features' | 'rows' = 'features'): Partition => ({
  ...{ key: `ME/${name}`, place: name, rows: 1, box, coverage: 'polygon' as const, unpublished: [] },
  files: [
    file(role, name),
    file('coverage', `${name} coverage`, box ?? [10, 10, 11, 11]),
    file('rejects', `${name} rejects`),
  ],
  provenance: { source: 'x', title: '', publisher: '', url: null, licence: '', vintage: '', note: null } as never,
});

/** A box of one place, some kilometers east of the area, at the latitude of its middle. */
function east(km: number): Box {
  let lng = AREA[2];
  while (distance(AREA[2], 44.05, lng, 44.05) < km * 1000) lng += 0.0005;
  return [lng, 44.05, lng, 44.05];
}

const layer = (...partitions: Partition[]) => ({ version: '1', columns: ['NAME'], partitions });
const manifest = {
  format: 1,
  id: 'x',
  datasets: {
    posts: {
      main: layer(partition('here', AREA), partition('at 49 km', east(49)), partition('at 52 km', east(52))),
      near: layer(partition('at 1 km', east(1)), partition('at 3 km', east(3))),
    },
    rates: { main: layer(partition('table', null, 'rows')) },
  },
  ingests: [],
  overlays: { here: { calculated: { inputs: '', fields: [], files: [file('columns', 'of here')] } } },
  tiles: {
    'posts/ME/here': { drawing: '', inputs: '', box: AREA, file: file('tiles', 'tiles here') },
    'posts/ME/far': { drawing: '', inputs: '', box: east(52), file: file('tiles', 'tiles far') },
  },
} as unknown as Manifest;

it('each layer goes along as far as the farthest field of it looks, tables whole, and nothing that only ingests read', () => {
  const { files, layers, covered } = contentsOf(manifest, rectangle(AREA), catalog);
  expect(files.map(({ path }) => path).sort()).toEqual(
    [
      ...['at 1 km', 'at 49 km', 'here', 'table'].flatMap(name => [name, `${name} coverage`]),
      ...['of here', 'tiles here'],
    ].sort(),
  );
  expect(layers.map(one => [one.layer, one.km])).toEqual(
    expect.arrayContaining([
      ['posts:main', 50],
      ['posts:near', 2],
    ]),
  );
  expect(covered).toBe(true);
  expect(contentsOf(manifest, rectangle([-60, 44, -59.9, 44.1]), catalog).covered).toBe(false);
});

it('sites far from each other are packed as those alone, and not what lies between them', () => {
  const [west, , , north] = east(52);
  const both = { ...rectangle(AREA), ...twoOf(AREA, [west + 1, north - 0.01, west + 1.1, north]) };
  const names = contentsOf(manifest, both, catalog).files.map(({ path }) => path);
  expect(names).toContain('here');
  expect(names).not.toContain('at 3 km');
});

function twoOf(one: Box, other: Box) {
  const [a, b] = [rectangle(one), rectangle(other)];
  return {
    type: 'MultiPolygon' as const,
    xy: Float64Array.of(...a.xy, ...b.xy),
    ends: Uint32Array.of(5, 10),
    parts: Uint32Array.of(1, 2),
  };
}
