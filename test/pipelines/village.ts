import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place, PlaceLayer, Provenance } from '../../datasets/place/place.ts';

/** A square of `size` degrees with its lower left corner at x, y. */
export const square = (x: number, y: number, size = 0.01) => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];

/** A GeoJSON feature; `coordinates` as the type wants them. */
export const feature = (type: string, coordinates: unknown, properties: Record<string, unknown> = {}) => ({
  type: 'Feature',
  properties,
  geometry: coordinates === null ? null : { type, coordinates },
});

export const provenance: Provenance = {
  source: 'village_files',
  title: 'Files of a village that does not exist',
  publisher: 'Test',
  url: null,
  licence: 'none',
  vintage: '2026-01-01',
  note: null,
};

export const wetlands: PlaceLayer = {
  dataset: 'usfws_nwi',
  layer: 'main',
  file: 'wetlands.geojson',
  columns: { ATTRIBUTE: 'code', WETLAND_TYPE: { from: 'code', lookup: { PEM1: 'Freshwater Emergent Wetland' } } },
  unpublished: ['ACRES'],
  expect: { rejected: 0.5, because: 'two of its six rows are there to be rejected' },
  provenance,
};

export const zoning: PlaceLayer = {
  dataset: 'local_zoning',
  layer: 'main',
  file: 'zoning.geojson',
  columns: { ZONE: { from: 'zone', case: 'upper' } },
  unpublished: ['CONTRACT'],
  provenance,
};

/** A place of wetlands and zoning on one square of Maine. */
export const village: Place = {
  name: 'village',
  title: 'A village',
  state: 'ME',
  county: '23019',
  coverage: { file: 'boundary.geojson' },
  layers: [wetlands, zoning],
};

/** Writes GeoJSON files into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, readonly unknown[]>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, features] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify({ type: 'FeatureCollection', features }));
}

/** Six wetlands (one bow-tie, one unclosed, one without geometry), three zones, the boundary. */
export const FILES = {
  'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
  'wetlands.geojson': [
    feature('Polygon', [square(-68.99, 44.01)], { code: 'PEM1' }),
    feature('Polygon', [square(-68.97, 44.01)], { code: 'PFO1' }),
    // A bow-tie: its two lobes cross at one point, which nobody can repair with certainty.
    feature(
      'Polygon',
      [
        [
          [-68.95, 44.01],
          [-68.94, 44.02],
          [-68.94, 44.01],
          [-68.95, 44.02],
          [-68.95, 44.01],
        ],
      ],
      { code: 'PEM1' },
    ),
    feature('Polygon', [square(-68.93, 44.01).slice(0, 4)], { code: 'PEM1' }),
    feature('Polygon', null, { code: 'PEM1' }),
    feature('Polygon', [square(-68.91, 44.01)], { code: null }),
  ],
  'zoning.geojson': [
    feature('Polygon', [square(-68.99, 44.05)], { zone: 'urd-1' }),
    feature('Polygon', [square(-68.98, 44.05)], { zone: 'urd-1' }),
    feature('Polygon', [square(-68.97, 44.05)], { zone: 'ldr' }),
  ],
};

/** A new temporary folder. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'plat-refresh-'));
