import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { OverlayProgress } from '../../../query/release/overlay-progress.ts';
import { calculationsOf, calculationsText } from '../../../server/meta/calculations.ts';

/** A release of parcels with an owner column and the slope, whose copy of soils is not there. */
const engineWith = (progress: OverlayProgress | null, columns = ['apn', 'slope_mean_percent']) => ({
  parcelColumns: () => new Set(columns),
  availability: () => ({
    lackOf: (name: string) => (['elevation', 'fema_flood_zone'].includes(name) ? null : 'no source'),
    sourcesOf: () => [],
    lack: () => null,
  }),
  overlayProgress: () => progress,
});
const progress = { done: 4096, total: 10_576, perSecond: 50, fields: ['elevation', 'slope_mean_percent'] };

it('what is answered at a point and has no column of parcels cannot be searched yet', () => {
  expect(calculationsOf(catalog, engineWith(null))).toEqual({
    ...{ fields: ['elevation', 'fema_flood_zone'], done: null, total: null, seconds_left: null },
  });
  const all = engineWith(null, ['apn', 'elevation', 'fema_flood_zone']);
  expect(calculationsOf(catalog, all)).toBeNull();
  // Without parcels nothing is searched.
  expect(calculationsOf(catalog, engineWith(null, []))).toBeNull();
});

it('a run says how far it is with what it calculates, and how long it takes once the first parcels are done', () => {
  const running = calculationsOf(catalog, engineWith(progress))!;
  expect(running).toEqual({ fields: ['elevation'], done: 4096, total: 10_576, seconds_left: 130 });
  expect(calculationsText({ ...running, fields: ['apn', 'elevation'], done: null })).toMatch(
    /^2 fields cannot be searched yet, because their values .*if it has not begun already\.$/,
  );
  expect(calculationsText(running)).toBe(
    '1 field cannot be searched yet, because its values for the parcels are not calculated: 4096 of 10576 parcels are done, about 2 min left.',
  );
  const begun = calculationsOf(catalog, engineWith({ ...progress, done: 0, perSecond: 0 }))!;
  expect(begun.seconds_left).toBeNull();
  expect(calculationsText(begun)).toMatch(/0 of 10576 parcels are done, how long it takes is not known yet\.$/);
});
