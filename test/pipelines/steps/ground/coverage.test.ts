import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import { checkPlaceFiles } from '../../../../pipelines/place/trial/check.ts';
import { FILES, feature, folder, provenance, square, village, writeFiles, zoning } from '../../village.ts';

const sources = folder();
afterEach(() => rmSync(sources, { recursive: true, force: true }));

const failures = async (place: Place) => {
  const { layers } = await checkPlaceFiles({ place, sources, rows: null });
  return layers.map(({ dataset, error }) => [dataset, error]);
};

it('is what is sound of a file that a layer is made of; of another file all must be', async () => {
  writeFiles(sources, { ...FILES, 'zoning.geojson': [feature('Polygon', [square(-68.99, 44.01)], { zone: 'ldr' })] });
  const coverage = { file: 'wetlands.geojson' };
  expect(await failures({ ...village, coverage })).toEqual([
    ['usfws_nwi', null],
    ['local_zoning', null],
  ]);
  expect(await failures({ ...village, coverage, layers: [zoning] })).toEqual([
    ['local_zoning', expect.stringMatching(/^wetlands\.geojson, row 3: as a coverage polygon: Self-intersection/)],
  ]);
});

it('says of a file that lost its projection that it did', async () => {
  const metres = feature('Polygon', [square(351_000, 151_000, 500)], { zone: 'ldr' });
  writeFiles(sources, { 'zoning.geojson': [metres] });
  const coverage = { file: 'zoning.geojson' };
  expect(await failures({ ...village, coverage, layers: [zoning] })).toEqual([
    [
      'local_zoning',
      expect.stringMatching(
        /has no polygon; row 1: coordinate 351000 151000 lies outside .*the file has lost its projection/,
      ),
    ],
  ]);
});

it('of parcels whose own box it is gives way to the county that the place names', async () => {
  const parcel = (i: number, west: number) =>
    feature('Polygon', [square(west + i * 0.002, 44.1, 0.001)], { no: `P-${i}`, code: 19 });
  writeFiles(sources, {
    'counties.geojson': [feature('Polygon', [square(-69, 44, 0.2)], { code: 19 })],
    'parcels.geojson': Array.from({ length: 40 }, (_, i) => parcel(i, i < 10 ? -72 : -68.95)),
  });
  const counties: PlaceLayer = {
    dataset: 'census_tiger',
    layer: 'county',
    file: 'counties.geojson',
    national: true,
    columns: { GEOID: { from: [{ const: '23' }, { from: 'code', type: 'string', pad: 3 }], join: '' } },
    unpublished: [],
    provenance,
  };
  const parcels: PlaceLayer = {
    dataset: 'parcel_store',
    layer: 'main',
    file: 'parcels.geojson',
    columns: { apn: 'no' },
    unpublished: [],
    provenance,
  };
  const place: Place = { ...village, coverage: { extent: true }, layers: [parcels, counties] };
  const { breaches } = await checkPlaceFiles({ place, sources, rows: null });
  expect(breaches.map(({ key }) => key)).toEqual(['village/parcel_store:main/outside']);
});
