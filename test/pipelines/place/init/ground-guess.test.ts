import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlaceLayer } from '../../../../datasets/place/place.ts';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { placeYaml } from '../../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { checkPlaceFiles } from '../../../../pipelines/place/trial/check.ts';
import { feature, folder, square, writeFiles } from '../../village.ts';

const sources = folder();
afterAll(() => rmSync(sources, { recursive: true, force: true }));

const USES = ['Single Family', 'Waterfront Lot', 'Railroad Property', 'Roadside Stand'];
const OTHERS = ['ROAD-LOCAL', 'ROAD-LOCAL', 'ME-15', 'US-1A', 'WATER', 'RR', 'UNKNOWN'];
const numbers = [
  ...Array.from(
    { length: 400 },
    (_, i) => `${String(1 + (i % 40)).padStart(3, '0')}-${String(i + 1).padStart(3, '0')}`,
  ),
  // Units of a condominium repeat the number of their lot; what repeats beside it resembles no lot.
  ...Array.from({ length: 8 }, () => '007-900'),
  ...Array.from({ length: 4 }, () => 'PH 2 COMMON'),
  ...OTHERS,
];
/** Parcels in a row in Bangor. */
const rows = numbers.map((MAP_LOT, i) =>
  feature('Polygon', [square(-68.8 + i * 0.0006, 44.8, 0.0005)], {
    MAP_LOT,
    PROP_ADDR: i < 400 ? `${100 + i} MAIN ST` : null,
    LAND_USE: i === 10 ? 'Right of Way' : i === 20 ? 'Water' : i < 400 ? USES[i % USES.length] : null,
  }),
);

let layer: PlaceLayer;
let yaml: string;
let table: readonly string[];
beforeAll(async () => {
  writeFiles(sources, { 'parcels.geojson': rows });
  const files = [join(sources, 'parcels.geojson')];
  yaml = placeYaml(await initPlace({ files, sources, name: 'town-me', state: 'ME', county: '23019' }), 'place.yaml');
  const place = parsePlace(yaml, 'place.yaml');
  [layer] = place.layers as [PlaceLayer];
  ({ table } = await checkPlaceFiles({ place, sources, rows: null }));
}, 60_000);

it('proposes names, routes, repeated numbers and classes as ground, by kind', () => {
  expect(layer.ground).toEqual([
    { kind: 'road', where: "MAP_LOT in ('ROAD-LOCAL', 'ME-15', 'US-1A')" },
    { kind: 'water', where: "MAP_LOT = 'WATER'" },
    { kind: 'railroad', where: "MAP_LOT = 'RR'" },
    { kind: 'other', where: "MAP_LOT = 'UNKNOWN'" },
    { kind: 'other', where: "MAP_LOT = 'PH 2 COMMON'" },
    { kind: 'road', where: "LAND_USE = 'Right of Way'" },
    { kind: 'water', where: "LAND_USE = 'Water'" },
  ]);
  expect(yaml).toContain('# guess 0.85: 4 of 419 rows: no numbers of lots');
  expect(yaml).toContain('# guess 0.55, look at it: 4 of 419 rows: repeat and resemble no other number');
});

it('proposes what an ingest then moves, and counts', () => {
  expect(table[0]).toContain('419 rows read, 406 stored, 13 no parcels (5 road, 5 other, 2 water, 1 railroad)');
});
