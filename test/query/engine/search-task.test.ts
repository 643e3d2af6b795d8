import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { search } from '../../../query/engine/search-task.ts';
import { TASKS } from '../../../query/engine/tasks.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import type { SearchEnvironment } from '../../../query/search/page/environment.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import { type AreaTest, areaTest, type Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';
import { type SourceParcel, writeParcelRelease } from '../search/parcel-release.ts';
import { band, slowAreas, squares } from '../search/slow.ts';

const county = (fips: string, parcels: SourceParcel[]) => ({ state: 'ME', fips, place: `p${fips}`, parcels });
const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const landval = (op: Test['op'], ...operands: number[]): Test => ({ name: 'landval', kind: 'number', op, operands });
const area = (op: AreaTest['op'], west: number, east: number) =>
  areaTest(op, fromGeoJSON(band(west, east)), 'filters[1].value');

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

describe('status and reason tell the truth', () => {
  it('a page whose last match is the last candidate is complete, though it is full', async () => {
    expect(told(await page(request({ limit: 10 })))).toEqual(['complete', 'exhausted', false, 10]);
    expect(told(await page(request({ limit: 9 })))).toEqual(['limited', 'limit_reached', true, 9]);
  });

  it('the same where columns are scanned: later parcels that do not pass are no candidates', async () => {
    expect(told(await page(request({ limit: 2 }, [landval('gte', 4)])))).toEqual(['complete', 'exhausted', false, 2]);
    expect(told(await page(request({ limit: 1 }, [landval('gte', 4)])))).toEqual(['limited', 'limit_reached', true, 1]);
  });

  it('the same where boxes of an area rule the rest out', async () => {
    const near = area('intersects', -69.5, -68.5);
    expect(told(await page(request({ limit: 4 }, [], [near])))).toEqual(['complete', 'exhausted', false, 4]);
    expect(told(await page(request({ limit: 3 }, [], [near])))).toEqual(['limited', 'limit_reached', true, 3]);
  });

  it('the same where only boundaries rule the rest out', async () => {
    // Triangles, the corner of whose box lies in the area, on both sides of the squares.
    const corners = Array.from({ length: 20 }, (_, i) => -69.2 + i * 0.02 + (i < 10 ? 0 : 0.05));
    const ring = (x: number, [a, b, c]: readonly [number, number][]) =>
      [a!, b!, c!, a!].map(([dx, dy]) => [x + dx / 1000, 44 + dy / 1000] as [number, number]);
    const triangles = corners.map((x, i) => ({
      geometry: fromGeoJSON({
        type: 'Polygon',
        coordinates: [
          ring(x, [
            [0, 0],
            [1, 0],
            [0, 1],
          ]),
        ],
      }),
      properties: { apn: `t-${i}`, county: 'Hancock' },
    }));
    const wanted: Polygonal = {
      type: 'MultiPolygon',
      coordinates: [
        band(-69.0005, -68.99).coordinates as [number, number][][],
        ...corners.map(x => [
          [
            ...ring(x, [
              [0.8, 0.8],
              [1.2, 0.8],
              [1.2, 1.2],
            ]),
          ],
        ]),
      ],
    };
    const home = await writeParcelRelease([county('23009', [...squares(4, -69, 's'), ...triangles])]);
    const [order] = home.order;
    expect(order!.findLastIndex(apn => apn.startsWith('s'))).toBeLessThan(order!.length - 1);
    const asked = (limit: number) => request({ limit }, [], [areaTest('intersects', fromGeoJSON(wanted), 'x')]);
    const got = async (limit: number) => told(await page(asked(limit), 'r1', {}, home.home));
    expect(await got(5)).toEqual(['complete', 'exhausted', false, 4]);
    expect(await got(4)).toEqual(['complete', 'exhausted', false, 4]);
    expect(await got(3)).toEqual(['limited', 'limit_reached', true, 3]);
    // Ceilings of work end that too, and so does time: the page is full all the same.
    const some = { ...asked(4), budget: { ...BUDGET, maxEvaluated: order!.length - 1 } };
    expect(told(await page(some, 'r1', {}, home.home))).toEqual(['limited', 'limit_reached', true, 4]);
    let judged = 0;
    const now = Date.now;
    const deadline = now() + 60_000;
    const onJudged = () => {
      if (++judged === order!.length - 1) Date.now = () => deadline;
    };
    const late = { deadline, onJudged };
    const full = await page(asked(4), 'r1', late, home.home).finally(() => {
      Date.now = now;
    });
    expect(told(full)).toEqual(['limited', 'limit_reached', true, 4]);
    expect(told(await page({ ...asked(4), after: full.next }, 'r1', {}, home.home))).toEqual([
      'complete',
      'exhausted',
      false,
      0,
    ]);
    home.remove();
  });

  it('contradictory states match nothing, completely', async () => {
    const both = [{ ...ME, operands: ['NH'] }];
    expect(told(await page(request({}, both)))).toEqual(['complete', 'exhausted', false, 0]);
  });

  it('a state without parcel data is unavailable, never an empty match', async () => {
    const asked = request();
    const vermont = { ...asked, filters: { tests: [{ ...ME, operands: ['VT'] }], areas: [] } };
    expect(told(await page(vermont))).toEqual(['partial', 'source_unavailable', false, 0]);
    expect(told(await page(asked, 'r1', { release: null }))).toEqual(['partial', 'source_unavailable', false, 0]);
    const both = { ...ME, op: 'in' as const, operands: ['ME', 'VT'] };
    const of = (...tests: Test[]) => page({ ...asked, filters: { tests: [both, ...tests], areas: [] } });
    expect(told(await of())).toEqual(['partial', 'source_unavailable', false, 10]);
    // No county of Vermont has a code of Maine's.
    const county = (code: string): Test => ({ name: 'county', kind: 'county', op: 'eq', operands: [code] });
    expect(told(await of(county('23009')))).toEqual(['complete', 'exhausted', false, 6]);
    expect(told(await of(county('50001')))).toEqual(['partial', 'source_unavailable', false, 0]);
  });

  it('ceilings of work end a page with a cursor that works', async () => {
    for (const budget of [
      { ...BUDGET, maxCandidates: 3 },
      { ...BUDGET, maxEvaluated: 3 },
    ]) {
      const found: unknown[] = [];
      let asked = request({ budget }, [], [area('intersects', -70, -67)]);
      for (let pages = 1; ; pages++) {
        const got = await page(asked);
        found.push(...numbers(got));
        if (got.next === null) {
          expect([pages, got.reason]).toEqual([4, 'exhausted']);
          break;
        }
        expect(told(got)).toEqual(['limited', 'work_limit', true, 3]);
        asked = { ...asked, after: got.next };
      }
      expect(new Set(found).size).toBe(10);
    }
  });

  it('a deadline keeps the matches confirmed by then, and the next page goes on after them', async () => {
    let judged = 0;
    const deadline = Date.now() + 60_000;
    const environment: Partial<SearchEnvironment> = {
      deadline,
      onJudged: () => {
        if (++judged === 3) clock = deadline;
      },
    };
    const now = Date.now;
    let clock: number | null = null;
    Date.now = () => clock ?? now();
    const first = await page(request(), 'r1', environment).finally(() => {
      Date.now = now;
    });
    expect(told(first)).toEqual(['partial', 'timeout', true, 3]);
    const rest = await page(request({ after: first.next }));
    expect(new Set([...numbers(first), ...numbers(rest)]).size).toBe(10);
  });

  it('a county that cannot be read ends the page where it begins; repaired, nothing is missing', async () => {
    const home = await writeParcelRelease([
      county('23009', squares(6, -68, 'c')),
      county('23019', squares(4, -69, 'd')),
    ]);
    const opened = openReleaseById(home.home, 'r1');
    const broken = opened.pathOf(opened.manifest.datasets.parcel_store!.main!.partitions[1]!.files[0]!);
    truncateSync(broken, 1000);
    const got = await page(request(), 'r1', {}, home.home);
    expect(told(got)).toEqual(['partial', 'source_unavailable', true, 6]);
    const again = await page(request({ after: got.next }), 'r1', {}, home.home);
    expect(told(again)).toEqual(['partial', 'source_unavailable', true, 0]);
    expect(again.next).toEqual(got.next);
    home.remove();
  });

  it('rows that were changed after the file was verified are no matches', async () => {
    const home = await writeParcelRelease([county('23009', squares(40, -68, 'c'))]);
    const opened = openReleaseById(home.home, 'r1');
    const rows = opened.pathOf(opened.manifest.datasets.parcel_store!.main!.partitions[0]!.files[0]!);
    const good = readFileSync(rows);
    let judged = 0;
    const onJudged = () => {
      if (++judged === 2)
        writeFileSync(
          rows,
          good.map(byte => (byte === 0x63 ? 0x78 : byte)),
        );
    };
    const [first] = (await page(request(), 'r1', {}, home.home)).matches;
    const got = await page(request(), 'r1', { onJudged, cache: createCache(64) }, home.home);
    // The one that was read before is what it was.
    expect(told(got)).toEqual(['partial', 'source_unavailable', true, 1]);
    expect(got.matches).toEqual([first]);
    home.remove();
  });
});

describe('a match', () => {
  it('has the keys of the interface; values by type; every part of the boundary', async () => {
    const outputs = [
      'landval',
      'updated_at',
      'usecode',
      'geoid',
      'geometry',
      'parcel_boundary_geojson',
      'parcel_geometry_wkt',
      'parcel_area_m2',
      'county',
    ];
    const { matches } = await page(request({ limit: 1, outputs, countyByFips: true }));
    const match = matches[0]!;
    expect(Object.keys(match)).toEqual([
      'apn',
      'address',
      'state',
      'county',
      'city',
      'acreage',
      'source',
      'analysis_point',
      'fields',
      'field_status',
    ]);
    expect(match).toMatchObject({ state: 'ME', county: 'Hancock', address: null, source: 'source_of_p23009' });
    expect(match.analysis_point.method).toBe('parcel_representative_point');
    expect(match.fields).toMatchObject({
      updated_at: '2024-02-29T23:59:59.123Z',
      usecode: null,
      geoid: '23009',
      county: '23009',
    });
    expect(match.fields.parcel_area_m2).toBe(Math.round(Number(match.acreage) * 40468.564224) / 10);
    expect(match.field_status).toMatchObject({ landval: 'ok', usecode: 'absent', geometry: 'ok' });
    const shape = match.fields.geometry as { type: string; coordinates: number[][][] };
    expect(JSON.parse(String(match.fields.parcel_boundary_geojson))).toEqual(shape);
    expect(match.fields.parcel_geometry_wkt).toBe(
      `POLYGON ((${shape.coordinates[0]!.map(position => position.join(' ')).join(', ')}))`,
    );
  });

  it('answers the county by name unless a filter used a code', async () => {
    const { matches } = await page(request({ limit: 1, outputs: ['county'] }));
    expect(matches[0]!.fields.county).toBe('Hancock');
  });
});

it('stops query and kernel within 50 ms of the client going away', async () => {
  const big = await writeParcelRelease([county('23009', squares(4000, -68, 'z'))]);
  const engine = await createEngine({ home: big.home, workers: 1, queue: 4, memoryMb: 64 });
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const gone = new AbortController();
  const within = slowAreas().map(area => areaTest('within', fromGeoJSON(area), 'x'));
  const slow = request({}, [], within);
  const running = engine.search(slow, { deadline: Date.now() + 60_000, signal: gone.signal, progress });
  while (Atomics.load(progress, 0) === 0) await new Promise(resolve => setTimeout(resolve, 1));
  gone.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await new Promise(resolve => setTimeout(resolve, 50));
  const then = Atomics.load(progress, 0);
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(Atomics.load(progress, 0)).toBe(then);
  expect(then).toBeLessThan(4000);
  // The one worker is free for the next request.
  const next = read((await engine.search(request({ limit: 1 }), { deadline: Date.now() + 60_000 })) as WrittenPage);
  expect([next.status, next.reason, next.matches]).toEqual([
    'limited',
    'limit_reached',
    [expect.objectContaining({ apn: expect.any(String) })],
  ]);
  await engine.close();
  big.remove();
});

it('a worker gives the memory of areas back once their search has ended, also where it cannot be made', async () => {
  const environment = { release: openReleaseById(release.home, 'r1'), catalog, cache, onProgress: () => {} };
  for (const stopped of [() => false, () => true]) {
    const near = area('intersects', -69.5, -68.5);
    const asked = request({}, [], [near]);
    await TASKS.search(asked, { ...environment, deadline: Date.now() + 60_000, stopped }).catch(() => null);
    expect(near.geometry.xy.buffer.byteLength).toBe(0);
  }
});
