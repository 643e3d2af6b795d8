import { beforeEach, expect, it } from 'vitest';
import type { Filing, Move } from '../../../server/state/field-requests/records.ts';
import { statesBefore } from '../../../server/state/field-requests/states.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { describeStores } from './state-stores.ts';

describeStores('field requests', kind => {
  let store: StateStore;
  let other: StateStore;
  let accountId: string;
  beforeEach(async () => {
    const place = await kind.place();
    store = await kind.open(place);
    other = await kind.open(place);
    accountId = (await store.openAccount('someone@example.org', 'build')).id;
  });

  const filing = (id: string, more: Partial<Filing> = {}): Filing => ({
    id,
    accountId,
    keyHash: null,
    bodyHash: 'a',
    callback: null,
    contextBlob: null,
    now: 1_000,
    body: { description: 'a thing', example_locations: [{ lat: 44.8, lng: -68.7 }] },
    locations: [{ index: 0, resolved_location: { lat: 44.8, lng: -68.7, source: 'coordinate' } }],
    by: 'someone',
    ...more,
  });
  const move = (id: string, to: Move['to'], more: Partial<Move> = {}) =>
    store.fieldRequests.move({ id, from: statesBefore(to), to, by: 'test', reason: 'because', now: 2_000, ...more });
  const queue = async (id: string, now: number, on = store) => {
    await on.fieldRequests.file(filing(id, { now }));
    await move(id, 'screening', { now });
    return move(id, 'queued', { now, promise: ahead => 1_000_000 + ahead });
  };

  it('are kept with any characters in them, and read by their account alone', async () => {
    const contextBlob = 'null \u0000, half \ud800, é';
    const body = { description: 'nul \u0000', example_locations: [] };
    const filed = await store.fieldRequests.file(filing('fr_a', { contextBlob, body }));
    expect(filed).toMatchObject({
      filed: true,
      row: { id: 'fr_a', status: 'received', contextBlob, queuePosition: null },
    });
    expect((await other.fieldRequests.request(accountId, 'fr_a'))?.contextBlob).toBe(contextBlob);
    expect(await other.fieldRequests.body('fr_a')).toEqual(body);
    const stranger = await store.openAccount('stranger@example.org', 'build');
    expect(await store.fieldRequests.request(stranger.id, 'fr_a')).toBeNull();
    expect(await store.fieldRequests.request(accountId, 'fr_b')).toBeNull();
    expect(await store.fieldRequests.body('fr_b')).toBeNull();
  });

  it('are one under one key, however many file at once; the first blob stays and the last callback', async () => {
    const filings = Array.from({ length: 8 }, (_, i) =>
      [store, other][i % 2]!.fieldRequests.file(filing(`fr_${i}`, { keyHash: 'k', contextBlob: `blob ${i}` })),
    );
    const results = await Promise.all(filings);
    const rows = results.map(result => (typeof result === 'string' ? null : result.row.id));
    expect(new Set(rows).size).toBe(1);
    expect(results.filter(result => typeof result !== 'string' && result.filed)).toHaveLength(1);
    const first = await store.fieldRequests.find(rows[0]!);
    expect(first?.contextBlob).toBe(`blob ${rows[0]!.slice(3)}`);
    const callback = { webhook_url: 'https://example.org/b' };
    const key = { ...filing('x', { keyHash: 'k', contextBlob: 'late', callback }), now: 3_000 };
    expect(await store.fieldRequests.replay(key)).toMatchObject({
      row: { id: rows[0], callback, contextBlob: first!.contextBlob, updatedAt: 3_000 },
    });
    expect(await store.fieldRequests.replay({ ...key, bodyHash: 'b' })).toBe('reused');
    expect(await store.fieldRequests.file({ ...key, id: 'fr_x', body: {}, locations: [], by: '', bodyHash: 'b' })).toBe(
      'reused',
    );
    expect(await store.fieldRequests.replay({ ...key, keyHash: 'other' })).toBeNull();
    expect(await store.fieldRequests.replay({ ...key, keyHash: null })).toBeNull();
    const stranger = await store.openAccount('stranger@example.org', 'build');
    expect(await store.fieldRequests.replay({ ...key, accountId: stranger.id })).toBeNull();
  });

  it('a blob that comes first with a replay is the first', async () => {
    await store.fieldRequests.file(filing('fr_a', { keyHash: 'k' }));
    for (const contextBlob of ['one', 'two'])
      expect(await store.fieldRequests.replay(filing('x', { keyHash: 'k', contextBlob }))).toMatchObject({
        row: { contextBlob: 'one' },
      });
  });

  it('take only steps that may be taken, each written down; one that may not changes nothing', async () => {
    await store.fieldRequests.file(filing('fr_a'));
    expect(await move('fr_a', 'queued')).toBeNull();
    expect(await move('fr_a', 'screening', { waitingOn: 'operator' })).toMatchObject({ waitingOn: 'operator' });
    expect(await move('fr_a', 'matched', { now: 5_000, reason: 'found' })).toMatchObject({
      status: 'matched',
      settledAt: 5_000,
      waitingOn: null,
    });
    expect(await move('fr_a', 'blocked')).toBeNull();
    expect(await move('nowhere', 'screening')).toBeNull();
    expect(await store.fieldRequests.events('fr_a')).toEqual([
      { seq: 1, at: 1_000, actor: 'someone', from: null, to: 'received', reason: 'filed' },
      { seq: 2, at: 2_000, actor: 'test', from: 'received', to: 'screening', reason: 'because' },
      { seq: 3, at: 5_000, actor: 'test', from: 'screening', to: 'matched', reason: 'found' },
    ]);
  });

  it('are taken by one of many', async () => {
    await queue('fr_a', 1_000);
    const claims = Array.from({ length: 8 }, (_, i) =>
      [store, other][i % 2]!.fieldRequests.move({
        id: 'fr_a',
        from: statesBefore('claimed'),
        to: 'claimed',
        by: `runner ${i}`,
        reason: '',
        now: 2_000,
      }),
    );
    expect((await Promise.all(claims)).filter(row => row !== null)).toHaveLength(1);
    expect(await store.fieldRequests.events('fr_a')).toHaveLength(4);
  });

  it('wait in the order in which they were accepted, and are promised once', async () => {
    const ids = ['fr_c', 'fr_a', 'fr_d', 'fr_b'];
    for (const [i, id] of ids.entries())
      expect(await queue(id, 1_000 + i)).toMatchObject({ queuePosition: i + 1, estimatedReadyAt: 1_000_000 + i });
    const positions = async () => Promise.all(ids.map(async id => (await other.fieldRequests.find(id))!.queuePosition));
    expect(await positions()).toEqual([1, 2, 3, 4]);
    await move('fr_c', 'claimed');
    expect(await positions()).toEqual([0, 1, 2, 3]);
    await move('fr_a', 'blocked');
    expect(await positions()).toEqual([0, null, 1, 2]);
    await move('fr_c', 'building');
    // Given back it has its old place and its old promise.
    expect(await move('fr_c', 'queued', { promise: () => 9 })).toMatchObject({
      queuePosition: 1,
      estimatedReadyAt: 1_000_000,
    });
    expect(await positions()).toEqual([1, null, 2, 3]);
    expect((await store.fieldRequests.list({ status: 'queued', limit: 2 })).map(({ id }) => id)).toEqual([
      'fr_c',
      'fr_d',
    ]);
    expect(await store.fieldRequests.list({ limit: 10 })).toHaveLength(4);
  });

  it('have places 1 to n at every moment while they come and go', async () => {
    const ids = Array.from({ length: 6 }, (_, i) => `fr_${i}`);
    const coming = ids.map((id, i) => queue(id, 1_000 + i, [store, other][i % 2]));
    const seen: number[][] = [];
    const watching = (async () => {
      for (let i = 0; i < 10; i++) {
        const queued = await other.fieldRequests.list({ status: 'queued', limit: 10 });
        seen.push(queued.map(row => row.queuePosition!));
      }
    })();
    await Promise.all([...coming, watching]);
    await Promise.all([move('fr_1', 'claimed'), move('fr_3', 'blocked')]);
    for (const places of [
      ...seen,
      (await store.fieldRequests.list({ status: 'queued', limit: 10 })).map(row => row.queuePosition!),
    ])
      expect(places).toEqual(places.map((_, i) => i + 1));
  });

  it('of one account push the first of another by one place; promises count what stands before', async () => {
    const other = (await store.openAccount('other@example.org', 'free')).id;
    const third = (await store.openAccount('third@example.org', 'free')).id;
    let now = 1_000;
    const ticket = async (id: string, owner: string) => {
      now += 1;
      await store.fieldRequests.file(filing(id, { now, accountId: owner }));
      await move(id, 'screening', { now });
      const row = (await move(id, 'queued', { now, promise: ahead => ahead }))!;
      expect(row.queuePosition).toBe(row.estimatedReadyAt! + 1);
      return row.queuePosition;
    };
    const order = async () =>
      (await store.fieldRequests.list({ status: 'queued', limit: 99 })).map(({ id, queuePosition }) => {
        return `${id} ${queuePosition}`;
      });
    for (let i = 1; i <= 20; i++) expect(await ticket(`fr_flood_${String(i).padStart(2, '0')}`, accountId)).toBe(i);
    expect(await ticket('fr_other_1', other)).toBe(2);
    expect(await ticket('fr_third_1', third)).toBe(3);
    expect(await ticket('fr_other_2', other)).toBe(5);
    const first = ['fr_flood_01 1', 'fr_other_1 2', 'fr_third_1 3', 'fr_flood_02 4', 'fr_other_2 5', 'fr_flood_03 6'];
    expect((await order()).slice(0, 6)).toEqual(first);
    // What is worked on, and what ends, gives its account no turn before others.
    await move('fr_flood_01', 'claimed');
    expect((await order())[0]).toBe('fr_other_1 1');
    await move('fr_flood_01', 'blocked');
    expect((await order()).slice(0, 3)).toEqual(['fr_other_1 1', 'fr_third_1 2', 'fr_flood_02 3']);
    // Who comes when the queue has gone on has the turn that it has come to, not one before all others.
    await move('fr_other_1', 'claimed');
    await move('fr_third_1', 'claimed');
    const late = (await store.openAccount('late@example.org', 'free')).id;
    expect(await ticket('fr_late_1', late)).toBe(3);
    expect((await order()).slice(0, 4)).toEqual(['fr_flood_02 1', 'fr_other_2 2', 'fr_late_1 3', 'fr_flood_03 4']);
    // What was promised stays.
    expect((await store.fieldRequests.find('fr_flood_20'))!.estimatedReadyAt).toBe(19);
  });

  it('are filed up to the limit of open ones, however many servers file at once', async () => {
    const filings = Array.from({ length: 12 }, (_, i) =>
      [store, other][i % 2]!.fieldRequests.file(filing(`fr_${i}`, { mostOpen: 5, keyHash: `k${i}` })),
    );
    const results = await Promise.all(filings);
    expect(results.filter(result => result === 'limited')).toHaveLength(7);
    expect(await store.fieldRequests.open(accountId)).toBe(5);
    const filed = results.findIndex(result => result !== 'limited');
    const again = filing('fr_x', { mostOpen: 5, keyHash: `k${filed}` });
    expect(await store.fieldRequests.file(again)).toMatchObject({ filed: false, row: { id: `fr_${filed}` } });
  });
});
