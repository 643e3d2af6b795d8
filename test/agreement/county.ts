import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import { feature, provenance, square, writeFiles } from '../pipelines/village.ts';

/** Degrees that lots are wide, and how far apart their rows and columns are. */
const [SIZE, STEP] = [0.001, 0.0012];

type Lot = ReturnType<typeof feature>;

/** Lots in rows from a corner on; every fifth is drawn twice, under two numbers. */
function lots(prefix: string, west: number, south: number, count: number, value: number): Lot[] {
  return Array.from({ length: count }, (_, i) => {
    const twin = i % 5 === 4 ? i - 1 : i;
    const ring = square(west + (twin % 6) * STEP, south + Math.floor(twin / 6) * STEP, SIZE * (1 + (twin % 3) / 10));
    const street = `${10 + i} ${prefix.toUpperCase()} ST`;
    // More digits than dollars have: all who tell the value must round it alike.
    return feature('Polygon', [ring], { no: `${prefix}-${i}`, value: value + i + 0.1849, zone: `Z${i % 4}`, street });
  });
}

/** A layer of lots; what it does not map it does not publish. */
function layer(file: string, columns: PlaceLayer['columns'], source: string, names: readonly string[]): PlaceLayer {
  return {
    dataset: 'parcel_store',
    layer: 'main',
    file,
    columns,
    unpublished: names.filter(name => !Object.hasOwn(columns, name)),
    coverage: { file },
    provenance: { ...provenance, source, vintage: `${source} of 2026` },
  };
}

const LOT = {
  apn: 'no',
  parval: { from: 'value', type: 'number' },
  county: { const: 'Penobscot' },
  city: { const: 'Bangor' },
  address: 'street',
  improvval: { from: 'value', type: 'number' },
} as const satisfies PlaceLayer['columns'];

/** One county of two places and five files, which lie over one another in part. One of them has zones of its own. */
export const COUNTY_FILES = {
  'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
  'zoning.geojson': [feature('Polygon', [square(-69, 44, 0.2)], { zone: 'URD' })],
  'old.geojson': lots('old', -68.9, 44.1, 30, 1000),
  // Shifted by half a lot: most lie on two of the old ones.
  'new.geojson': lots('new', -68.9005, 44.1003, 30, 2000),
  'far.geojson': lots('far', -68.88, 44.1, 20, 3000),
  'town.geojson': [...lots('town', -68.8997, 44.1075, 30, 4000), ...lots('old', -68.87, 44.12, 8, 5000)],
  'bare.geojson': lots('bare', -68.86, 44.11, 6, 6000),
};

/** @param names of the attributes of parcels that a place can map. */
export function countyPlaces(names: readonly string[]): { readonly east: Place; readonly west: Place } {
  const head = { state: 'ME', county: '23019', coverage: { file: 'boundary.geojson' } } as const;
  const zoning: PlaceLayer = {
    dataset: 'local_zoning',
    layer: 'main',
    file: 'zoning.geojson',
    columns: { ZONE: 'zone' },
    unpublished: ['CONTRACT'],
    provenance: { ...provenance, source: 'zones' },
  };
  return {
    east: {
      ...head,
      name: 'east',
      title: 'East',
      layers: [
        layer('old.geojson', LOT, 'old_lots', names),
        layer('new.geojson', { ...LOT, zoning: 'zone' }, 'new_lots', names),
        zoning,
        layer('far.geojson', LOT, 'far_lots', names),
      ],
    },
    west: {
      ...head,
      name: 'west',
      title: 'West',
      layers: [
        layer('town.geojson', { ...LOT, zoning: 'zone' }, 'town_lots', names),
        layer('bare.geojson', { apn: 'no' }, 'bare_lots', names),
      ],
    },
  };
}

/** Writes the files of both places. */
export const writeCounty = (folder: string): void => writeFiles(folder, COUNTY_FILES);
