import { describe, expect, it } from 'vitest';
import type { Ctx } from '../../../server/context.ts';
import type { WatchedAnswer, WatchedPlaces } from '../../../server/watches/answers.ts';
import { differencesOf, searchDifferences } from '../../../server/watches/difference.ts';
import { newsFor } from '../../../server/watches/due.ts';
import { eventNow, eventOf } from '../../../server/watches/event.ts';
import { messageOf } from '../../../server/watches/message.ts';
import { smallCatalog } from '../service-fixture.ts';

const answer = (value: unknown, more: Partial<WatchedAnswer> = {}): WatchedAnswer => ({
  ...{ value, status: 'ok', source: 's', source_url: null, dataset_vintage: '2025' },
  ...more,
});
const point = { lng: -68, lat: 44 };
const places = (all: Readonly<Record<string, Readonly<Record<string, WatchedAnswer>>>>): WatchedPlaces =>
  new Map(Object.entries(all).map(([id, answers]) => [id, { point, answers }]));
const told = (all: ReturnType<typeof differencesOf>) =>
  all.map(({ id, change, field, before, after }) => [id, change, field, before?.value, after?.value]);

describe('differences', () => {
  it('are of values, statuses and statements about ground, not of editions', () => {
    const before = places({
      a: { zone: answer('R'), height: answer(1), wet: answer(null, { status: 'absent' }) },
      site: { wet: answer(false, { area: null }) },
    });
    const after = places({
      a: {
        zone: answer('R', { dataset_vintage: '2026', source: 't' }),
        height: answer(2),
        wet: answer(null, { status: 'failed', error: 'no file' }),
      },
      site: { wet: answer(false, { area: { status: 'ok', statistics: null } }) },
    });
    expect(told(differencesOf(['a', 'site', 'nowhere'], before, after, ['zone', 'height', 'wet']))).toEqual([
      ['a', 'changed', 'height', 1, 2],
      ['a', 'changed', 'wet', null, null],
      ['site', 'changed', 'wet', false, false],
    ]);
  });

  it('of a parcel that one release alone has are all that it says', () => {
    const one = places({ a: { zone: answer('R') } });
    const [none, names] = [places({}), ['zone']];
    expect(told(differencesOf(['a'], none, one, names))).toEqual([['a', 'added', 'zone', undefined, 'R']]);
    expect(told(differencesOf(['a'], one, none, names))).toEqual([['a', 'removed', 'zone', 'R', undefined]]);
  });

  it('of a search begin with who entered and left, and say by which field', () => {
    const before = places({
      in: { zone: answer('C'), price: answer(1) },
      came: { zone: answer('R'), price: answer(1) },
      went: { zone: answer('C'), price: answer(1) },
      moved: { zone: answer('C'), price: answer(1) },
    });
    const after = places({
      in: { zone: answer('C'), price: answer(2) },
      came: { zone: answer('C'), price: answer(1) },
      went: { zone: answer('R'), price: answer(1) },
      moved: { zone: answer('C'), price: answer(1) },
      fresh: { zone: answer('C'), price: answer(9) },
    });
    const passing = { before: new Set(['in', 'went']), after: new Set(['in', 'came', 'moved', 'fresh']) };
    const ids = ['in', 'went', 'came', 'moved', 'fresh'];
    expect(told(searchDifferences(ids, passing, [before, after], ['price'], ['zone']))).toEqual([
      ['went', 'left', 'zone', 'C', 'R'],
      ['came', 'entered', 'zone', 'R', 'C'],
      // By its shape alone.
      ['moved', 'entered', null, undefined, undefined],
      ['fresh', 'entered', 'price', undefined, 9],
      ['in', 'changed', 'price', 1, 2],
    ]);
  });
});

it('a release is news where it became current after what was seen, and not on a server that is behind', () => {
  const [A, B, C] = ['20261101-00000000', '20261102-00000000', '20261103-00000000'];
  const at = (day: number) => Date.UTC(2026, 10, day, 12);
  const home = (...releases: string[]) => ({
    status: () => ({ release: releases.at(-1) ?? null }) as never,
    // Each became current at the beginning of the day in its name.
    releaseBy: (moment: string) =>
      releases.filter(id => `${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}` <= moment).at(-1) ?? null,
  });
  expect(newsFor(home(A, B), { release: A, seenAt: at(1) })).toBe(B);
  expect(newsFor(home(A, B), { release: B, seenAt: at(2) })).toBeNull();
  // Another server compared with C, which this one has not got.
  expect(newsFor(home(A, B), { release: C, seenAt: at(3) })).toBeNull();
  expect(newsFor(home(), { release: A, seenAt: at(1) })).toBeNull();
});

it('an event that was stored before an owner was withheld names none', () => {
  const change = (field: string) => ({
    ...{ parcel_id: 'a', change: 'changed', field, files: [] },
    ...{ before: answer('MOE'), after: answer('ROE') },
  });
  const text = JSON.stringify({ total: 2, changes: [change('owner'), change('zoning')] });
  expect(JSON.stringify(eventNow(text, 2, 1))).toBe(text);
  const { changes } = eventNow(text, 1, 1);
  expect(changes.map(({ before, after }) => [before!.value, after!.value])).toEqual([
    [null, null],
    ['MOE', 'ROE'],
  ]);
});

describe('an event', () => {
  const ctx = (release: string) =>
    ({
      release: { id: release, take: () => release },
      engine: { evidence: async () => ({ layers: [{ layer: 'a:b', files: [{ path: release, sha256: release }] }] }) },
    }) as unknown as Ctx;
  const at = [ctx('20261101-00000000'), ctx('20261102-00000000')] as const;
  const limits = { batch: 1, maxCandidates: null, maxEvaluated: null, maxVertices: 1, maxSquareKm: 1 };
  const differences = (count: number, letters = 3) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ id: `pcl_${i}`, change: 'changed' as const, field: 'zoning', point },
      ...{ before: answer('R'), after: answer('C'.repeat(letters)) },
    }));
  const make = (found: ReturnType<typeof differences>, gaps: string[] = []) =>
    eventOf(at, 'w', { of: 'parcels', parcels: [], limits }, '20261101-00000000', {
      ...{ differences: found, gaps, fields: ['zoning'] },
    });

  it('tells a hundred changes with the files that differ, and where the rest is read', async () => {
    const event = (await make(differences(101)))!;
    expect([event.total, event.changes.length]).toEqual([101, 100]);
    expect(event.rest).toBe('/v1/changes?since=20261101-00000000&fields=zoning');
    expect(event.changes[0]!.files).toEqual([
      { layer: 'a:b', before: ['20261101-00000000'], after: ['20261102-00000000'] },
    ]);
    expect((await make(differences(100)))!.rest).toBeNull();
  });

  it('is never longer than a mail carries', async () => {
    const event = (await make(differences(100, 3_000)))!;
    expect(event.changes.length).toBeLessThan(100);
    expect(event.rest).not.toBeNull();
    const { text } = messageOf('a@example.org', event, { catalog: smallCatalog, publicUrl: 'https://x', stop: 'y' });
    expect(Buffer.byteLength(text)).toBeLessThan(74 * 1024);
    expect(text.split('```json')[0]).toContain('parcel pcl_0, zoning: R → CCC');
  });

  it('is none where there is nothing to tell, and tells a gap alone', async () => {
    expect(await make([])).toBeNull();
    expect(await make([], ['it is gone'])).toMatchObject({ total: 0, changes: [], rest: null, gaps: ['it is gone'] });
  });
});
