import { afterEach, describe, expect, it } from 'vitest';
import { resolveCrs, setProjGrids } from '../../../ingest/crs.ts';
import { SPELLINGS as ALL, GRIDS, isShifted, isStated, judged, systems } from './systems.ts';

/** A place in the 48 states, which a grid shifts by 1.5" east and 0.2" south. */
const PLACE = Float64Array.of(-100, 40);
const nad27 = systems().find(({ code }) => code === 'EPSG:4267')!;
const SPELLINGS = [
  ...Object.entries({ code: nad27.code, ...nad27.texts }),
  ['proj', '+proj=longlat +datum=NAD27 +no_defs'],
] as const;

describe('NAD27', () => {
  afterEach(() => setProjGrids(''));

  it.each(SPELLINGS)('is refused without a grid, spelled as %s', async (_, text) => {
    const crs = await resolveCrs(text!, 'old.shp');
    await expect(crs.toLngLat(PLACE)).rejects.toMatchObject({
      code: 'crs_unknown',
      file: 'old.shp',
      message: expect.stringMatching(/needs a shift grid, such as \w+\.tif, in the folder of PLAT_PROJ_GRIDS/),
    });
  });

  it.each(SPELLINGS)('is shifted by the grid of the operator, spelled as %s', async (_, text) => {
    setProjGrids(GRIDS);
    const crs = await resolveCrs(text!, 'old.shp');
    const [lng, lat] = await crs.toLngLat(PLACE);
    expect([(lng! + 100) * 3600, (lat! - 40) * 3600].map(seconds => seconds.toFixed(5))).toEqual([
      '1.50000',
      '-0.20000',
    ]);
  });

  it.each(['code', 'esri'] as const)(
    'American Samoa is refused alike on its islands, spelled as %s',
    async spelling => {
      const samoa = systems().find(({ code }) => code === 'EPSG:2194')!;
      const crs = await resolveCrs(spelling === 'code' ? samoa.code : samoa.texts[spelling], 'old.shp');
      // Pago Pago: 170.7° W, 14.3° S. In the sea around, PROJ takes a shift of 44 m accuracy for the text and none for the code.
      const feet = Float64Array.of(253_345, -12_060);
      await expect(crs.toLngLat(feet)).rejects.toThrow(/needs a shift grid, such as us_noaa_\w+\.tif/);
    },
  );

  it('is refused for the same reason however many files were refused before', async () => {
    const crs = await resolveCrs('EPSG:4267', 'old.shp');
    // GDAL says nothing after a thousand errors unless it is told otherwise.
    const refusals = await Promise.all(
      Array.from({ length: 1_100 }, () =>
        crs.toLngLat(PLACE).then(
          xy => [...xy].join(),
          error => error.message as string,
        ),
      ),
    );
    expect([...new Set(refusals)]).toEqual([expect.stringMatching(/needs a shift grid, such as \w+\.tif/)]);
  });

  it('is nowhere beyond the grid', async () => {
    setProjGrids(GRIDS);
    const crs = await resolveCrs('EPSG:4267', 'old.shp');
    const [lng, , beyond] = await crs.toLngLat(Float64Array.of(-100, 40, -100, 70));
    expect(lng).toBeCloseTo(-100, 2);
    expect(beyond).toBeNaN();
  });

  it('is refused on a ground for which the folder has no grid, or if there is no folder', async () => {
    setProjGrids(GRIDS);
    const ontario = (await resolveCrs('EPSG:4608', 'old.shp')).toLngLat(Float64Array.of(-80, 45));
    await expect(ontario).rejects.toThrow(/NAD27\(76\).*ca_nrc_\w+\.tif/);
    setProjGrids('/nowhere');
    const missing = (await resolveCrs('EPSG:4267', 'old.shp')).toLngLat(PLACE);
    await expect(missing).rejects.toThrow(/the folder of PLAT_PROJ_GRIDS, \/nowhere, is missing/);
  });
});

describe('systems of older datums', () => {
  afterEach(() => setProjGrids(''));

  it('lie within 5 cm of PROJ by the grids of an operator, in whatever spelling', async () => {
    setProjGrids(GRIDS);
    const sample = systems()
      .filter(isShifted)
      .filter((_, i) => i % 23 === 5);
    expect(sample.length).toBeGreaterThan(8);
    for (const [i, system] of sample.entries()) {
      const spelling = ALL[i % ALL.length]!;
      const outcome = (await judged(system, spelling, true))!;
      expect([system.code, spelling, outcome, isStated(system, spelling, outcome, true)]).toContain(true);
    }
  });
});
