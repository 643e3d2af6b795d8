import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Place, PlaceLayer } from '../../../datasets/place/place.ts';
import { groundLines } from '../../../pipelines/commands/count-lines.ts';
import { type RunReport, run } from '../../../pipelines/run.ts';
import { changesPage } from '../../../query/changes/page.ts';
import { Work } from '../../../query/changes/work.ts';
import { matchParcel } from '../../../query/engine/match-task.ts';
import { search } from '../../../query/engine/search-task.ts';
import { evaluateBatch } from '../../../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../query/evaluate/finding.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { FILES, feature, folder, provenance, square, village, writeFiles } from '../../pipelines/village.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';

const Y = 44.1;
const GROUND: PlaceLayer['ground'] = [
  { kind: 'road', where: "number like 'RD-%' or class = 'street'" },
  { kind: 'water', where: "number = 'WATER' or class = 'street'" },
];
const parcels: PlaceLayer = {
  dataset: 'parcel_store',
  layer: 'main',
  file: 'parcels.geojson',
  columns: { apn: 'number', parval: { from: 'value', type: 'number' } },
  ground: GROUND,
  provenance,
};
const { ground: _, ...everything } = parcels;
const neighbour: PlaceLayer = { ...everything, file: 'beyond.geojson' };
const town: Place = { ...village, layers: [parcels] };
const row = (number: string | null, coordinates: unknown, more: object = {}) =>
  feature('Polygon', coordinates, { number, value: 100, class: null, ...more });
const strip = (x: number, width: number) => [
  [x, Y],
  [x + width, Y],
  [x + width, Y + 0.001],
  [x, Y + 0.001],
  [x, Y],
];

let home: string;
let sources: string;
let runs: RunReport[];
beforeAll(async () => {
  home = folder();
  sources = folder();
  writeFiles(sources, {
    'boundary.geojson': FILES['boundary.geojson'],
    'parcels.geojson': [
      row('A', [square(-68.9, Y, 0.001)]),
      // Some 32 m, a lot, some 160 m.
      row('RD-1', [strip(-68.899, 0.0004)]),
      row('B', [strip(-68.8986, 0.001)]),
      row(null, [strip(-68.8976, 0.002)], { class: 'street', value: 'none' }),
      // Its rings cross: the two wings are water all the same.
      row('WATER', [
        [
          [-68.89, Y],
          [-68.889, Y + 0.001],
          [-68.889, Y],
          [-68.89, Y + 0.001],
          [-68.89, Y],
        ],
      ]),
      row('WATER', null),
      // A lot that lies on the street is one.
      row('C', [strip(-68.896, 0.0001)]),
    ],
    'beyond.geojson': [row('Z', [square(-68.85, Y, 0.001)])],
  });
  const ingest = (place: Place) => run({ home, sources, place, threads: 0, progress: SILENT, accept: [place.name] });
  runs = [];
  for (const layer of [everything, parcels, everything]) runs.push(await ingest({ ...town, layers: [layer] }));
  runs.push(await ingest(town));
  // Another place of the county: what it holds of the first stays.
  runs.push(await ingest({ ...town, name: 'beyond', layers: [neighbour] }));
}, 120_000);
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

const cache = createCache(64);
const release = (which: number) => openReleaseById(home, runs.at(which)!.release);
const evaluation = (which = -1) => ({ release: release(which), catalog, cache, deadline: Date.now() + 60_000 });
const matched = (lng: number, lat: number, which = -1) =>
  matchParcel({ point: { lng, lat }, address: null, geometry: false }, evaluation(which));

describe('ground that is no parcel', () => {
  it('is counted by kind, the first condition that fits', () => {
    const { counts } = runs[3]!;
    expect(counts[0]).toMatchObject({ read: 7, written: 3, rejected: 0, ground: { road: 2, water: 2 } });
    expect(runs[0]!.counts[0]).toMatchObject({ written: 4, rejected: 3 });
    expect(groundLines(runs[3]!.counts)).toEqual([
      'parcels.geojson: 4 rows are no parcels and stand beside them (2 road, 2 water)',
    ]);
    // No address of it is found either.
    const { files } = release(3).layer('parcel_store', 'main')!.partitions[0]!;
    expect(files.map(({ role, rows }) => [role, rows])).toContainEqual(['addresses', 3]);
  });

  it.each([3, 4])('has no parcel, with the reason, also beside a lot: release %i', async which => {
    for (const [lng, lat, reason] of [
      [-68.8989, Y + 0.0005, 'a road of the parcel file (RD-1); the nearest parcel, A, is 8.0 m away'],
      [-68.8968, Y + 0.0005, 'a road of the parcel file; no parcel lies within 30 m'],
      [-68.8892, Y + 0.0005, 'water of the parcel file (WATER); no parcel lies within 30 m'],
      [-68.8898, Y + 0.0005, 'water of the parcel file (WATER); no parcel lies within 30 m'],
    ] as const) {
      expect(await matched(lng, lat, which)).toEqual({ status: 'no_match', reason: `the point lies on ${reason}` });
      const point = { lng, lat };
      const answer = (await evaluate(['parcel_apn'], point, evaluation(which))).parcel_apn!;
      expect(answer).toMatchObject({ status: 'absent', value: null, notes: `the point lies on ${reason}` });
      const [finding] = (await evaluateBatch(['parcel_apn'], [point], evaluation(which))).get('parcel_apn')!;
      expect(toAnswer(finding!, catalog.datasets.get('parcel_store')!, answer.fetchedAt)).toEqual(answer);
    }
    expect(await matched(-68.8995, Y + 0.0005, which)).toMatchObject({ parcel: { apn: 'A', matchType: 'contains' } });
    expect(await matched(-68.8981, Y + 0.0005, which)).toMatchObject({ parcel: { apn: 'B', matchType: 'contains' } });
    // On the line between lot and road, and on the lot that lies on the street.
    expect(await matched(-68.899, Y + 0.0005, which)).toMatchObject({ parcel: { apn: 'A' } });
    expect(await matched(-68.89595, Y + 0.0005, which)).toMatchObject({ parcel: { apn: 'C' } });
    // Off the file the nearest lot is the match, as it always was.
    expect(await matched(-68.9001, Y + 0.0005, which)).toMatchObject({ parcel: { apn: 'A', matchType: 'nearest' } });
  });

  it('is in no search, and leaves it complete', async () => {
    const tests = [{ name: 'state', kind: 'state', op: 'eq', operands: ['ME'] }] as const;
    const page = (await search(
      { filters: { tests, areas: [] }, outputs: [], countyByFips: false, limit: 100, after: null, budget: BUDGET },
      { ...evaluation(), stopped: () => false },
    )) as WrittenPage;
    const matches = JSON.parse(Buffer.from(textOf(page.matches)).toString()) as { apn: string }[];
    expect(matches.map(({ apn }) => apn).sort()).toEqual(['A', 'B', 'C', 'Z']);
    expect([page.status, page.reason]).toEqual(['complete', 'exhausted']);
  });

  it('ends the keys of its rows, says why, and gives them back where it is a parcel again', async () => {
    const compare = async (since: number, to: number) => {
      const open = (which: number) => new Layers(release(which), cache);
      const work = new Work({
        deadline: Date.now() + 60_000,
        softDeadline: Infinity,
        rows: Infinity,
        stopped: () => false,
      });
      const question = { state: null, fields: ['apn'], limit: 1000, from: null };
      const page = await changesPage({ before: open(since), after: open(to), catalog }, question, work);
      return page.parcels.map(({ parcel_key, change, reason }) => [parcel_key, change, reason]);
    };
    const key = '23019:RD-1';
    expect(await compare(0, 1)).toEqual([[key, 'removed', 'a road of the parcel file (RD-1)']]);
    expect(await compare(1, 2)).toEqual([[key, 'added', undefined]]);
    expect(await compare(0, 2)).toEqual([]);
  });
});
