import { expect, it } from 'vitest';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { FilteredTree } from '../../../query/format/filtered-tree.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { createFixture, dataset, field, point } from '../release-fixture.ts';

const main: VectorLayer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: 'id',
  partition: 'national',
  columns: { id: { type: 'string' }, kind: { type: 'string' } },
};
const sites = dataset(
  'sites',
  { main },
  {
    rare: field("nearest_distance(sites, max_km=20000, where[kind = 'rare'])"),
    none: field("nearest_distance(sites, max_km=20000, where[kind = 'none'])"),
  },
);
const places = Array.from({ length: 3000 }, (_, i) => ({
  geometry: point(-120 + ((i * 7919) % 3000) / 60, 30 + ((i * 104729) % 2999) / 180),
  id: String(i),
  kind: i % 150 === 7 ? 'rare' : 'common',
}));

it('finds under a rare condition what brute force finds, before and after the condition is indexed', async () => {
  const fixture = await createFixture([sites], { sites: { main: [{ features: places }] } });
  try {
    const { catalog, home } = fixture;
    const release = openRelease(home);
    const cache = createCache(64);
    for (let i = 0; i < 25; i++) {
      const at = { lng: -125 + i * 2.3, lat: 28 + ((i * 37) % 20) };
      const { rare, none } = await evaluate(['rare', 'none'], at, {
        release,
        catalog,
        cache,
        deadline: Date.now() + 20_000,
      });
      const metres = places
        .filter(p => p.kind === 'rare')
        .map(p => distance(at.lng, at.lat, p.geometry.xy[0]!, p.geometry.xy[1]!));
      expect(rare!.value).toBe(Math.round(Math.min(...metres) * 10) / 10);
      expect(none!.status).toBe('absent');
    }
    const [file] = release.layer('sites', 'main')!.partitions[0]!.files;
    const features = new FeatureFile(release.pathOf(file!));
    const chosen = Uint32Array.from([5, 17, 900, 2999]);
    const tree = new FilteredTree(features.index, chosen);
    const leaves = Array.from({ length: tree.nodeCount }, (_, node) => node).filter(node => tree.isLeaf(node));
    expect(leaves.map(leaf => tree.featureOf(leaf))).toEqual([...chosen]);
    for (const [i, leaf] of leaves.entries())
      expect([...tree.boxes.subarray(leaf * 4, leaf * 4 + 4)]).toEqual([...features.box(chosen[i]!)]);
    expect(new FilteredTree(features.index, new Uint32Array(0)).nodeCount).toBe(0);
    features.close();
  } finally {
    fixture.remove();
  }
});
