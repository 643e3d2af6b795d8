import { describe, expect, it } from 'vitest';
import { areaOf } from '../../datasets/acquire.ts';
import { cadenceDays } from '../../datasets/cadence.ts';
import { catalog } from '../../datasets/catalog.ts';
import { declarationsOf, LocateError, locate } from '../../ingest/acquire/locate.ts';

const datasets = [...catalog.datasets.values()];
const BANGOR = { state: 'ME', county: '23019' };

describe('acquire declarations', () => {
  it('account for every layer of every dataset: a file, or by hand with a reason', () => {
    for (const { id, acquire, layers } of datasets) {
      const { files = [], byHand } = acquire;
      const remedy = `${id}: say in \`acquire\` where its files come from, or \`byHand\` why people place them`;
      expect(files.length > 0 || byHand !== undefined, remedy).toBe(true);
      expect(byHand, remedy).not.toBe('nothing is declared');
      if (byHand !== undefined) expect(byHand.length, id).toBeGreaterThan(20);
      for (const layer of Object.keys(layers)) {
        const declared = files.filter(file => !file.layers || file.layers.includes(layer));
        expect(declared.length, `${id}:${layer}`).toBeLessThanOrEqual(1);
        if (declared.length === 0) expect(byHand, `${id}:${layer}`).toBeDefined();
      }
      for (const file of files) for (const layer of file.layers ?? []) expect(Object.keys(layers), id).toContain(layer);
    }
  });

  it('are addresses that a place can fill in, over https', () => {
    for (const { id, acquire } of datasets)
      for (const layer of (acquire.files ?? []).flatMap((file): (string | undefined)[] => [
        ...(file.layers ?? [undefined]),
      ])) {
        const at = {
          dataset: id,
          ...(layer === undefined ? {} : { layer }),
          with: {
            ...{ huc4: '0102', standard: '2012', tile: 'n45w069', table: 'b19013', volume: 'ne' },
            ...{ region: 'ME', utilities: 'iou', area: 'ME601', technology: '50' },
          },
        };
        for (const source of declarationsOf(catalog, at)) {
          const { via, url, where, box, vintage } = locate(source, at, BANGOR);
          // A national layer of a map server is never taken whole for a county.
          if (via === 'arcgis' && areaOf(source) !== 'state') expect(where !== '' || box !== null, url).toBe(true);
          expect(url).toMatch(/^https:\/\/|^\{link\}$/);
          expect(`${url} ${where}`).not.toMatch(/\{(?!year|year-1|yy|yy-1|month|vintage|link)\w+/);
          if (vintage && 'index' in vintage) expect(() => new RegExp(vintage.link)).not.toThrow();
          if (/\{(year|yy|month)/.test(url)) expect(vintage, url).toMatchObject({ back: expect.any(Number) });
        }
      }
    const [wetlands] = declarationsOf(catalog, { dataset: 'usfws_nwi' });
    expect(areaOf(wetlands!)).toBe('state');
    expect(locate(wetlands!, {}, BANGOR).url).toContain('/ME_geopackage_wetlands.zip');
  });

  it('know the ground of a county, widened, and the names of its state', () => {
    const [faults] = declarationsOf(catalog, { dataset: 'fema_nfhl', layer: 'S_FLD_HAZ_AR' });
    const [west, south, east, north] = locate(faults!, {}, BANGOR).box!;
    // Penobscot County: 69.36 to 67.94 degrees west, 44.64 to 46.40 north; 2 km are 0.018 degrees of latitude.
    expect(west).toBeCloseTo(-69.386, 2);
    expect(south).toBeCloseTo(44.622, 2);
    expect(east).toBeCloseTo(-67.914, 2);
    expect(north).toBeCloseTo(46.418, 2);
    const at = { url: 'https://example.org/{stateName}/{stateSlug}/{countyCode}/{countyNumber}?w={west}', ground: 0 };
    const [own] = declarationsOf(catalog, at);
    const { url } = locate(own!, {}, { state: 'NC', county: '37045' });
    expect(url).toMatch(/^https:\/\/example\.org\/North_Carolina\/north-carolina\/045\/45\?w=-81\.\d+$/);
    // A county newer than the boxes lies in its state.
    expect(locate(own!, {}, { state: 'NC', county: '37999' }).box).toEqual([-84.4, 33.8, -75.4, 36.6]);
    expect(() => locate(own!, {}, { state: 'PR', county: '72001' })).toThrow(/no box is known of county 72001/);
    expect(() => locate({ ...own!, ground: 0 }, {}, { state: 'CT', county: '09110' })).not.toThrow();
  });

  it('refuse what cannot be named', () => {
    expect(() => declarationsOf(catalog, { dataset: 'local_zoning' })).toThrow(LocateError);
    expect(() => declarationsOf(catalog, { dataset: 'census_tiger' })).toThrow(/name the layer/);
    const [dem] = declarationsOf(catalog, { dataset: 'usgs_3dep' });
    expect(() => locate(dem!, {}, BANGOR)).toThrow(/nothing fills \{tile\}/);
    expect(() => locate(dem!, { with: { tile: '../x' } }, BANGOR)).toThrow(/not "\.\.\/x"/);
  });

  it('have a cadence in words that a refresh can count', () => {
    for (const { id, cadence } of datasets) expect(cadenceDays(cadence), id).toBeGreaterThan(0);
    expect(cadenceDays('daily (loaded quarterly)')).toBe(91);
    expect(() => cadenceDays('whenever')).toThrow(RangeError);
  });
});
