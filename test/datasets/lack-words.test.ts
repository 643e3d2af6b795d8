// What a reason says that a release lacks is read back as it was written, whatever the words around it.
import { describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { copyLacking, lackIn, layerLacking } from '../../datasets/lack-words.ts';
import { nameOf } from '../../datasets/layer-words.ts';

describe('the reason of a lack', () => {
  it('names every layer of the catalog, alone and as that of what a field is calculated from', () => {
    const layers = [...catalog.datasets].flatMap(([dataset, { layers: own }]) =>
      Object.keys(own).map(layer => ({ dataset, layer })),
    );
    expect(layers.length).toBeGreaterThan(50);
    for (const { dataset, layer } of [...layers, { dataset: 'flood', layer: 'plain' }]) {
      const lack = { of: 'release', layer: nameOf({ dataset, layer }) };
      const reason = layerLacking(dataset, layer);
      expect(lackIn(reason)).toEqual(lack);
      expect(lackIn(`${reason} for the county`)).toEqual(lack);
      expect(lackIn(`"Slope" (slope), from which it is calculated, failed: ${reason}; ${reason}`)).toEqual(lack);
    }
  });

  it.each(['penobscot_2024', 'City of Bangor (assessor)', 'a (b) lacks it', 'Flächen (GIS) of (x)'])(
    'names the source %s',
    source => {
      for (const why of [null, 'names were removed.', 'the county (of 2024) keeps them']) {
        const reason = copyLacking(source, 'owner', why);
        // Notes of the source follow, as sentences.
        for (const notes of [reason, `${reason.replace(/^t/, 'T')}. Names are those of 2024.`])
          expect(lackIn(notes)).toEqual({ of: 'copy', source, part: 'owner' });
        expect(lackIn(copyLacking(source, "zone = 'X'", why))).toEqual({ of: 'copy', source, part: "zone = 'X'" });
      }
    },
  );

  it('is no other reason', () => {
    for (const reason of ['the service did not answer in time', 'outside the coverage of flood zones (fema_nfhl)', ''])
      expect(lackIn(reason)).toBeNull();
  });
});
