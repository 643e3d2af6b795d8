import { describe, expect, it } from 'vitest';
import place from '../../../datasets/places/synthetic.ts';
import { checkPlace } from '../../../pipelines/place-check.ts';
import { worldFiles } from '../../../pipelines/world/layer.ts';
import { makeWorld } from '../../../pipelines/world/world.ts';

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
    const written = new Set(worldFiles(await makeWorld({ parcels: 200, seed: 1 })).map(f => f.path));
    const read = place.layers.flatMap(layer => [layer.file, ...(layer.join ? [layer.join.file] : [])]);
    expect(read.filter(path => !written.has(path))).toEqual([]);
  });
});
