import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { assemblage } from '../../../query/assemblage/assemblage.ts';
import { MOST_GAP_M, readNeighbours } from '../../../query/assemblage/neighbour-file.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { acresOfLargest, filesOf, publishedGroups } from '../../query/assemblage/published-groups.ts';
import { compareWithSamples } from '../../query/assemblage/sampled-neighbours.ts';
import { BUDGET } from '../../query/search/agreement.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';

if (!present) console.warn(MISSING);

const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };

describe('parcels side by side in the real Bangor', { tags: ['published-files'] }, () => {
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-assemblage-'));
    const bangor = builtInPlace('bangor-me');
    const layers = bangor.layers.filter(({ dataset }) => dataset === 'parcel_store');
    await run({ home, sources: SOURCES, place: { ...bangor, layers }, threads: 0, progress: SILENT });
  }, 120_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('are those that a walk along their outlines finds', async () => {
    const [county] = openReleaseById(home, currentId(home)!).layer('parcel_store', 'main')!.partitions;
    const path = filesOf(home, county!);
    const found = readNeighbours(path('neighbours'));
    const { compared, differences } = await compareWithSamples(path('features'), found, MOST_GAP_M, 199);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  }, 60_000);

  it('make the groups that every set of the largest ones makes, the same every time', async () => {
    const release = openReleaseById(home, currentId(home)!);
    const ask = async (least: number, acresMin: number) => {
      const filters: Test[] = [STATE, { name: 'acreage', kind: 'number', op: 'gte', operands: [least] }];
      const request = { acresMin, ownersMax: null, roadM: 30, parcelId: null, limit: 50 };
      const environment = { release, catalog, cache: createCache(256), deadline: Date.now() + 60_000 };
      const answer = await assemblage(
        { filters, outputs: [], countyByFips: false, budget: BUDGET, ...request },
        { ...environment, stopped: () => false },
      );
      if (!('groups' in answer)) throw new Error(JSON.stringify(answer));
      return answer.groups.map(({ acres, parcelIds }) => ({ ids: parcelIds, acres }));
    };
    const least = await acresOfLargest(home, 16);
    const groups = await ask(least, 2.5 * least);
    expect(groups.length).toBeGreaterThan(0);
    expect(groups).toEqual((await publishedGroups(home, least, 2.5 * least, 30)).slice(0, 50));
    expect(await ask(10, 60)).toEqual(await ask(10, 60));
  }, 60_000);
});
