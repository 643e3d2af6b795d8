import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { search } from '../../../query/engine/search-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import type { SearchEnvironment } from '../../../query/search/page/environment.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import type { AreaTest, Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';
import { type SourceParcel, writeParcelRelease } from '../search/parcel-release.ts';
import { squares } from '../search/slow.ts';

const county = (fips: string, parcels: SourceParcel[]) => ({ state: 'ME', fips, place: `p${fips}`, parcels });
const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const landval = (op: Test['op'], ...operands: number[]): Test => ({ name: 'landval', kind: 'number', op, operands });

let release: Awaited<ReturnType<typeof writeParcelRelease>>;
beforeAll(async () => {
  release = await writeParcelRelease([county('23009', squares(6, -68, 'a')), county('23019', squares(4, -69, 'b'))]);
});
afterAll(() => release.remove());

let cache = createCache(64);
beforeEach(() => {
  cache = createCache(64);
});

const request = (more: Partial<SearchRequest> = {}, tests: Test[] = [], areas: AreaTest[] = []): SearchRequest => ({
  filters: { tests: [ME, ...tests], areas },
  outputs: [],
  countyByFips: false,
  limit: 100,
  after: null,
  budget: BUDGET,
  ...more,
});

const ask = (asked: SearchRequest, id = 'r1', more: Partial<SearchEnvironment> = {}, home = release.home) =>
  search(asked, {
    release: openReleaseById(home, id),
    catalog,
    cache,
    deadline: Date.now() + 60_000,
    stopped: () => false,
    ...more,
  });

interface Page extends Omit<WrittenPage, 'matches'> {
  // biome-ignore lint/suspicious/noExplicitAny: what a match is, the API description says
  readonly matches: Record<string, any>[];
}
const read = ({ matches, ...rest }: WrittenPage): Page => ({
  ...rest,
  matches: JSON.parse(Buffer.from(textOf(matches)).toString()),
});
const page = async (...of: Parameters<typeof ask>) => read((await ask(...of)) as WrittenPage);
const told = ({ status, reason, next, matches }: Page) => [status, reason, next !== null, matches.length];
const numbers = ({ matches }: Page) => matches.map(match => match.apn);

describe('a cursor goes on in a later release', () => {
  it('after the parcel it ended with, whether rows came, went, or that parcel itself is gone', async () => {
    const parcels = squares(40, -68, 'e');
    const first = await writeParcelRelease([county('23009', parcels)]);
    const half = await page(request({ limit: 20 }), 'r1', {}, first.home);
    const seen = numbers(half);
    const rest = (await page(request({ after: half.next }), 'r1', {}, first.home)).matches.map(match => match.apn);
    const last = String(seen.at(-1));
    const without = (gone: (apn: string) => boolean) =>
      parcels.filter(({ properties }) => !gone(String(properties.apn)));
    await writeParcelRelease(
      [
        county(
          '23009',
          without(apn => apn === seen[0]),
        ),
      ],
      first.home,
      'r2',
    );
    expect(numbers(await page(request({ after: half.next }), 'r2', {}, first.home))).toEqual(rest);
    await writeParcelRelease(
      [
        county(
          '23009',
          without(apn => apn === last),
        ),
      ],
      first.home,
      'r3',
    );
    expect(numbers(await page(request({ after: half.next }), 'r3', {}, first.home))).toEqual(rest);
    first.remove();
  });
});

describe('long requests', () => {
  it('lists of thousands of operands of every kind keep stored order', async () => {
    const many = (own: number[]) => [...Array.from({ length: 20_000 }, (_, i) => i + 100.5), ...own];
    const days = Array.from({ length: 3000 }, (_, i) => i * 86_400_000);
    const tests: Test[] = [
      landval('in', ...many([4, 1, 3])),
      { name: 'apn', kind: 'string', op: 'in', operands: [...many([]).map(String), 'a-4', 'b-1', 'a-1', 'b-3'] },
      { name: 'updated_at', kind: 'timestamp', op: 'in', operands: [...days, Date.UTC(2024, 1, 29, 23, 59, 59, 123)] },
      { name: 'stack_count', kind: 'integer', op: 'in', operands: Array.from({ length: 100 }, (_, i) => i) },
    ];
    const got = await page(request({}, tests));
    expect(told(got)).toEqual(['complete', 'exhausted', false, 4]);
    const all = numbers(await page(request()));
    expect(numbers(got)).toEqual(all.filter(apn => ['a-4', 'b-1', 'a-1', 'b-3'].includes(String(apn))));
  });

  it('thousands of filters', async () => {
    const tests = Array.from({ length: 3000 }, (_, i) => landval('gt', i / 3000));
    expect(told(await page(request({}, tests)))).toEqual(['complete', 'exhausted', false, 8]);
  });
});
