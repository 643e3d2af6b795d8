import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeArrayBuffer } from 'geotiff';
import type { PlaceLayer, Provenance } from '../../datasets/place/place.ts';
import { feature, square } from '../pipelines/village.ts';

/** East of it the ground of this test rises by 30 percent, west of it it is level. */
export const FOOT = -68.78;

const provenance: Provenance = {
  source: 'synthetic:enrich_only',
  title: 'Layers that Bangor has not',
  publisher: 'Test',
  url: null,
  licence: 'none',
  vintage: '2026',
  note: 'Synthetic.',
};
export const LAKE = square(-68.8, 44.8, 0.004);
export const RESERVE = square(-68.79, 44.79, 0.01);
export const HABITAT = square(-68.792, 44.792, 0.01);
const synthetic = (dataset: string, layer: string, columns: PlaceLayer['columns']): PlaceLayer => ({
  dataset,
  layer,
  file: `extra/${dataset}_${layer}.geojson`,
  columns,
  unpublished: [],
  national: true,
  coverage: { everywhere: true },
  provenance,
});
export const EXTRA: readonly PlaceLayer[] = [
  synthetic('usgs_nhdplus_hr', 'NHDWaterbody', { NHDPlusID: 'id' }),
  synthetic('usgs_nhdplus_hr', 'NHDArea', { NHDPlusID: 'id' }),
  synthetic('usgs_padus', 'main', { Unit_Nm: 'name', FeatClass: 'class', GAP_Sts: 'gap' }),
  synthetic('usfws_critical_habitat', 'CRITHAB_POLY', { comname: 'name' }),
  { dataset: 'usgs_3dep', layer: 'main', file: 'extra/dem.tif', columns: {}, coverage: { extent: true }, provenance },
];

export function writeExtra(folder: string): void {
  mkdirSync(join(folder, 'extra'), { recursive: true });
  const write = (name: string, features: unknown[]) =>
    writeFileSync(join(folder, 'extra', `${name}.geojson`), JSON.stringify({ type: 'FeatureCollection', features }));
  write('usgs_nhdplus_hr_NHDWaterbody', [feature('Polygon', [LAKE], { id: '1' })]);
  write('usgs_nhdplus_hr_NHDArea', [feature('Polygon', [square(-60, 40, 0.01)], { id: '2' })]);
  write('usgs_padus_main', [
    feature('Polygon', [RESERVE], { name: 'Reserve', class: 'Fee', gap: '2' }),
    feature('Polygon', [LAKE], { name: 'Lakeside', class: 'Easement', gap: '4' }),
  ]);
  write('usfws_critical_habitat_CRITHAB_POLY', [feature('Polygon', [HABITAT], { name: 'Atlantic salmon' })]);
  const [west, north, cell, width, height] = [-69, 45, 1 / 3600, 1260, 1260];
  const rise = 0.3 * cell * 111_320 * Math.cos((44.82 * Math.PI) / 180);
  const foot = Math.round((FOOT - west) / cell);
  const values = Float32Array.from({ length: width * height }, (_, i) => Math.max(0, (i % width) - foot) * rise);
  const tiff = writeArrayBuffer(values, {
    width,
    height,
    ModelPixelScale: [cell, cell, 0],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    GTModelTypeGeoKey: 2,
    GTRasterTypeGeoKey: 1,
    GeographicTypeGeoKey: 4326,
  } as Parameters<typeof writeArrayBuffer>[1]);
  writeFileSync(join(folder, 'extra', 'dem.tif'), new Uint8Array(tiff));
}
