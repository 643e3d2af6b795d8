import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePlace } from '../../../pipelines/place/place-schema.ts';
import { type RunReport, run } from '../../../pipelines/run.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, square, writeFiles } from '../village.ts';

const PLACE = `name: hamlet
title: A hamlet
state: ME
county: "23019"
coverage: { file: boundary.geojson }
provenance: { publisher: Test, url: null, licence: none, vintage: "2026-01-01", note: null }
layers:
  - dataset: usdot_nad
    layer: main
    file: addresses.csv
    options: { x: LON, y: LAT }
    join:
      file: parcels.geojson
      prefix: parcel
      key: PIN
      to: PIN
      geometry: true
    columns:
      UUID: ID
      AddNo_Full: NUMBER
      StNam_Full: STREET
      State: { const: ME }
    unpublished: rest
    expect: { rejected: 0.7, because: This test is about them. }
    provenance: { source: hamlet_addresses, title: Addresses }
  - dataset: local_zoning
    layer: main
    file: zones.csv
    join: { file: zone_shapes.geojson, options: { crs: EPSG:3857, overrideCrs: true }, prefix: shape, key: NAME, to: NAME, geometry: true }
    columns: { ZONE: NAME }
    unpublished: rest
    expect: { rejected: 0.5, because: This test is about them. }
    provenance: { source: hamlet_zones, title: Zones, note: Stands in for drawn zones. }
  - dataset: census_tiger
    layer: place
    file: boundary.geojson
    columns: { GEOID: { const: "2399999" }, NAMELSAD: { const: Hamlet town }, CLASSFP: { const: C1 } }
    provenance: { source: hamlet_boundary, title: Boundary }
`;

/** 3 is on no parcel, 4 on a bow-tie, 5 on two parcels, 6 on one without a shape, 7 on none at all, 9 on a shape that is not read. */
const ADDRESSES = [
  'ID,PIN,NUMBER,STREET,LON,LAT',
  'a,A,1,HIGH ST,,',
  'b,A,2,HIGH ST,-68.95,44.05',
  'c,X,3,HIGH ST,,',
  'd,BOW,4,HIGH ST,,',
  'e,TWO,5,HIGH ST,,',
  'f,BARE,6,HIGH ST,,',
  'g,,7,HIGH ST,,',
  'h,A,9,HIGH ST,,',
  'i,MIX,8,HIGH ST,,',
].join('\n');

/** An L: its centre of gravity is near the inner corner, its widest part is the foot. */
const L = [
  [-68.99, 44.01],
  [-68.98, 44.01],
  [-68.98, 44.013],
  [-68.989, 44.013],
  [-68.989, 44.03],
  [-68.99, 44.03],
  [-68.99, 44.01],
];
const BOW = [
  [-68.95, 44.01],
  [-68.94, 44.02],
  [-68.94, 44.01],
  [-68.95, 44.02],
  [-68.95, 44.01],
];
const MIX = [
  { type: 'Polygon', coordinates: [L] },
  { type: 'Point', coordinates: L[0] },
];
/** Web Mercator metres of a degree at the equator. */
const METRES = 111_319.49079327358;

const home = folder();
const sources = folder();
const place = () => parsePlace(PLACE, 'hamlet.yaml');
let report: RunReport;
let engine: Engine;
beforeAll(async () => {
  writeFileSync(join(sources, 'addresses.csv'), ADDRESSES);
  writeFileSync(join(sources, 'zones.csv'), 'NAME\nR1\nR2\n');
  writeFiles(sources, {
    'boundary.geojson': [feature('Polygon', [square(-69, 0, 60)])],
    'parcels.geojson': [
      feature('Polygon', [L], { PIN: 'A' }),
      feature('Polygon', [BOW], { PIN: 'BOW' }),
      feature('Polygon', [square(-68.93, 44.01)], { PIN: 'TWO' }),
      feature('Polygon', [square(-68.91, 44.01)], { PIN: 'TWO' }),
      feature('Polygon', null, { PIN: 'BARE' }),
      { type: 'Feature', properties: { PIN: 'MIX' }, geometry: { type: 'GeometryCollection', geometries: MIX } },
    ],
    'zone_shapes.geojson': [feature('Polygon', [square(-68.9 * METRES, 0, 0.01 * METRES)], { NAME: 'R1' })],
  });
  report = await run({ home, sources, place: place(), threads: 0, progress: SILENT, accept: ['hamlet'] });
  engine = await createEngine({ home, workers: 1, queue: 4, memoryMb: 64 });
}, 120_000);
afterAll(async () => {
  await engine?.close();
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

async function rows(dataset: string) {
  const layers = new Layers(openRelease(home), createCache(64));
  const partition = layers.release.layer(dataset, 'main')!.partitions[0]!;
  const { file } = await layers.features(partition);
  const all = Array.from({ length: file.count }, (_, i) => ({
    ...(file.properties(i) as Record<string, unknown>),
    xy: [...file.geometry(i).xy],
  }));
  return { all, provenance: partition.provenance, partition };
}
const ask = async (address: string) => (await engine.geocode(address, { deadline: Date.now() + 60_000 })).matches;

describe('a join that brings geometry', () => {
  it('places addresses inside their parcels, and leaves those with coordinates where they are', async () => {
    const { all } = await rows('usdot_nad');
    const byId = new Map(all.map(row => [(row as { UUID?: unknown }).UUID, row]));
    expect([...byId.keys()].sort()).toEqual(['a', 'b', 'h']);
    const [lng, lat] = byId.get('a')!.xy as [number, number];
    // In the foot of the L, as far from its edges as there.
    expect([lng > -68.9885 && lng < -68.9815, lat > 44.0114 && lat < 44.0116]).toEqual([true, true]);
    expect(byId.get('a')).toMatchObject({ Placement: 'Parcel - Other' });
    expect(byId.get('h')!.xy).toEqual(byId.get('a')!.xy);
    expect(byId.get('b')).toMatchObject({ xy: [-68.95, 44.05] });
    expect((byId.get('b') as { Placement?: unknown }).Placement ?? null).toBeNull();
  });

  it('rejects rows for which there is no certain place, each with its reason', () => {
    const { partitions } = openRelease(home).layer('usdot_nad', 'main')!;
    const rejects = partitions[0]!.files.find(f => f.role === 'rejects')!;
    const said = readFileSync(openRelease(home).pathOf(rejects), 'utf8').trim().split('\n');
    expect(said.map(line => JSON.parse(line)).map(r => `${r.row}: ${r.reason}`)).toEqual([
      '3: no geometry, and no joined row has the key X',
      expect.stringMatching(/^4: the polygon that the point stands for: /),
      '5: several joined rows have the key TWO',
      '6: no geometry, and the joined row BARE has none either',
      '7: no geometry, and no joined row has the key (empty)',
      '9: no geometry, and the joined row MIX has one that is not read: a GeometryCollection of points and polygons is not read; split it by type',
    ]);
  });

  it('counts what it found', () => {
    const count = report.counts.find(c => c.dataset === 'usdot_nad')!;
    expect(count).toMatchObject({ read: 9, written: 3, rejected: 6 });
    expect(count.joins).toEqual([{ file: 'parcels.geojson', prefix: 'parcel', joined: 7, unjoined: 2, several: 1 }]);
    expect(openRelease(home).manifest.ingests.find(c => c.dataset === 'usdot_nad')).toEqual(count);
  });

  it('is never answered as a rooftop: the point stands for the parcel', async () => {
    expect(await ask('1 High St, Hamlet, ME')).toMatchObject([{ accuracyType: 'point', matchType: 'parcel_situs' }]);
    expect(await ask('2 High St, Hamlet, ME')).toMatchObject([{ accuracyType: 'rooftop', matchType: 'address_point' }]);
  });

  it('is told in the provenance, and fills the column of how a point was placed by itself', async () => {
    const [addresses, zones] = place().layers;
    expect(addresses!.unpublished).not.toContain('Placement');
    expect((await rows('usdot_nad')).provenance.note).toBe(
      'Rows without coordinates of their own stand at a point inside what joins to them (parcels.geojson), not on a building.',
    );
    expect(zones!.provenance.note).toBe(
      'Stands in for drawn zones. Rows without a geometry of their own have that of what joins to them (zone_shapes.geojson).',
    );
  });

  it('gives polygons as they are, projected from their own CRS', async () => {
    const { all } = await rows('local_zoning');
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ ZONE: 'R1' });
    const { xy } = all[0]!;
    expect(Math.min(...xy.filter((_, i) => i % 2 === 0))).toBeCloseTo(-68.9, 9);
    expect(Math.max(...xy.filter((_, i) => i % 2 === 1))).toBeCloseTo(0.01, 6);
  });

  it('needs the CRS of the joined file', async () => {
    writeFileSync(join(sources, 'points.csv'), 'PIN,X,Y\nA,1,2\n');
    const text = PLACE.replace('file: parcels.geojson', 'file: points.csv\n      options: { x: X, y: Y, crs: EPSG:0 }');
    const other = folder();
    const failing = run({ home: other, sources, place: parsePlace(text, 'p.yaml'), threads: 0, progress: SILENT });
    await expect(failing).rejects.toThrow(/points\.csv: cannot read the CRS "EPSG:0"/);
    rmSync(other, { recursive: true, force: true });
  });

  it('is refused for a table', () => {
    const text = PLACE.replace(/dataset: local_zoning\n {4}layer: main\n/, 'dataset: census_acs\n    layer: tract\n');
    expect(() => parsePlace(text, 'p.yaml')).toThrow(/p\.yaml:29:\d+: a table has no geometry/);
  });
});
