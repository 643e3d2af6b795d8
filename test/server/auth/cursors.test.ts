import { expect, it } from 'vitest';
import type { Filters, Test } from '../../../query/search/request/filter.ts';
import { createAccountCursors } from '../../../server/auth/account-cursor.ts';
import { createSeal } from '../../../server/auth/seal.ts';
import { createChangesCursors } from '../../../server/changes/cursor.ts';
import type { Ctx } from '../../../server/context.ts';
import { ServiceError } from '../../../server/errors/registry.ts';
import { createListCursors } from '../../../server/listing/cursor.ts';
import { listPage } from '../../../server/listing/page.ts';
import { createFeatureCursors } from '../../../server/ogc/cursor.ts';
import { createCursorService } from '../../../server/search/cursor.ts';
import type { SearchBody } from '../../../server/search/read.ts';
import type { ListPart, ListPlace } from '../../../server/state/lists/list-place.ts';
import { FakeClock } from '../fake-clock.ts';

const SECRET = 'a secret for tests that is long enough';
const STRANGE = 'it is not one that this service made';
const FOREIGN = 'it belongs to another account';
const LATE = 'it has expired, an hour after it was made';

it('a seal gives back text and bytes, another one each time', () => {
  const seal = createSeal(SECRET, 'a purpose');
  const [one, two] = [seal.close('Brewer Lake, déjà vu'), seal.close('Brewer Lake, déjà vu')];
  expect(one).toMatch(/^[\w-]+$/);
  expect(one).not.toBe(two);
  for (const each of [one, two]) expect(seal.open(each)).toBe('Brewer Lake, déjà vu');
  expect(seal.openBytes(seal.close(Uint8Array.of(0, 255, 128)))).toEqual(Buffer.from([0, 255, 128]));
});

it('a seal opens what a server of before closed with the same secret for the same purpose', () => {
  expect(createSeal(SECRET, 'a purpose').open('Eso1Vo_DCW1BVGySo7yOtrGi9Z7fxx3xoHsPnglLQvzgDbk53g')).toBe('of before');
  expect(createSeal(SECRET, 'another purpose').open('Eso1Vo_DCW1BVGySo7yOtrGi9Z7fxx3xoHsPnglLQvzgDbk53g')).toBeNull();
  expect(createSeal(`${SECRET}!`, 'a purpose').open('Eso1Vo_DCW1BVGySo7yOtrGi9Z7fxx3xoHsPnglLQvzgDbk53g')).toBeNull();
});

it('a seal opens nothing that was changed, shortened, written in another way or never closed', () => {
  const seal = createSeal(SECRET, 'a purpose');
  const closed = seal.close('ab');
  const bytes = Buffer.from(closed, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 1;
    expect(seal.open(changed.toString('base64url')), `byte ${i}`).toBeNull();
    expect(seal.openBytes(changed.toString('base64url'))).toBeNull();
    expect(seal.open(bytes.subarray(0, i).toString('base64url')), `${i} bytes`).toBeNull();
  }
  expect(bytes).toHaveLength(30);
  for (const other of [`${closed}=`, `${closed} `, bytes.toString('base64'), bytes.toString('hex'), '', 'ä'])
    if (other !== closed) expect(seal.open(other)).toBeNull();
  expect(seal.open(seal.close(''))).toBeNull();
  expect(seal.openBytes(`${closed}=`)).toBeNull();
});

const clock = new FakeClock();
/** A place of each kind of list, with the purpose of its cursors and what they hold. */
const position = { state: 'ME', fips: '23019', ord: 4, file: 'f', key: null } as const;
const place = { createdAt: 1_700_000_000_000, id: 'run_b' };
const terms = { account: 'ann', since: 'r-1', state: 'ME', fields: ['b', 'a'] };
const continuation = { to: 'r-2', from: { fips: '23019' } as never };
const behind = { release: 'r-1', after: { ord: 7 } as never };
const nothing: Filters = { tests: [], areas: [] };
const body = (more: Partial<SearchBody> = {}) =>
  ({ filters: nothing, fields: ['apn'], enrich: false, release: null, ...more }) as SearchBody;
const searches = createCursorService(SECRET, clock);
const lists = createListCursors(SECRET, clock);
const changes = createChangesCursors(SECRET, clock);
const features = createFeatureCursors(SECRET, clock);
const KINDS = {
  search: {
    purpose: 'plat search cursor',
    issue: (account: string) => searches.issue(account, body(), position, null),
    judge: (account: string, cursor: string) => {
      const verdict = searches.judge(account, body(), cursor);
      return 'refusal' in verdict ? verdict.refusal : verdict;
    },
    there: { position, release: null },
  },
  list: {
    purpose: 'plat list cursor',
    issue: (account: string) => lists.issue(account, 'runs', { ...place, status: 'done' } as ListPlace),
    judge: (account: string, cursor: string) => lists.judge(account, 'runs', cursor),
    there: place,
  },
  changes: {
    purpose: 'plat changes cursor',
    issue: (account: string) => changes.issue({ ...terms, account }, continuation),
    judge: (account: string, cursor: string) => changes.judge({ ...terms, account }, cursor),
    there: continuation,
  },
  features: {
    purpose: 'plat feature cursor',
    issue: (account: string) => features.issue(account, 'parcels in a box', behind),
    judge: (account: string, cursor: string) => features.judge(account, 'parcels in a box', cursor),
    there: behind,
  },
};

it.each(Object.entries(KINDS))('a cursor of %s is good for its account for an hour, and nowhere else', (_, kind) => {
  const { issue, judge, there, purpose } = kind;
  const began = clock.time;
  const cursor = issue('ann');
  expect(judge('ann', cursor)).toEqual(there);
  expect(judge('bob', cursor)).toBe(FOREIGN);
  for (const other of Object.values(KINDS)) if (other !== kind) expect(other.judge('ann', cursor)).toBe(STRANGE);
  expect(judge('ann', `${cursor}A`)).toBe(STRANGE);
  // Whole seconds count: it was made 678 ms after one.
  clock.time = began - 678 + 3_600_000 - 1;
  expect(judge('ann', cursor)).toEqual(there);
  clock.time++;
  expect(judge('ann', cursor)).toBe(LATE);
  expect(judge('bob', cursor)).toBe(FOREIGN);
  clock.time = began;
  // Servers of one secret take each other's, so what it holds and its purpose are a format.
  const { sub, exp } = JSON.parse(createSeal(SECRET, purpose).open(cursor)!);
  expect({ sub, exp }).toEqual({ sub: 'ann', exp: Math.floor(began / 1000) + 3600 });
});

it('a cursor holds what was put into it, and tells it without whose it is and until when', () => {
  const cursors = createAccountCursors<{ readonly a: number; readonly b: readonly string[] }>(SECRET, 'x', clock);
  expect(cursors.open('ann', cursors.issue('ann', { a: 1, b: ['c'] }))).toEqual({ a: 1, b: ['c'] });
});

it('a cursor of one list goes on with no other', () => {
  const cursor = lists.issue('ann', 'watches', place);
  expect(lists.judge('ann', 'watches', cursor)).toEqual(place);
  expect(lists.judge('ann', 'runs', cursor)).toBe('it goes on with watches');
});

it('a cursor of changes belongs to its terms, whatever the order of their fields', () => {
  const cursor = changes.issue(terms, continuation);
  expect(changes.judge({ ...terms, fields: ['a', 'b'] }, cursor)).toEqual(continuation);
  for (const other of [{ since: 'r-0' }, { state: null }, { fields: ['a'] }, { fields: ['a', 'c'] }])
    expect(changes.judge({ ...terms, ...other }, cursor)).toBe('it was made for another `since`, `state` or `fields`');
});

it('a cursor of features belongs to its question', () => {
  const cursor = features.issue('ann', 'parcels in a box', behind);
  expect(features.judge('ann', 'parcels in another box', cursor)).toBe(
    'it was made for another collection, box or filter',
  );
});

const test = (name: string, op: Test['op'], ...operands: Test['operands'][number][]) =>
  ({ name, op, operands }) as unknown as Test;
const area = (op: string, key: string) => ({ op, key }) as Filters['areas'][number];
const judged = (made: Partial<SearchBody>, asked: Partial<SearchBody>, release: string | null = null) =>
  searches.judge('ann', body(asked), searches.issue('ann', body(made), position, release));

it('a cursor of a search does not mind the order of filters, of fields or within lists, nor what is said twice', () => {
  const [size, town] = [test('acreage', 'gt', 1), test('city', 'in', 'orono', 'bangor')];
  const [inside, outside] = [area('within', 'k1'), area('intersects', 'k2')];
  const made = {
    filters: { tests: [size, town], areas: [inside, outside] } as unknown as Filters,
    fields: ['apn', 'city'],
  };
  for (const asked of [
    { ...made, fields: ['city', 'apn'] },
    { ...made, filters: { tests: [town, size], areas: [outside, inside] } as unknown as Filters },
    { ...made, filters: { tests: [size, town, size], areas: [inside, outside, inside] } as unknown as Filters },
    {
      ...made,
      filters: { tests: [size, test('city', 'in', 'bangor', 'orono')], areas: [inside, outside] } as unknown as Filters,
    },
  ])
    expect(judged(made, asked)).toEqual({ position, release: null });
});

it('a cursor of a search belongs to its filters and fields, each with its operator and operands', () => {
  const made = {
    filters: {
      tests: [test('acreage', 'between', 1, 2), test('city', 'in', 'orono', 'bangor')],
      areas: [area('within', 'k1')],
    } as unknown as Filters,
    fields: ['apn', 'city'],
  };
  const others: readonly (readonly [Test[], unknown[]])[] = [
    [[test('value', 'between', 1, 2), test('city', 'in', 'orono', 'bangor')], made.filters.areas as never],
    [[test('acreage', 'between', 2, 1), test('city', 'in', 'orono', 'bangor')], made.filters.areas as never],
    [[test('acreage', 'eq', 1, 2), test('city', 'in', 'orono', 'bangor')], made.filters.areas as never],
    [[test('acreage', 'between', 1, 2), test('city', 'in', 'orono')], made.filters.areas as never],
    [[test('acreage', 'between', 1, 2), test('city', 'in', 'orono', 'brewer')], made.filters.areas as never],
    [[test('acreage', 'between', 1, 2)], made.filters.areas as never],
    [[...made.filters.tests], []],
    [[...made.filters.tests], [area('intersects', 'k1')]],
    [[...made.filters.tests], [area('within', 'k2')]],
  ];
  const refusal = { refusal: 'it was made for other filters or fields' };
  for (const [tests, areas] of others)
    expect(judged(made, { ...made, filters: { tests, areas } as never }), JSON.stringify([tests, areas])).toEqual(
      refusal,
    );
  expect(judged(made, { ...made, fields: ['apn'] })).toEqual(refusal);
  expect(judged(made, { ...made, enrich: true })).toEqual({
    refusal: 'it was made with another value of `enrich`',
  });
  expect(judged({ ...made, enrich: true }, { ...made, enrich: true })).toEqual({ position, release: null });
  // One that does not say it, as those of before, was made without.
  const { enrich, ...before } = JSON.parse(createSeal(SECRET, KINDS.search.purpose).open(KINDS.search.issue('ann'))!);
  const silent = createSeal(SECRET, KINDS.search.purpose).close(JSON.stringify(before));
  expect(searches.judge('ann', body(), silent)).toEqual({ position, release: null });
  expect(searches.judge('ann', body({ enrich: true }), silent)).toHaveProperty('refusal');
});

it('a search that names a release goes on in the one it was answered from, by either name', () => {
  const made = { release: 'current' };
  for (const release of ['current', 'r-7'])
    expect(judged(made, { release }, 'r-7')).toEqual({ position, release: 'r-7' });
  const refusal = { refusal: 'it was made with another `release`, or without one' };
  expect(judged(made, { release: 'r-8' }, 'r-7')).toEqual(refusal);
  expect(judged(made, { release: null }, 'r-7')).toEqual(refusal);
  expect(judged({}, { release: 'r-7' }, 'r-7')).toEqual(refusal);
  // Without a name, or where nothing tells the release, it goes on in whatever is current.
  expect(judged({}, {}, 'r-7')).toEqual({ position, release: null });
  expect(judged(made, {}, null)).toEqual({ position, release: null });
});

it('a page tells what follows by one entry more than it shows', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => ({ createdAt: 100 - i, id: `run_${i}`, more: i }));
  const asked: ListPart[] = [];
  const read = async (account: string, part: ListPart) => {
    expect(account).toBe('ann');
    asked.push(part);
    const first = part.after ? rows.findIndex(({ id }) => id === part.after!.id) + 1 : 0;
    return rows.slice(first, first + part.limit);
  };
  const ctx = { account: { id: 'ann' } } as Ctx;
  const page = (query: { limit?: string; cursor?: string }) => listPage(ctx, { cursors: lists }, 'runs', query, read);
  const one = await page({});
  expect(one.rows).toEqual(rows.slice(0, 20));
  const two = await page({ cursor: one.next_cursor! });
  expect(two).toEqual({ rows: rows.slice(20), next_cursor: null });
  expect(asked).toEqual([
    { after: null, limit: 21 },
    { after: { createdAt: 81, id: 'run_19' }, limit: 21 },
  ]);
  expect((await page({ limit: '24' })).next_cursor).toEqual(expect.any(String));
  expect(await page({ limit: '25' })).toEqual({ rows, next_cursor: null });
  const refused = page({ cursor: 'x' });
  await expect(refused).rejects.toBeInstanceOf(ServiceError);
  await expect(refused).rejects.toMatchObject({
    code: 'list_cursor_invalid',
    message: expect.stringContaining(STRANGE),
  });
});
