import { expect, it } from 'vitest';
import type { AcceptedCorrection } from '../../../query/release/corrections/correction-list.ts';
import type { CorrectionMove } from '../../../server/state/corrections/moves.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { describeStores } from '../state/state-stores.ts';

const NEWS: CorrectionMove['news'] = ({ id, accountId }, outcome) => [
  { kind: 'news', key: `${id}:${outcome}`, account: accountId, data: {}, attempts: 1, retryMs: 1, mostMs: 1 },
];
const said = { value: 1, status: 'ok', source: 's', source_url: null, dataset_vintage: null, release: 'r1' } as const;
const rowOf = (id: string, accountId: string, createdAt = 1_000) => ({
  id,
  accountId,
  field: 'elevation',
  value: 17.5,
  place: { lat: 44.8, lng: -68.77, parcel_id: null },
  evidence: { note: 'measured' },
  said,
  callback: null,
  createdAt,
});
const entryOf = (id: string, more: Partial<AcceptedCorrection> = {}): AcceptedCorrection => ({
  correction_id: id,
  field: 'elevation',
  also: [],
  dataset: 'usgs_3dep',
  value: 17.5,
  parcel_id: null,
  lat: 44.8,
  lng: -68.77,
  evidence_url: null,
  accepted_at: '2026-11-26T06:00:00.000Z',
  ...more,
});
const stepOf = (id: string, to: CorrectionMove['to'], entry?: AcceptedCorrection): CorrectionMove => ({
  id,
  to,
  by: 'ada',
  reason: `it is ${to}`,
  now: 2_000,
  news: NEWS,
  ...(entry ? { entry } : {}),
});
const accountIn = async (store: StateStore, email: string) => (await store.openAccount(email, 'free')).id;
const newsIn = async (store: StateStore) =>
  (await store.jobs.jobs({ kind: 'news', limit: 99 })).map(({ key }) => key).sort();

describeStores('corrections', ({ place, open }) => {
  it('are filed up to so many that nobody decided, also by requests side by side, and read by their account', async () => {
    const at = await place();
    const [store, other] = [await open(at), await open(at)];
    const [ann, bob] = [await accountIn(store, 'ann@x'), await accountIn(store, 'bob@x')];
    const filed = await Promise.all(
      Array.from({ length: 6 }, (_, i) => [store, other][i % 2]!.corrections.file(rowOf(`c${i}`, ann, i), 3, 'ann@x')),
    );
    expect(filed.filter(one => one === 'filed')).toHaveLength(3);
    const own = await store.corrections.listOf(ann, { after: null, limit: 9 });
    expect(own.map(({ createdAt }) => createdAt)).toEqual(own.map(({ createdAt }) => createdAt).sort((a, b) => b - a));
    expect(own[0]).toMatchObject({ ...rowOf(own[0]!.id, ann, own[0]!.createdAt), status: 'received', reason: null });
    const [first] = own;
    expect((await store.corrections.listOf(ann, { after: first!, limit: 9 })).map(({ id }) => id)).toEqual(
      own.slice(1).map(({ id }) => id),
    );
    expect(await store.corrections.correctionOf(bob, first!.id)).toBeNull();
    expect(await store.corrections.listOf(bob, { after: null, limit: 9 })).toEqual([]);
    await store.corrections.move(stepOf(first!.id, 'rejected'));
    expect(await store.corrections.file(rowOf('c9', ann), 3, 'ann@x')).toBe('filed');
    expect(await store.corrections.list({ status: 'rejected', limit: 9 })).toMatchObject([{ id: first!.id }]);
  });

  it('take steps in their order alone, and their filer is told of each outcome once', async () => {
    const store = await open(await place());
    const ann = await accountIn(store, 'ann@x');
    await store.corrections.file(rowOf('c1', ann), 9, 'ann@x');
    expect(await store.corrections.move(stepOf('c1', 'superseded'))).toBeNull();
    expect(await store.corrections.move(stepOf('none', 'rejected'))).toBeNull();
    expect(await store.corrections.move(stepOf('c1', 'in_review'))).toMatchObject({
      status: 'in_review',
      reason: null,
    });
    expect(await newsIn(store)).toEqual([]);
    expect(await store.corrections.move(stepOf('c1', 'accepted', entryOf('c1')))).toMatchObject({
      status: 'accepted',
      reason: 'it is accepted',
    });
    expect(await store.corrections.move(stepOf('c1', 'accepted', entryOf('c1')))).toBeNull();
    expect(await newsIn(store)).toEqual(['c1:accepted']);
    expect(await store.corrections.events('c1')).toMatchObject([
      { from: null, to: 'received', actor: 'ann@x' },
      { from: 'received', to: 'in_review', actor: 'ada' },
      { from: 'in_review', to: 'accepted', reason: 'it is accepted' },
    ]);
  });

  it('that are accepted are what answers tell: one of a field and a place, until they are superseded or taken back', async () => {
    const store = await open(await place());
    const ann = await accountIn(store, 'ann@x');
    for (const id of ['c1', 'c2', 'c3']) await store.corrections.file(rowOf(id, ann), 9, 'ann@x');
    const empty = await store.corrections.acceptedStamp();
    await store.corrections.move(stepOf('c1', 'accepted', entryOf('c1')));
    const one = await store.corrections.acceptedStamp();
    await store.corrections.move(stepOf('c2', 'accepted', entryOf('c2', { accepted_at: '2026-11-27T06:00:00.000Z' })));
    expect(new Set([empty, one, await store.corrections.acceptedStamp()]).size).toBe(3);
    expect(await store.corrections.correction('c1')).toMatchObject({ status: 'superseded' });
    expect(await newsIn(store)).toEqual(['c1:accepted', 'c1:superseded', 'c2:accepted']);
    await store.corrections.move(stepOf('c3', 'accepted', entryOf('c3', { parcel_id: 'pcl_x', value: 'ü' })));
    expect((await store.corrections.accepted()).map(({ correction_id: id, value }) => [id, value])).toEqual([
      ['c3', 'ü'],
      ['c2', 17.5],
    ]);
    await store.corrections.move(stepOf('c3', 'rejected'));
    expect((await store.corrections.accepted()).map(({ correction_id: id }) => id)).toEqual(['c2']);
    // It says nothing of who filed it.
    await store.accountRecords.remove(ann, 3_000, 'test');
    expect(await store.corrections.correction('c2')).toBeNull();
    expect(await store.corrections.accepted()).toEqual([entryOf('c2', { accepted_at: '2026-11-27T06:00:00.000Z' })]);
  });

  it('that are told after their filer has gone can be taken back, and end where their source says the same', async () => {
    const store = await open(await place());
    for (const [id, lat] of [
      ['c1', 44.8],
      ['c2', 44.9],
    ] as const) {
      const ann = await accountIn(store, `${id}@x`);
      await store.corrections.file(rowOf(id, ann), 3, `${id}@x`);
      await store.corrections.move(stepOf(id, 'accepted', entryOf(id, { lat })));
      expect(await store.corrections.withdraw(id)).toBe(false);
      await store.accountRecords.remove(ann, 3_000, 'ann');
    }
    const told = async () => (await store.corrections.accepted()).map(({ correction_id: id }) => id);
    expect(await told()).toEqual(['c1', 'c2']);
    expect(await store.corrections.withdraw('c1')).toBe(true);
    expect(await store.corrections.move(stepOf('c2', 'superseded'))).toBeNull();
    expect(await told()).toEqual([]);
  });

  it('are held against each release once', async () => {
    const store = await open(await place());
    await store.corrections.adopt(['c1', 'c2', 'c3'].map((id, i) => entryOf(id, { lat: 44 + i })));
    const due = async (release: string, after = '') =>
      (await store.corrections.unchecked(release, after, 2)).map(({ correction_id: id }) => id);
    expect([await due('r1'), await due('r1', 'c2')]).toEqual([['c1', 'c2'], ['c3']]);
    const claim = async () => (await store.jobs.claim('check'))!;
    await store.jobs.enqueue({ kind: 'check', key: null, account: null, data: {}, attempts: 1, retryMs: 1, mostMs: 1 });
    await store.jobs.finish(await claim(), store.corrections.checked(['c1', 'c3'], 'r1'));
    expect([await due('r1'), await due('r2')]).toEqual([['c2'], ['c1', 'c2']]);
  });

  it('are accepted side by side about one value of one place: one of them counts, and the other is superseded', async () => {
    const at = await place();
    const [store, other] = [await open(at), await open(at)];
    const ann = await accountIn(store, 'ann@x');
    for (let turn = 0; turn < 8; turn++) {
      const ids = [`a${turn}`, `b${turn}`];
      const lat = 40 + turn;
      for (const id of ids) {
        await store.corrections.file({ ...rowOf(id, ann), place: { lat, lng: -68.77, parcel_id: null } }, 99, 'ann@x');
        await store.corrections.move(stepOf(id, 'in_review'));
      }
      const moved = await Promise.all(
        ids.map((id, i) => [store, other][i]!.corrections.move(stepOf(id, 'accepted', entryOf(id, { lat })))),
      );
      expect(moved.map(row => row?.status)).toEqual(['accepted', 'accepted']);
      const statuses = await Promise.all(ids.map(async id => (await store.corrections.correction(id))!.status));
      expect(statuses.sort()).toEqual(['accepted', 'superseded']);
      const accepted = (await store.corrections.accepted()).filter(entry => entry.lat === lat);
      expect(accepted).toHaveLength(1);
    }
  });
});
