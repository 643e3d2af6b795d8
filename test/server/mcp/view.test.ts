import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { pageText } from '../../../query/search/page/written-page.ts';
import { cutToFit } from '../../../server/mcp/view/cut.ts';
import { partsOf } from '../../../server/mcp/view/slim.ts';
import { tokensOf } from '../../../server/mcp/view/token-estimate.ts';
import { inToolWords } from '../../../server/mcp/view/tool-words.ts';
import { type Client, connect } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { type Called, GENERATIONS, type McpClient } from './mcp-clients.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
const LIMITS = [1_000, 8_000, 25_000];

let fixture: Fixture;
let http: Client;
let client: McpClient;
beforeAll(async () => {
  fixture = await openFixture({ catalog, plan: 'scale' });
  http = await connect(fixture);
  client = await GENERATIONS['the SDK of 2026']!(http.base, { authorization: `Bearer ${fixture.token}` });
  // The client checks answers with the schemas of the list.
  await client.tools();
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => fixture.engine.reset());

const tokens = ({ content, structuredContent }: Called) =>
  countTokens(JSON.stringify(structuredContent)) + countTokens(content[0]!.text);

/** A record as HTTP has it. */
const record = (i: number, more: object = {}) => ({
  value: i / 7,
  unit: 'm',
  source: `test:layer_${i % 9}`,
  source_url: `https://example.org/layer/${i % 9}`,
  confidence: 'high',
  fetched_at: `2026-11-29T10:00:0${i % 10}.000Z`,
  dataset_vintage: '2024',
  ttl_seconds: 86_400,
  notes: 'Measured along the ground.',
  status: 'ok',
  interpretation_hints: 'Compare it with that of the next parcel before anything is decided.',
  ...more,
});
const absent = { value: null, status: 'absent', notes: 'No layer covers this place.' };
const failed = { value: null, status: 'failed', notes: null, error: 'the layer could not be read', retryable: true };
const RECORDS = Object.fromEntries(
  Array.from({ length: 500 }, (_, i) => [
    `nearest_thing_${i}_distance_m`,
    record(i, i % 50 === 49 ? failed : i % 6 === 5 ? absent : {}),
  ]),
);
const FAILED = Object.keys(RECORDS).filter(name => RECORDS[name]!.status === 'failed');

/** The engine enriches a parcel with all these records. */
function enriches(records: object): void {
  const failures = Object.entries(records)
    .filter(([, { status }]) => status === 'failed')
    .map(([field, { source, error, retryable }]) => ({ field, source, error, retryable }));
  fixture.engine.enriched = () => ({
    status: 'matched',
    parcel: { parcelId: 'p', apn: '1', address: null, source: 's', matchType: 'contains', metres: 0 } as never,
    enriched: {
      point: PLACE,
      method: 'stored_parcel_centroid',
      source: 's',
      failures,
      fields: new TextEncoder().encode(JSON.stringify(records)),
      outline: new TextEncoder().encode('{}'),
    },
  });
}

/** Calls a tool and goes on by `next` until its end. @returns every answer. */
async function walk(name: string, req: object, beside: object): Promise<Called[]> {
  const answers = [await client.call(name, req, { beside })];
  for (let next = answers[0]!.structuredContent.next; next; next = answers.at(-1)!.structuredContent.next)
    answers.push(
      await client.call(next.tool, next.arguments.req, { beside: { ...next.arguments, req: next.arguments.req } }),
    );
  return answers;
}

describe('a slim answer', () => {
  it('has value, unit, status, confidence and the number of a source, and text and structured part say the same', async () => {
    fixture.engine.answers.set('slope_degrees', { status: 'absent', value: null, notes: 'No terrain here.' });
    const fields = ['elevation', 'county_name', 'slope_degrees'];
    const { structuredContent: full } = await client.call('service_fetch', { ...PLACE, fields });
    const { structuredContent: slim, content } = await client.call(
      'service_fetch',
      { ...PLACE, fields },
      { beside: {} },
    );
    for (const name of fields) {
      const { value, unit, status, confidence, source, ...rest } = slim.fields[name];
      expect({ value, unit, status, confidence }).toEqual({
        value: full.fields[name].value,
        unit: full.fields[name].unit,
        status: full.fields[name].status,
        confidence: full.fields[name].confidence,
      });
      const { source: id, source_url, dataset_vintage } = full.fields[name];
      expect(slim.sources[source]).toMatchObject({ source: id, source_url, dataset_vintage });
      expect(rest).toEqual(status === 'absent' ? { notes: full.fields[name].notes } : {});
      expect(content[0]!.text).toMatch(new RegExp(`^${name}: .*\\[${source}, ${confidence}\\]`, 'm'));
    }
    expect(slim.resolved_location).toEqual(full.resolved_location);
    expect(slim).not.toHaveProperty('next');
  });

  it.each(LIMITS)(
    'of everything known of a parcel fits %i tokens, the failed fields first, and all of it can be read',
    async max_tokens => {
      // A thousand tokens have room for three fields: a walk over all would take a hundred calls.
      const records = max_tokens > 1_000 ? RECORDS : Object.fromEntries(Object.entries(RECORDS).slice(0, 60));
      enriches(records);
      const answers = await walk('service_enrich', PLACE, { max_tokens });
      const read = new Map<string, { value: unknown }>();
      const all: Record<string, { source: string }> = {};
      for (const [i, called] of answers.entries()) {
        expect(called.isError ?? false).toBe(false);
        expect(tokens(called), `answer ${i}`).toBeLessThanOrEqual(max_tokens);
        const {
          fields = {},
          sources = {},
          parcel_match: match,
          partial_failures: failures = [],
        } = called.structuredContent;
        // What stands beside the fields is said once.
        expect(match?.status).toBe(i === 0 ? 'matched' : undefined);
        Object.assign(all, Object.fromEntries(Object.entries(sources)));
        for (const [name, one] of Object.entries<{ value: unknown; source: number; status: string }>(fields)) {
          expect(read.has(name), name).toBe(false);
          read.set(name, one);
          expect(all[one.source]!.source).toBe(RECORDS[name]!.source);
          expect(called.content[0]!.text).toContain(`${name}: `);
        }
        expect(failures.map(({ field }: { field: string }) => field)).toEqual(
          Object.keys(fields).filter(name => FAILED.includes(name)),
        );
        if (i < answers.length - 1) {
          expect(called.structuredContent.cut).toMatch(/^Left: \d+ fields\b/);
          expect(called.content[0]!.text).toContain(called.structuredContent.cut);
        }
      }
      expect([...read.keys()].sort()).toEqual(Object.keys(records).sort());
      for (const [name, { value }] of read) expect(value).toBe(RECORDS[name]!.value);
      if (max_tokens > 1_000)
        expect(Object.keys(answers[0]!.structuredContent.fields)).toEqual(expect.arrayContaining(FAILED));
    },
  );

  it.each(LIMITS)('of ten enriched matches fits %i tokens, and so does a batch of 25', async max_tokens => {
    const match = { apn: '1', address: null, city: null, county: 'Test', state: 'ME', acreage: 2.5 };
    const matches = Array.from({ length: 10 }, (_, i) => ({
      ...match,
      apn: String(i),
      analysis_point: PLACE,
      fields: { state: 'ME' },
      field_status: { state: 'ok' },
      enrichment: { fetched_at: '2026-11-29T10:00:00.000Z', fields: RECORDS, partial_failures: [] },
    }));
    fixture.engine.found = {
      matches: pageText([Buffer.from(JSON.stringify(matches))]),
      status: 'complete',
      reason: 'exhausted',
      next: null,
      outline: { count: 10, first: '[]' },
    };
    const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
    const page = await client.call('service_search', { filters, limit: 10, enrich: true }, { beside: { max_tokens } });
    expect(tokens(page)).toBeLessThanOrEqual(max_tokens);
    expect(page.structuredContent.next.tool).toBe('service_rest');
    expect(page.structuredContent).not.toHaveProperty('next_cursor');

    const locations = Array.from({ length: 25 }, (_, i) => ({ lat: 44 + i / 100, lng: i === 7 ? 0 : -68 }));
    const answers = await walk('service_fetch_batch', { locations, preset: 'boundaries' }, { max_tokens });
    const seen = new Map<number, Set<string>>();
    for (const called of answers) {
      expect(tokens(called)).toBeLessThanOrEqual(max_tokens);
      for (const { index, fields = {} } of called.structuredContent.results ?? [])
        seen.set(index, new Set([...(seen.get(index) ?? []), ...Object.keys(fields)]));
    }
    // What failed comes first of all.
    expect(answers[0]!.structuredContent.results.some(({ ok }: { ok: boolean }) => !ok)).toBe(true);
    expect([...seen.keys()].sort((a, b) => a - b)).toEqual(locations.map((_, i) => i));
    for (const [index, names] of seen)
      expect(names.size, `place ${index}`).toBe(index === 7 ? 0 : catalog.presets.get('boundaries')!.length);
  });

  it('is read on for an hour, without a second charge, by its account alone', async () => {
    const used = async () => (await http.get('/v1/users/me/usage')).json.credits_used as number;
    const locations = Array.from({ length: 25 }, (_, i) => ({ lat: 44 + i / 100, lng: -68 }));
    const { structuredContent: first } = await client.call(
      'service_fetch_batch',
      { locations, preset: 'boundaries' },
      { beside: { max_tokens: 1_000 } },
    );
    const before = await used();
    const { tool, arguments: given } = first.next;
    expect((await client.call(tool, given.req)).structuredContent.results.length).toBeGreaterThan(20);
    expect(await used()).toBe(before);
    const other = await GENERATIONS['the SDK of 2025']!(http.base, {
      authorization: `Bearer ${await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'free'))}`,
    });
    expect((await other.call(tool, given.req)).structuredContent.detail.error).toBe('answer_not_found');
    await other.close();
    fixture.clock.time += 60 * 60 * 1000;
    expect((await client.call(tool, given.req)).structuredContent.detail.error).toBe('answer_not_found');
  });

  it('has no geometry unless it was asked for', () => {
    const road = { type: 'Polygon', coordinates: [Array.from({ length: 5_000 }, (_, i) => [i / 3, i / 7])] };
    const answer = { status: 'resolved', parcel: { apn: '1', geometry: road, geometry_wkt: 'POLYGON ((0 0))' } };
    const { structured, lines } = cutToFit(partsOf(answer, false), 1_000);
    expect(structured).toEqual({ status: 'resolved', parcel: { apn: '1' } });
    expect(lines.join('\n')).not.toContain('POLYGON');
    expect(cutToFit(partsOf(answer, true), 1e9).structured).toEqual(answer);
  });
});

it('refuses another view and other limits', async () => {
  for (const beside of [
    { view: 'short' },
    { max_tokens: 999 },
    { max_tokens: 25_001 },
    { max_tokens: '1000' },
    { limit: 1 },
  ]) {
    const called = await client.call('service_fetch', { ...PLACE, fields: ['elevation'] }, { beside });
    expect([called.isError, called.structuredContent.detail[0].loc]).toEqual([true, ['body', Object.keys(beside)[0]]]);
  }
});

it('estimates tokens from above where an answer has many of them', () => {
  const texts = [
    JSON.stringify(RECORDS),
    JSON.stringify(catalog.fields.get('elevation')),
    'Words of a sentence. '.repeat(50),
  ];
  for (const text of texts) {
    const real = countTokens(text);
    expect(tokensOf(text)).toBeGreaterThanOrEqual(real);
    expect(tokensOf(text)).toBeLessThan(1.6 * real);
  }
});

describe('what a release lacks', () => {
  const lacking = (layer: string) => ({
    ...failed,
    error: `data of it (${layer}) is not installed in this release`,
    retryable: false,
  });
  const unpublished = { ...absent, notes: 'this copy (some_county) lacks it (owner)' };
  const answerOf = (records: Record<string, object>) => ({
    fields: Object.fromEntries(Object.entries(records).map(([name, more], i) => [name, record(i, more)])),
    partial_failures: [],
  });

  it('is told once, by layer and source, where it is more than three names', () => {
    const { structured, lines } = cutToFit(
      partsOf(
        answerOf({
          ...{ a: {}, b: lacking('usgs_3dep'), c: lacking('usgs_3dep'), d: lacking('osm_power:substation') },
          ...{ e: lacking('usgs_3dep'), f: failed, g: unpublished, h: unpublished, i: unpublished, j: unpublished },
        }),
        false,
      ),
      8_000,
    );
    expect(structured.not_installed).toEqual({ usgs_3dep: 'b c e', 'osm_power:substation': 'd' });
    expect(structured.not_published).toEqual({ some_county: 'g h i j' });
    // What failed comes first.
    expect(Object.keys(structured.fields as object)).toEqual(['f', 'a']);
    expect(structured.partial_failures).toEqual([{ field: 'f' }]);
    expect(lines.join('\n')).toContain('"usgs_3dep":"b c e"');
  });

  it('keeps its record where it is few names, or where another place has it', () => {
    const few = answerOf({ a: lacking('x'), b: lacking('x'), c: lacking('x') });
    expect(Object.keys(cutToFit(partsOf(few, false), 8_000).structured.fields as object)).toEqual(['a', 'b', 'c']);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const place = (more: object) => ({ ok: true, ...answerOf(Object.fromEntries(names.map(name => [name, more]))) });
    const { structured } = cutToFit(partsOf({ results: [place(lacking('x')), place({})] }, false), 8_000);
    expect(structured).not.toHaveProperty('not_installed');
    expect((structured.results as { fields: object }[]).map(({ fields }) => Object.keys(fields))).toEqual([
      names,
      names,
    ]);
  });

  it('of very many names is their number', () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`name_${i}`, lacking('x')]));
    expect(cutToFit(partsOf(answerOf(many), false), 8_000).structured.not_installed).toEqual({ x: 70 });
  });
});

it('a count shows three of the parcels where they are more than its preview, and otherwise all', () => {
  const preview = Array.from({ length: 10 }, (_, i) => ({ apn: String(i) }));
  const shown = (count: number) => cutToFit(partsOf({ count, preview }, false), 8_000).structured.preview;
  expect([shown(11), shown(10)]).toEqual([preview.slice(0, 3), preview]);
});

it('a value that was read at another point says where', () => {
  const point = { lat: 44.801, lng: -68.77, method: 'stored_parcel_centroid', source: 's' };
  const read = (lat: number) =>
    cutToFit(partsOf({ lat, lng: -68.77, analysis_point: point, fields: { a: record(0) } }, false), 8_000).structured;
  // A thousandth of a degree of latitude is 111 m there (WGS84).
  expect(read(44.8).analysis_point).toMatchObject({ distance_m: 111, note: expect.stringContaining('111 m from') });
  expect(read(44.801).analysis_point).toEqual(point);
});

it('a page warns of a column without a value in any of its matches', () => {
  const match = (status: string) => ({ fields: { owner: null }, field_status: { owner: status, acreage: 'ok' } });
  const columns = { owner: { source: 's 2020', lack: 'this copy lacks it' }, acreage: { source: 's 2020' } };
  const shown = (...matches: object[]) => cutToFit(partsOf({ matches }, false, { columns }), 8_000).structured;
  expect(shown(match('absent'), match('absent'))).toMatchObject({
    columns,
    warnings: ['No match of this page has a value of owner (this copy lacks it).'],
  });
  expect(shown(match('absent'), match('ok'))).not.toHaveProperty('warnings');
});

it('names of routes and settings become words of tools, and data that look like them stay', () => {
  const words = { 'POST /v1/lookup': 'service_lookup' };
  expect(inToolWords('POST /v1/lookup lists them (PLAT_BODY_LIMIT).', words)).toBe('service_lookup lists them.');
  expect(inToolWords('more than PLAT_BODY_LIMIT', words)).toBe('more than a setting of the server');
  for (const text of ['PLAT_BOOK 12, PLAT_PAGE 7', 'lot 3 (PLAT_MAP)', 'GET /v1/other'])
    expect(inToolWords(text, words)).toBe(text);
});
