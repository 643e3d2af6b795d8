import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { ownerIdentity } from '../../../query/suggest/owner-identity.ts';
import { findOwnerParcels, findOwners } from '../../../query/suggest/owners.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { type PublishedRow, publishedRows } from '../sets/published-rows.ts';
import { OTHERS, SAME } from './owner-pairs.ts';

it('takes 200 labelled pairs for one owner or two as their reader does: precision 0.99, recall 0.90 at least', () => {
  expect([SAME.length, OTHERS.length]).toEqual([100, 100]);
  const isOne = ([a, b]: readonly [string, string]) => ownerIdentity(a) === ownerIdentity(b);
  const [right, wrong] = [SAME.filter(isOne).length, OTHERS.filter(isOne).length];
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.99);
  expect(right / SAME.length).toBeGreaterThanOrEqual(0.9);
});

describe('in the synthetic area', () => {
  let release: Release;
  let rows: PublishedRow[];
  beforeAll(async () => {
    const { home } = await syntheticHome();
    release = openReleaseById(home, currentId(home)!);
    rows = await publishedRows(home);
  }, 120_000);

  const cache = createCache(256);
  const environment = () => ({ release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false });
  const SHARED = { filters: [], outputs: ['owner'], countyByFips: false, budget: BUDGET };
  const ALL = { ...SHARED, state: 'ME', fips: null, offset: 0, limit: 100 };
  const inMaine = () => rows.filter(({ fips, owner }) => fips.startsWith('23') && typeof owner === 'string');

  it('adds up what an owner has, and lists it', async () => {
    const by = Map.groupBy(inMaine(), ({ owner }) => ownerIdentity(String(owner)));
    const most = [...by].sort(([, a], [, b]) => b.length - a.length).slice(0, 3);
    expect(most[0]![1].length).toBeGreaterThan(1);
    for (const [identity, theirs] of most) {
      const asked = { ...ALL, name: String(theirs[0]!.owner), exact: true };
      const answer = await findOwners(asked, environment());
      if (!('owners' in answer)) throw new Error('no owners');
      const outlines = new Map(theirs.map(row => [row.fips + row.outline, Number(row.acreage)]));
      expect(answer.owners).toHaveLength(1);
      const [owner] = answer.owners;
      expect(owner).toMatchObject({ identity, parcels: theirs.length });
      expect(new Set(owner!.spellings)).toEqual(new Set(theirs.map(row => String(row.owner).trim())));
      expect(owner!.acres).toBeCloseTo(
        [...outlines.values()].reduce((sum, acres) => sum + acres, 0),
        6,
      );
      expect(owner!.valueUsd).toBeCloseTo(
        theirs.reduce((sum, { parval }) => sum + Number(parval ?? 0), 0),
        4,
      );
      const ids: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const page = await findOwnerParcels({ ...ALL, identity, offset, limit: 2 }, environment());
        if (!('matches' in page)) throw new Error('no parcels');
        ids.push(...(JSON.parse(page.matches) as { parcel_id: string }[]).map(one => one.parcel_id));
        if (!page.more) break;
      }
      expect(ids.toSorted()).toEqual(theirs.map(row => parcelId(String(row.parcel_key))).sort());
    }
  });

  it('finds them by the beginnings of their words, in any order, those with most parcels first', async () => {
    const words = ownerIdentity(String(inMaine()[3]!.owner)).split(' ');
    const name = [...words.slice(1), words[0]!.slice(0, 3)].join(' ');
    const answer = await findOwners({ ...ALL, name, exact: false }, environment());
    if (!('owners' in answer)) throw new Error('no owners');
    expect(answer.owners.map(({ identity }) => identity)).toContain(words.join(' '));
    const counts = answer.owners.map(({ parcels }) => parcels);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it('says where there are no owners to find', async () => {
    const asked = { ...ALL, name: 'smith', exact: false };
    expect(await findOwners({ ...asked, state: 'TX' }, environment())).toMatchObject({ owners: [], lacking: true });
    expect(await findOwners({ ...asked, fips: '23001' }, environment())).toMatchObject({ owners: [], lacking: true });
    const nobody = { ...asked, name: 'zzyzx nobody', exact: true };
    expect(await findOwners(nobody, environment())).toMatchObject({ owners: [], more: false });
  });
});
