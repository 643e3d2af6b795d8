import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Notice } from '../../../query/search/page/notices.ts';
import { noMatches } from '../../../query/search/page/written-page.ts';
import { searchTool } from '../../../server/mcp/tools/search.ts';
import { createCursorService } from '../../../server/search/cursor.ts';
import { noticeHeader, noticeTexts } from '../../../server/search/notice-text.ts';
import { contextFor, type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const BODY = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };
const NOTICES: readonly Notice[] = [
  { kind: 'no_value', name: 'owner', counties: ['23019'] },
  { kind: 'no_such_value', name: 'city', value: 'bangör\n\u2028', but: null },
  { kind: 'no_such_value', name: 'zoning', value: 'urd', but: 'URD' },
];
const page = (notices?: readonly Notice[]) => ({
  ...{ matches: noMatches(), status: 'complete' as const, reason: 'exhausted' as const, next: null },
  ...(notices ? { notices } : {}),
});

const post = () =>
  fixture.app.inject({
    method: 'POST',
    url: '/v1/search',
    headers: { authorization: `Bearer ${fixture.token}` },
    payload: BODY,
  });

it('stand in a header in ASCII, and change no key of the body', async () => {
  fixture.engine.lacks = { owner: 'county_parcels does not publish owner' };
  fixture.engine.found = page(NOTICES);
  const { statusCode, headers, body } = await post();
  expect(statusCode).toBe(200);
  expect(headers['x-service-notice']).toBe(
    'No parcel searched has a value of owner (county_parcels does not publish owner): none can pass a filter of it. No parcel searched has city "bang\\u00f6r\\n\\u2028". No parcel searched has zoning "urd"; "URD" differs by case only.',
  );
  expect(Object.keys(JSON.parse(body))).toEqual([
    'matches',
    'status',
    'completion_reason',
    'request_id',
    'next_cursor',
  ]);
  fixture.engine.found = page();
  expect((await post()).headers['x-service-notice']).toBeUndefined();
});

it('are short, whatever was sent', () => {
  const long = Array.from({ length: 8 }, () => ({
    kind: 'no_such_value' as const,
    name: 'owner',
    value: '😀'.repeat(999),
    but: null,
  }));
  const texts = noticeTexts(long, () => null);
  for (const text of texts) expect(text.length).toBeLessThan(150);
  const header = noticeHeader(texts);
  expect(header).toHaveLength(1_000);
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  const none = (counties: readonly string[]) =>
    noticeTexts([{ kind: 'no_value', name: 'owner', counties }], (_, county) => `the copy of ${county} lacks it`)[0];
  expect(none(['23019'])).toContain('owner (the copy of 23019 lacks it):');
  expect(none(['23019', '11001'])).toContain('owner: none can pass');
  expect(noticeTexts([{ kind: 'not_calculated', name: 'elevation' }], () => null)[0]).toMatch(
    /^elevation is not calculated yet/,
  );
  expect(noticeTexts([{ kind: 'no_county' }], () => null)).toEqual([expect.stringMatching(/no parcels of a county/)]);
});

it('are told to tools as well', async () => {
  fixture.engine.found = { ...page(NOTICES.slice(0, 1)), outline: { count: 0, first: '[]' } };
  const cursors = createCursorService('x'.repeat(32), fixture.clock);
  const services = {
    search: { cursors, batch: 1_000, maxCandidates: null, maxEvaluated: null, maxVertices: 10, maxSquareKm: 10 },
  };
  const { text } = await searchTool.forms[0]!.answer({ ctx: contextFor(fixture), services } as never, BODY as never);
  expect(text).toMatch(/^0 parcels; complete \(exhausted\)\.\nNo parcel searched has a value of owner/);
});
