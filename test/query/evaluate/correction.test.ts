import { utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { type AcceptedCorrection, correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { openPastRelease, openReleaseById } from '../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../release-fixture.ts';

const HERE = { lng: -68.77, lat: 44.8 };
const EAST = { lng: -68.7705, lat: 44.8 };
const square = (west: number) => rectangle([west, 44.799, west + 0.001, 44.801]);
let fixture: Fixture;
let release: string;

const zones = dataset(
  'zones',
  {
    main: {
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      columns: { code: { type: 'string' } },
      partition: 'national',
    },
  },
  {
    zone: field('polygon_attr(zones, code)', { type: 'string', confidence: 'const(high)' }),
  },
);
const parcels = dataset(
  'parcel_store',
  {
    main: {
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      columns: { parcel_key: { type: 'string' }, apn: { type: 'string' }, built: { type: 'integer' } },
      partition: 'county',
    },
  },
  {
    parcel_built: field('parcel_attr(built)', { type: 'integer', layer: 'parcels' }),
    parcel_age: field('derived(expr[2026 - b], b=@parcel_built)', { layer: 'parcels', confidence: 'min_inputs' }),
  },
);

beforeAll(async () => {
  fixture = await createFixture([zones, parcels], {
    zones: { main: [{ source: 'zones', features: [{ geometry: rectangle([-69, 44, -68, 45]), code: 'AE' }] }] },
    parcel_store: {
      main: [
        {
          key: 'ME/23019',
          source: 'parcel_store',
          features: [
            { geometry: square(-68.7705), parcel_key: 'k1', apn: '1', built: 1913 },
            { geometry: square(-68.7725), parcel_key: 'k2', apn: '2', built: 1950 },
          ],
        },
      ],
    },
  });
  release = fixture.manifest().id;
});
afterAll(() => fixture.remove());

const entry = (id: string, of: Partial<AcceptedCorrection>): AcceptedCorrection => ({
  correction_id: id,
  field: 'zone',
  also: [],
  dataset: 'zones',
  value: 'X',
  parcel_id: null,
  ...HERE,
  evidence_url: null,
  accepted_at: '2026-11-26T06:00:00.000Z',
  ...of,
});
let written = 0;
/** Corrects the home, in a moment of its own. */
async function correct(...entries: readonly (AcceptedCorrection | string)[]): Promise<void> {
  const path = correctionsPath(fixture.home);
  writeFileSync(path, entries.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''));
  utimesSync(path, 1_000, 1_000 + ++written);
  await new Promise(resolve => setTimeout(resolve, 250));
}

it('a correction of a place is told 10 m about it, with what the source says', async () => {
  await correct(entry('cor_1', {}));
  const answers = await fixture.ask(['zone'], { lng: HERE.lng, lat: HERE.lat + 0.00005 });
  expect(answers.zone).toMatchObject({
    status: 'ok',
    value: 'X',
    confidence: 'medium',
    source: 'correction:zones',
    sourceUrl: null,
    vintage: '2026-11-26',
    notes: 'corrected after review on 2026-11-26 (cor_1): the source says AE',
  });
  const away = await fixture.ask(['zone'], { lng: HERE.lng, lat: HERE.lat + 0.0002 });
  expect(away.zone).toMatchObject({ value: 'AE', source: 'zones' });
});

it('a correction of a parcel is told wherever it is matched, and of no other', async () => {
  await correct(
    entry('cor_1', { parcel_id: parcelId('k1') }),
    entry('cor_2', { parcel_id: parcelId('k1'), field: 'parcel_built', value: 1931, dataset: 'parcel_store' }),
  );
  const inside = await fixture.ask(['zone', 'parcel_built', 'parcel_age'], { lng: -68.7696, lat: 44.8009 });
  expect([inside.zone!.value, inside.parcel_built!.value]).toEqual(['X', 1931]);
  // What is calculated from it says what the source says.
  expect(inside.parcel_age!.value).toBe(113);
  expect(inside.parcel_built!.notes).toContain('the source says 1913');
  // 16 m west of it: the nearest parcel answers for itself, and the zone is that of the place.
  const beside = await fixture.ask(['zone', 'parcel_built'], { lng: -68.7707, lat: 44.8 });
  expect([beside.zone!.value, beside.parcel_built!.value]).toEqual(['AE', 1931]);
  const other = await fixture.ask(['zone', 'parcel_built'], { lng: -68.772, lat: 44.8 });
  expect([other.zone!.value, other.parcel_built!.value]).toEqual(['AE', 1950]);
});

it('what rests on a corrected value says so, is no surer than it, and has the value that follows from the source', async () => {
  const of = { parcel_id: parcelId('k1'), field: 'parcel_built', value: 1931, dataset: 'parcel_store' };
  await correct(entry('cor_1', { ...of, touches: ['parcel_age'] }));
  const [here, other] = await Promise.all([
    fixture.ask(['parcel_age'], HERE),
    fixture.ask(['parcel_age'], { lng: -68.772, lat: 44.8 }),
  ]);
  expect(here.parcel_age).toMatchObject({ value: 113, confidence: 'medium', source: 'parcel_store' });
  expect(here.parcel_age!.notes).toMatch(
    /^what this rests on was corrected here after review on 2026-11-26 \(parcel_built, cor_1\): this follows from what/i,
  );
  expect(other.parcel_age).toMatchObject({ value: 76, confidence: 'high', notes: null });
  // A correction of its own says what it is.
  await correct(
    entry('cor_1', { ...of, touches: ['parcel_age'] }),
    entry('cor_2', { ...of, field: 'parcel_age', value: 95 }),
  );
  const own = await fixture.ask(['parcel_age'], HERE);
  expect(own.parcel_age).toMatchObject({ value: 95, source: 'correction:parcel_store' });
  expect(own.parcel_age!.notes).not.toMatch(/rests on/);
});

it('what its source says too is told as the source has it', async () => {
  await correct(
    entry('cor_1', { value: ' AE ' }),
    entry('cor_2', { parcel_id: parcelId('k1'), field: 'parcel_built', value: 1913 }),
  );
  const answers = await fixture.ask(['zone', 'parcel_built'], HERE);
  expect(answers.zone).toMatchObject({ value: 'AE', source: 'zones', notes: null, confidence: 'high' });
  expect(answers.parcel_built).toMatchObject({ value: 1913, source: 'parcel_store' });
});

it('a place without a value of its source has the corrected one', async () => {
  await correct(entry('cor_1', { lng: -60 }));
  const answers = await fixture.ask(['zone'], { lng: -60, lat: HERE.lat });
  expect(answers.zone).toMatchObject({ status: 'ok', value: 'X', source: 'correction:zones' });
  expect(answers.zone!.notes).toMatch(/the source has no value/i);
});

it('an earlier release is told as it was published', async () => {
  await correct(entry('cor_1', {}));
  const terms = { catalog: fixture.catalog, cache: createCache(16), deadline: Date.now() + 10_000 };
  const now = await evaluate(['zone'], HERE, { ...terms, release: openReleaseById(fixture.home, release) });
  const then = await evaluate(['zone'], HERE, { ...terms, release: openPastRelease(fixture.home, release) });
  expect([now.zone!.value, then.zone!.value]).toEqual(['X', 'AE']);
});

it('nothing is corrected by a list that cannot be read, or has a line that is none', async () => {
  for (const wrong of ['{"correction_id": "cor_', '{"correction_id": "cor_1", "field": "zone", "value": {"a": 1}}']) {
    await correct(entry('cor_1', {}), wrong);
    expect((await fixture.ask(['zone'], EAST)).zone!.value).toBe('AE');
    expect((await fixture.ask(['zone'], HERE)).zone!.value).toBe('AE');
  }
});
