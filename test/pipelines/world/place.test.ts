import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { joinsOf } from '../../../datasets/place/place.ts';
import place from '../../../datasets/places/synthetic.ts';
import { checkPlace } from '../../../pipelines/place/place-check.ts';
import { worldFiles } from '../../../pipelines/world/layer.ts';
import { syntheticWorld } from '../../synthetic-home.ts';

describe('the synthetic place', () => {
  it('fits the catalog', () => {
    expect(checkPlace(place)).toEqual([]);
  });

  it('says in every layer that its data is made up', () => {
    expect(place.synthetic).toBe(true);
    for (const { provenance, dataset } of place.layers) {
      expect(provenance.source).toBe(`synthetic:${dataset}`);
      expect(provenance.note).toMatch(/synthetic/i);
      expect(provenance.publisher).toBe('Plat synthetic data');
    }
  });

  it('reads the files that the generator writes', async () => {
    const written = new Set(worldFiles(await syntheticWorld()).map(f => f.path));
    const read = place.layers.flatMap(layer => [layer.file, ...joinsOf(layer).map(join => join.file)]);
    expect(read.filter(path => !written.has(path))).toEqual([]);
  });

  it('publishes as geodatabases what its publishers do', async () => {
    const kinds = new Map(worldFiles(await syntheticWorld()).map(f => [f.path, f.kind]));
    const wrong = place.layers.flatMap(({ dataset, layer, file }) => {
      const { format, layers } = catalog.datasets.get(dataset)!;
      const published = format === 'gdb' && layers[layer]!.kind !== 'raster';
      return published !== (kinds.get(file) === 'geodatabase') ? [file] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('is refused where rows are grouped or kept apart in layers that cannot be', () => {
    const ports = place.layers.find(layer => layer.layer === 'principal_ports')!;
    const permits = place.layers.find(layer => layer.dataset === 'census_bps')!;
    const problems = checkPlace({
      ...place,
      layers: [
        { ...ports, distinct: true, group: { sum: 'TOTAL', of: 'NOWHERE' } },
        { ...permits, group: { sum: 'Survey Date', of: 'Survey Date' } },
      ],
    });
    expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'layers.0.group: "NOWHERE" must be mapped',
      'layers.0.distinct: only tables keep distinct rows',
      'layers.1.group: only layers with a join key are grouped',
    ]);
  });
});
