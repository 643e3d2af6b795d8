import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { search } from '../../../query/engine/search-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';
import { type SourceParcel, writeParcelRelease } from '../search/parcel-release.ts';
import { squares } from '../search/slow.ts';

const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const NONE: Test = { name: 'landval', kind: 'number', op: 'gt', operands: [1e9] };

/** A page of parcels with its outline. */
async function page(parcels: SourceParcel[], more: Partial<SearchRequest> = {}, tests: readonly Test[] = []) {
  const release = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels }]);
  try {
    const filters = { tests: [ME, ...tests], areas: [] };
    const plain = { outputs: ['landval'], countyByFips: false, limit: 100, after: null, budget: BUDGET, outline: true };
    const environment = { catalog, cache: createCache(64), deadline: Date.now() + 60_000, stopped: () => false };
    const written = (await search(
      { filters, ...plain, ...more },
      { release: openReleaseById(release.home, 'r1'), ...environment },
    )) as WrittenPage;
    type Match = Record<string, unknown>;
    return { ...written, matches: JSON.parse(Buffer.from(textOf(written.matches)).toString()) as Match[] };
  } finally {
    release.remove();
  }
}

const few = squares(6, -68, 'a');
const withAddress = (count: number, length: number) =>
  squares(count, -68, 'a').map(parcel => ({
    ...parcel,
    properties: { ...parcel.properties, address: 'x'.repeat(length) },
  }));

it('the outline of a page has its first matches as they are without enrichment, where it is asked for', async () => {
  const plain = await page(few);
  expect(plain.outline!.count).toBe(6);
  expect(JSON.parse(plain.outline!.first)).toEqual(plain.matches);
  const enriched = await page(few, { limit: 2, enrich: true });
  expect(enriched.matches.map(({ enrichment }) => typeof enrichment)).toEqual(['object', 'object']);
  expect(enriched.outline!.count).toBe(2);
  expect(JSON.parse(enriched.outline!.first)).toEqual(enriched.matches.map(({ enrichment: _, ...match }) => match));
  expect(await page(few, { outline: false })).not.toHaveProperty('outline');
  expect((await page(few, {}, [NONE])).outline).toEqual({ count: 0, first: '[]' });
});

it('an outline has whole matches of 64 kB at most', async () => {
  const { outline, matches } = await page(withAddress(40, 4_000));
  const first = JSON.parse(outline!.first) as object[];
  expect(outline!.count).toBe(40);
  expect(outline!.first.length).toBeLessThanOrEqual(65_537);
  expect(first.length).toBeGreaterThan(10);
  expect(first).toEqual(matches.slice(0, first.length));
  expect((await page(withAddress(1, 70_000))).outline).toEqual({ count: 1, first: '[]' });
});
