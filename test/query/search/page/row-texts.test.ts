import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES } from '../../../../datasets/parcel/parcel-attributes.ts';
import { search } from '../../../../query/engine/search-task.ts';
import { JsonBytes } from '../../../../query/format/json-bytes.ts';
import { PositionedFile } from '../../../../query/format/positioned-file.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openReleaseById } from '../../../../query/release/open-release.ts';
import { RowTexts } from '../../../../query/search/page/row-texts.ts';
import type { WrittenPage } from '../../../../query/search/page/written-page.ts';
import type { SearchRequest } from '../../../../query/search/request/request.ts';
import { BUDGET } from '../agreement.ts';
import { textOf } from '../page-text.ts';
import { type SourceParcel, writeParcelRelease } from '../parcel-release.ts';
import { squares } from '../slow.ts';

const reading = vi.spyOn(PositionedFile.prototype, 'readInto');
const readsSoFar = () => reading.mock.calls.length;

const MB = 1 << 20;
const bytes = (text: string) => new TextEncoder().encode(text);

/** The text of a row, or null. */
function textIn(texts: RowTexts, kind: number, row: number): string | null {
  const out = JsonBytes.take();
  try {
    return texts.write(out, kind, row) ? Buffer.from(out.written()).toString() : null;
  } finally {
    out.release();
  }
}

it('answers the last text kept of a row, or none: never one of another row or kind, never one written over', () => {
  const step = fc.record({
    kind: fc.integer({ min: 0, max: 3 }),
    row: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 31 - 1 })),
    length: fc.oneof(
      { weight: 40, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: MB - 2, max: MB + 2 }) },
    ),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), steps => {
      const texts = new RowTexts(2 * MB);
      const kept = new Map<string, string>();
      for (const [i, { kind, row, length }] of steps.entries()) {
        const text = `${kind} ${row} ${i} `.padEnd(length, String(i % 10));
        // One that is too long leaves the one before.
        if (text.length <= MB) kept.set(`${kind} ${row}`, text);
        texts.keep(kind, row, bytes(text));
        for (const one of steps) {
          const found = textIn(texts, one.kind, one.row);
          if (found !== null) expect(found).toBe(kept.get(`${one.kind} ${one.row}`));
        }
        expect(textIn(texts, kind, row)).toBe(kept.get(`${kind} ${row}`) ?? null);
      }
    }),
    { numRuns: 20, seed: 5 },
  );
});

it('answers the same where there are more rows than places for them', () => {
  const texts = new RowTexts(2 * MB);
  const rows = 9_000;
  let found = 0;
  for (let turn = 0; turn < 2; turn++)
    for (let row = 0; row < rows; row++)
      for (let kind = 0; kind < 3; kind++) {
        const text = (at: number) => `${kind} ${at} ${turn}`;
        texts.keep(kind, row, bytes(text(row)));
        expect(textIn(texts, kind, row)).toBe(text(row));
        // A kind beside it, and a row before it, which may have had its place.
        const [other, before] = [textIn(texts, kind + 3, row), row < 99 ? null : textIn(texts, kind, row - 99)];
        expect(other).toBeNull();
        if (before === null) continue;
        expect(before).toBe(text(row - 99));
        found++;
      }
  expect(found).toBeGreaterThan(5 * rows);
});

it('keeps nearly all texts where half of the places have one', () => {
  const texts = new RowTexts(2 * MB);
  // Eight rows side by side of 512 groups anywhere, which is half of 8,192 places.
  const groups = new Set<number>();
  for (let seed = 1; groups.size < 512; seed = (seed * 48_271) % (2 ** 31 - 1)) groups.add(seed >> 3);
  const rows = [...groups].flatMap(group => Array.from({ length: 8 }, (_, i) => group * 8 + i));
  for (const row of rows) texts.keep(1, row, bytes(`${row}`));
  const lost = rows.filter(row => textIn(texts, 1, row) === null).length;
  expect(lost / rows.length).toBeLessThan(0.06);
});

it('has no text of a row for what was never asked of it, wherever that would stand', () => {
  const texts = new RowTexts(2 * MB);
  for (let row = 0; row < 8; row++) texts.keep(0, row, bytes(`of ${row}`));
  for (let kind = 1; kind < 10_000; kind++) expect(textIn(texts, kind, kind % 8)).toBeNull();
  expect(textIn(texts, 0, 5)).toBe('of 5');
});

it('keeps as much as it may, the latest', () => {
  const texts = new RowTexts(2 * MB);
  const text = (row: number) => `${row}`.padEnd(1000, 'x');
  for (let row = 0; row < 10_000; row++) texts.keep(3, row, bytes(text(row)));
  const found = Array.from({ length: 10_000 }, (_, row) => row).filter(row => textIn(texts, 3, row) !== null);
  expect(found[0]).toBeGreaterThan(7_900);
  expect(found.length).toBeGreaterThan(1_040);
  expect(found).toEqual(Array.from({ length: found.length }, (_, i) => 10_000 - found.length + i));
});

const county = (fips: string, parcels: SourceParcel[]) => ({ state: 'ME', fips, place: `p${fips}`, parcels });

let home: string;
let remove: () => void;
beforeAll(async () => {
  const release = await writeParcelRelease([
    county('23009', squares(60, -68, 'a')),
    county('23019', squares(40, -69, 'a')),
  ]);
  ({ home, remove } = release);
  const other = { address: '1 New Street' };
  await writeParcelRelease(
    [county('23009', squares(60, -68, 'a', other)), county('23019', squares(40, -69, 'a'))],
    home,
    'r2',
  );
});
afterAll(() => remove());

const cache = createCache(64);
async function asked(more: Partial<SearchRequest> = {}, id = 'r1', into = cache): Promise<string> {
  const request = {
    filters: { tests: [{ name: 'state', kind: 'state', op: 'eq', operands: ['ME'] }], areas: [] },
    outputs: ['landval', 'geometry', 'county'],
    countyByFips: false,
    limit: 100,
    after: null,
    budget: BUDGET,
    ...more,
  } as SearchRequest;
  const environment = { catalog, cache: into, deadline: Date.now() + 60_000, stopped: () => false };
  const page = (await search(request, { ...environment, release: openReleaseById(home, id) })) as WrittenPage;
  return Buffer.from(textOf(page.matches)).toString();
}

it('a page that was asked for before is the same, and no row of it is read again', async () => {
  const first = await asked();
  expect(JSON.parse(first)).toHaveLength(100);
  const before = readsSoFar();
  expect(await asked()).toBe(first);
  const second = readsSoFar() - before;
  // What was asked once is not kept, what was asked twice is.
  expect(second).toBeGreaterThan(0);
  expect(await asked()).toBe(first);
  expect(readsSoFar() - before).toBe(second);
});

it('what is asked for often stays known beside much that is asked for once', async () => {
  for (let i = 0; i < 3; i++) await asked();
  for (const name of Object.keys(PARCEL_ATTRIBUTES).slice(0, 40)) {
    await asked({ outputs: [name] });
    const before = readsSoFar();
    await asked();
    expect(readsSoFar()).toBe(before);
  }
});

it('takes a bounded share of memory, however much there is', () => {
  expect(RowTexts.of(createCache(64)).bytes).toBeLessThan(5 * MB);
  const huge = createCache(1_000_000);
  expect(RowTexts.of(huge).bytes).toBeLessThan(300 * MB);
  expect(RowTexts.of(huge)).toBe(RowTexts.of(huge));
});

it('other outputs, a county by code and another release are other texts', async () => {
  const alone = (more: Partial<SearchRequest>, id?: string) => asked(more, id, createCache(64));
  const kinds: [Partial<SearchRequest>, string][] = [
    [{}, 'r1'],
    [{ outputs: ['geometry', 'landval', 'county'] }, 'r1'],
    [{ outputs: ['landval', 'county'] }, 'r1'],
    [{ countyByFips: true }, 'r1'],
    [{}, 'r2'],
  ];
  const expected: string[] = [];
  for (const [more, id] of kinds) expected.push(await alone(more, id));
  expect(new Set(expected).size).toBe(kinds.length);
  for (let turn = 0; turn < 4; turn++)
    for (const [i, [more, id]] of kinds.entries()) expect(await asked(more, id)).toBe(expected[i]);
});
