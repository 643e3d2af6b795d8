import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import { run } from '../../../../pipelines/run.ts';
import { contentsOf, listRejects } from '../../../../pipelines/steps/rejected/list.ts';
import { rejectedParcelsTask } from '../../../../query/engine/contents/counts-task.ts';
import { matchParcel } from '../../../../query/engine/match-task.ts';
import { search } from '../../../../query/engine/search-task.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../../query/evaluate/finding.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { LayerLists, listsOf } from '../../../../query/release/lists/layer-lists.ts';
import { outlineOf } from '../../../../query/release/lists/outline.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { partsOf } from '../../../../query/release/part.ts';
import type { WrittenPage } from '../../../../query/search/page/written-page.ts';
import { areaTest, type Test } from '../../../../query/search/request/filter.ts';
import { fromGeoJSON } from '../../../oracle/geojson.ts';
import { SILENT } from '../../../pipelines/silent.ts';
import { FILES, feature, folder, provenance, square, village, writeFiles } from '../../../pipelines/village.ts';
import { BUDGET } from '../../search/agreement.ts';
import { textOf } from '../../search/page-text.ts';

/** A square whose last two corners are swapped: two wings that meet in its middle. */
const bowTie = (x: number, y: number, size = 0.001) => [
  [
    [x, y],
    [x + size, y + size],
    [x + size, y],
    [x, y + size],
    [x, y],
  ],
];
/** A square whose upper right corner is cut by edges that cross a few centimetres from it. */
const nearlySquare = (x: number, y: number, size = 0.001) => [
  [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x + size - 2e-6, y + size + 1e-6],
    [x + size, y + size - 2e-6],
    [x + size - 1e-5, y + size],
    [x, y + size],
    [x, y],
  ],
];

const base = { provenance } as const;
const parcels: PlaceLayer = {
  ...base,
  dataset: 'parcel_store',
  layer: 'main',
  file: 'parcels.geojson',
  columns: { apn: 'apn', parval: 'value', city: 'city', saledate: { from: 'sold', dateFormat: 'YYYY-MM-DD' } },
  unpublished: ['zoning', 'zoning_source_date'],
};
const flood: PlaceLayer = {
  ...base,
  dataset: 'fema_nfhl',
  layer: 'S_FLD_HAZ_AR',
  file: 'flood.geojson',
  columns: { FLD_ZONE: 'zone', SFHA_TF: 'sfha' },
};
const towns: PlaceLayer = {
  ...base,
  dataset: 'census_tiger',
  layer: 'place',
  file: 'towns.geojson',
  columns: { NAMELSAD: 'name' },
};
const place: Place = { ...village, layers: [...village.layers, parcels, flood, towns] };
const Y = 44.1;
const lot = (apn: string, coordinates: unknown, more: object = {}) =>
  feature('Polygon', coordinates, { apn, value: 100, city: 'Villageton', sold: '2020-01-31', ...more });

let home: string;
let sources: string;
beforeAll(async () => {
  home = folder();
  sources = folder();
  writeFiles(sources, {
    ...FILES,
    'parcels.geojson': [
      lot('A', [square(-68.9, Y, 0.001)]),
      lot('B', bowTie(-68.899, Y)),
      lot('C', [square(-68.898, Y, 0.001)]),
      lot('D', nearlySquare(-68.89, Y)),
      lot('E', [square(-68.88, Y, 0.001)], { sold: 'last spring' }),
      lot('F', null),
    ],
    'flood.geojson': [
      feature('Polygon', bowTie(-68.9, 44.15, 0.01), { zone: 'AE', sfha: 'T' }),
      feature('Polygon', [square(-68.9, 44.15, 0.01)], { zone: 'X', sfha: 'F' }),
      feature('Polygon', bowTie(-68.88, 44.15, 0.01), { zone: 'X', sfha: 'F' }),
      feature('Polygon', bowTie(-68.86, 44.15, 0.01), { zone: 'A', sfha: 'T' }),
      feature('Polygon', [square(-68.86, 44.15, 0.01)], { zone: 'AE', sfha: 'T' }),
    ],
    'towns.geojson': [
      feature('Polygon', bowTie(-68.95, 44.15, 0.01), { name: 'Villageton' }),
      feature('Polygon', [square(-68.96, 44.14, 0.03)], { name: 'Surrounding' }),
    ],
    'zoning.geojson': [
      ...FILES['zoning.geojson'],
      feature('Polygon', bowTie(-68.9005, Y - 0.0005, 0.002), { zone: 'ldr' }),
    ],
  });
  // Most of what it brings is rejected on purpose.
  await run({ home, sources, place, threads: 0, progress: SILENT, accept: [place.name] });
}, 120_000);
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

const evaluation = () => ({
  release: openRelease(home),
  catalog,
  cache: createCache(64),
  deadline: Date.now() + 60_000,
});

/** The answer at a point, which both forms must give. */
async function at(lng: number, lat: number, name: string) {
  const point = { lng, lat };
  const answer = (await evaluate([name], point, evaluation()))[name]!;
  const [finding] = (await evaluateBatch([name], [point], evaluation())).get(name)!;
  const dataset = catalog.datasets.get(catalog.fields.get(name)!.dataset)!;
  expect(toAnswer(finding!, dataset, answer.fetchedAt)).toEqual(answer);
  return answer;
}
const matched = (lng: number, lat: number) =>
  matchParcel({ point: { lng, lat }, address: null, geometry: false }, evaluation());

const CROSSING = /Self-intersection\[-68\.8985 44\.1005\]/;

describe('a rejected parcel', () => {
  it('keeps its ground: no neighbour answers there, or beside it', async () => {
    for (const [lng, lat] of [
      [-68.8989, Y + 0.0005],
      [-68.8981, Y + 0.0005],
      // Between its wings, where nothing is stored either.
      [-68.8985, Y + 0.0009],
    ] as const) {
      expect(await matched(lng, lat)).toEqual({
        status: 'unavailable',
        reason: expect.stringMatching(/^the parcel (here|\d+\.\d m away) was rejected: Self-intersection/),
      });
      const answer = await at(lng, lat, 'parcel_apn');
      expect(answer).toMatchObject({ status: 'absent', value: null });
      expect(answer.notes).toMatch(CROSSING);
    }
    expect(await matched(-68.8995, Y + 0.0005)).toMatchObject({ status: 'matched', parcel: { apn: 'A' } });
    expect(await at(-68.8975, Y + 0.0005, 'parcel_apn')).toMatchObject({ status: 'ok', value: 'C' });
  });

  it('leaves the nearest one an answer only where it is farther', async () => {
    // 8 m west of A, far from B.
    expect(await matched(-68.9001, Y + 0.0005)).toMatchObject({ status: 'matched', parcel: { apn: 'A' } });
    // 5 m above the corner that A and B share.
    expect(await matched(-68.89902, Y + 0.00105)).toMatchObject({ status: 'unavailable' });
  });

  it('is one whose values do not fit, too', async () => {
    const answer = await at(-68.8795, Y + 0.0005, 'parcel_apn');
    expect(answer).toMatchObject({
      status: 'absent',
      notes: expect.stringMatching(/^the parcel here was rejected: column saledate: /),
    });
  });

  it('is repaired where nothing is in doubt', async () => {
    expect(await matched(-68.8895, Y + 0.0005)).toMatchObject({ status: 'matched', parcel: { apn: 'D' } });
  });
});

describe('a rejected feature of another layer', () => {
  it('makes what would be false absent, where it may meet the condition', async () => {
    const wing: [number, number] = [-68.899, 44.155];
    const reason = /^one of the flood hazard areas \(village_files\) here was rejected: Self-intersection\[/;
    expect(await at(...wing, 'within_floodplain_polygon')).toMatchObject({
      status: 'absent',
      notes: expect.stringMatching(reason),
    });
    expect(await at(...wing, 'fema_flood_zone')).toMatchObject({
      status: 'absent',
      notes: expect.stringMatching(reason),
    });
    // Zone X is none of those that are asked for.
    expect(await at(-68.879, 44.155, 'within_floodplain_polygon')).toMatchObject({ status: 'ok', value: false });
    expect(await at(-68.879, 44.155, 'fema_flood_zone')).toMatchObject({ status: 'absent' });
    // What another zone makes true stays true.
    expect(await at(-68.859, 44.155, 'within_floodplain_polygon')).toMatchObject({ status: 'ok', value: true });
    expect(await at(-68.859, 44.155, 'fema_flood_zone')).toMatchObject({ status: 'absent' });
    expect(await at(-68.86, 44.18, 'within_floodplain_polygon')).toMatchObject({ status: 'ok', value: false });
  });

  it('is passed over by no distance, fraction, name or zone', async () => {
    // The bow-tie of PEM1 at -68.95: 200 m beside it the next wetland lies farther away.
    const beside: [number, number] = [-68.9375, 44.015];
    for (const name of ['nearest_wetland_distance_m', 'wetland_fraction_within_500m'])
      expect([name, await at(...beside, name)]).toEqual([
        name,
        expect.objectContaining({
          status: 'absent',
          notes: expect.stringMatching(/^one of the wetlands \(village_files\) (here|[\d.]+ m away) was rejected/),
        }),
      ]);
    // Near another one that is nearer than it.
    expect(await at(-68.9301, 44.015, 'nearest_wetland_distance_m')).toMatchObject({ status: 'ok' });
    expect(await at(-68.949, 44.155, 'place_name')).toMatchObject({ status: 'absent' });
    expect(await at(-68.945, 44.145, 'place_name')).toMatchObject({ status: 'ok', value: 'Surrounding' });
    expect((await at(-68.8998, Y + 0.0005, 'parcel_zoning')).notes).toMatch(
      /^one of the zoning districts \(village_files\) here was rejected/,
    );
    expect(await at(-68.8895, Y + 0.0005, 'parcel_zoning')).toMatchObject({
      status: 'absent',
      notes: expect.stringMatching(/^none of the zoning districts/),
    });
  });
});

describe('a search', () => {
  const ask = async (tests: Test[], area?: number[][], limit = 100) => {
    const areas = area
      ? [
          areaTest(
            'intersects',
            fromGeoJSON({ type: 'Polygon', coordinates: [area as [number, number][]] }),
            'filters[0].value',
          ),
        ]
      : [];
    const page = (await search(
      { filters: { tests, areas }, outputs: [], countyByFips: false, limit, after: null, budget: BUDGET },
      { ...evaluation(), stopped: () => false },
    )) as WrittenPage;
    const matches = JSON.parse(Buffer.from(textOf(page.matches)).toString()) as { apn: string }[];
    return [
      page.status,
      page.reason,
      page.next === null,
      matches
        .map(m => m.apn)
        .sort()
        .join(''),
    ];
  };
  const text = (name: string, op: Test['op'], ...operands: string[]): Test => ({
    name,
    kind: name === 'state' ? 'state' : name === 'county' ? 'county' : name === 'city' ? 'city' : 'string',
    op,
    operands,
  });
  const number = (name: string, op: Test['op'], ...operands: number[]): Test => ({
    name,
    kind: 'number',
    op,
    operands,
  });
  const WHOLE = ['complete', 'exhausted', true];

  it('goes through the stored parcels, whatever was rejected beside them', async () => {
    expect(await ask([text('state', 'eq', 'ME')])).toEqual([...WHOLE, 'ACD']);
    expect(await ask([text('county', 'eq', '23019')])).toEqual([...WHOLE, 'ACD']);
    expect(await ask([text('city', 'eq', 'villageton')])).toEqual([...WHOLE, 'ACD']);
    for (const apn of ['B', 'E', 'F']) expect(await ask([text('apn', 'eq', apn)])).toEqual([...WHOLE, '']);
    expect(await ask([number('acreage', 'gt', 1000)])).toEqual([...WHOLE, '']);
    expect(await ask([], square(-68.8989, Y + 0.0004, 0.0001))).toEqual([...WHOLE, '']);
    expect(await ask([text('apn', 'eq', 'A')])).toEqual([...WHOLE, 'A']);
    expect((await ask([text('state', 'eq', 'ME')], undefined, 2)).slice(0, 2)).toEqual(['limited', 'limit_reached']);
  });

  it('leaves it to the coverage to count them, by county and reason', async () => {
    const counted = await rejectedParcelsTask(
      { counties: ['23019', '23009'] },
      { ...evaluation(), stopped: () => false, onProgress: () => {} },
    );
    expect(Object.keys(counted)).toEqual(['23019']);
    const [county] = Object.values(counted) as (readonly { reason: string; parcels: number }[])[];
    expect(county!.reduce((sum, { parcels }) => sum + parcels, 0)).toBe(3);
    for (const { reason } of county!) expect(reason).not.toMatch(/[0-9]/);
  });
});

it('stays rejected when another place brings parcels to the same county', async () => {
  const other = folder();
  try {
    writeFiles(sources, { 'hamlet.geojson': [lot('H', [square(-68.85, Y, 0.001)])] });
    const ingest = (one: Place) =>
      run({ home: other, sources, place: one, threads: 0, progress: SILENT, accept: [one.name] });
    await ingest({ ...place, layers: [parcels] });
    await ingest({ ...place, name: 'hamlet', layers: [{ ...parcels, file: 'hamlet.geojson' }] });
    const release = openRelease(other);
    const [partition] = release.layer('parcel_store', 'main')!.partitions;
    expect(partition!.parts!.map(part => [part.place, part.files.some(f => f.role === 'rejected')])).toEqual([
      ['hamlet', false],
      ['village', true],
    ]);
    const at = (lng: number) =>
      matchParcel({ point: { lng, lat: Y + 0.0005 }, address: null, geometry: false }, { ...evaluation(), release });
    expect(await at(-68.8989)).toMatchObject({ status: 'unavailable', reason: expect.stringMatching(CROSSING) });
    expect(await at(-68.8495)).toMatchObject({ status: 'matched', parcel: { apn: 'H' } });
    const { layers, places } = contentsOf(release.manifest);
    expect([[...layers], [...places].sort()]).toEqual([['parcel_store:main'], ['hamlet', 'village']]);
    const listed = [];
    for await (const reject of listRejects(join(other, 'releases'), release.manifest, { repaired: false }))
      listed.push([reject.place, reject.row]);
    expect(listed).toEqual([
      ['village', 2],
      ['village', 5],
      ['village', 6],
    ]);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}, 120_000);

it('the manifest says of each list how far its rows, coverages and rejected rows reach', async () => {
  const release = openRelease(home);
  const layers = new Layers(release, createCache(64));
  const checked: Record<string, number> = {};
  for (const layer of Object.values(release.manifest.datasets).flatMap(of => Object.values(of)))
    for (const { head, partitions } of LayerLists.of(layer).all) {
      expect(head!.outline).toEqual(outlineOf(partitions));
      const [west, south, east, north] = head!.outline!.reach!;
      for (const partition of partitions.flatMap(partsOf))
        for (const { role } of partition.files) {
          if (role !== 'features' && role !== 'coverage' && role !== 'rejected') continue;
          const files =
            role === 'rejected' ? await layers.beside(partition, 'rejected') : [await layers.features(partition, role)];
          for (const { file } of files)
            for (let i = 0; i < file.count; i++) {
              if (file.properties(i).rejected_located === false) continue;
              const [a, b, c, d] = file.box(i);
              expect([a >= west, b >= south, c <= east, d <= north]).toEqual([true, true, true, true]);
              checked[role] = (checked[role] ?? 0) + 1;
            }
        }
    }
  // Of every role, also what stands beside the stored rows.
  expect(Object.keys(checked).sort()).toEqual(['coverage', 'features', 'rejected']);
  const { outline } = listsOf(release.layer('parcel_store', 'main')!)![0]!;
  expect([outline!.rejected, outline!.unpublished]).toEqual([true, ['zoning', 'zoning_source_date']]);
});
