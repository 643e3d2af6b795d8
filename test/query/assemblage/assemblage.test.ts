import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { assemblage } from '../../../query/assemblage/assemblage.ts';
import type { AssemblageRequest, ParcelGroup } from '../../../query/assemblage/request.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { type PublishedRow, publishedRows } from '../sets/published-rows.ts';
import { publishedGroups } from './published-groups.ts';

let home: string;
let release: Release;
let rows: PublishedRow[];
beforeAll(async () => {
  ({ home } = await syntheticHome());
  release = openReleaseById(home, currentId(home)!);
  rows = await publishedRows(home);
}, 120_000);

const cache = createCache(256);
const SHARED = { outputs: ['acreage'], countyByFips: false, budget: BUDGET };
const BOTH: Test = { name: 'state', kind: 'state', op: 'in', operands: ['ME', 'NH'] };
const USUAL = { acresMin: 1, ownersMax: null, roadM: 0, parcelId: null, limit: 50 };

async function ask(request: Partial<AssemblageRequest>, deadline = Date.now() + 60_000) {
  const environment = { release, catalog, cache, deadline, stopped: () => false };
  const answer = await assemblage({ ...SHARED, ...USUAL, filters: [BOTH], ...request }, environment);
  if (!('groups' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

const number = (name: string, op: Test['op'], ...operands: number[]): Test => ({ name, kind: 'number', op, operands });

const told = (groups: readonly ParcelGroup[]) => groups.map(({ parcelIds, acres }) => ({ ids: parcelIds, acres }));

describe('groups of the synthetic area', () => {
  it.each([0, 15, 30])('across %i m are those of every set of its larger parcels', async roadM => {
    const sizes = rows.map(row => Number(row.acreage)).sort((a, b) => b - a);
    const least = sizes[24]!;
    const acresMin = sizes[0]! * 1.2;
    const { groups, cut, unread } = await ask({
      ...{ acresMin, roadM, limit: 1_000 },
      filters: [BOTH, number('acreage', 'gte', least)],
    });
    expect([cut, unread]).toEqual([0, false]);
    expect(told(groups)).toEqual(await publishedGroups(home, least, acresMin, roadM));
    if (roadM === 30) expect(groups.length).toBeGreaterThan(3);
  });

  it('keep to all that is asked, for few owners too', async () => {
    const byId = new Map(rows.map(row => [parcelId(String(row.parcel_key)), row]));
    const { groups, ownerless } = await ask({ acresMin: 3, ownersMax: 2, roadM: 20 });
    expect(groups.length).toBeGreaterThan(0);
    for (const { acres, owners, parcelIds, geometry } of groups) {
      const own = parcelIds.map(id => byId.get(id)!);
      expect(own.length).toBeGreaterThan(1);
      expect(new Set(own.map(row => row.fips)).size).toBe(1);
      expect(new Set(own.map(row => String(row.owner).trim()))).toEqual(new Set(owners));
      const grounds = new Map(own.map(row => [row.outline, Number(row.acreage)]));
      expect([...grounds.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(acres, 4);
      expect(acres).toBeGreaterThanOrEqual(3);
      expect(owners.length).toBeLessThanOrEqual(2);
      expect(geometry.parts.length).toBeGreaterThan(0);
    }
    expect(ownerless).toBe(rows.filter(row => !row.owner).length);
    expect(groups.map(({ acres }) => acres)).toEqual(groups.map(({ acres }) => acres).sort((a, b) => a - b));
  });

  it('have one parcel in all of them where that is asked, and are the same every time', async () => {
    const { groups } = await ask({ acresMin: 3, roadM: 20 });
    const wanted = groups[0]!.parcelIds[1]!;
    const about = await ask({ acresMin: 3, roadM: 20, parcelId: wanted });
    expect(about.groups.length).toBeGreaterThan(0);
    for (const { parcelIds } of about.groups) expect(parcelIds).toContain(wanted);
    expect(told((await ask({ acresMin: 3, roadM: 20, parcelId: wanted })).groups)).toEqual(told(about.groups));
    expect(told(about.groups)).toContainEqual(told(groups)[0]);
  });

  it('are none where nobody has so much, and told to be unread where the time is up', async () => {
    expect((await ask({ acresMin: 1e6 })).groups).toEqual([]);
    expect(await ask({ acresMin: 3 }, Date.now() - 1)).toMatchObject({ groups: [], late: true, unread: true });
  });
});
