// The parts of an answer that was cut: each fits, together they are the answer and little more, and no name or number is cut.
import { countTokens } from 'gpt-tokenizer';
import { describe, expect, it } from 'vitest';
import { cutToFit } from '../../../server/mcp/view/cut.ts';
import { type Parts, partsOf } from '../../../server/mcp/view/slim.ts';

const LIMITS = [1_000, 2_000, 8_000];
/** What `next` adds to both forms of a part. */
const NEXT = JSON.stringify({
  next: { tool: 'service_rest', arguments: { req: { answer_id: 'ans_0aB1cD2eF3gH' }, max_tokens: 1_000 } },
});
/** Tokens of `cut`, `next` and where an entry goes on, which each part may have beside what is new. */
const OVERHEAD = 160;
const PROSE = 'The place lies outside of all mapped areas; the nearest is told where it is within twenty kilometres. ';

const record = (i: number, more: object = {}) => ({
  value: `041-${118 + i}`,
  unit: i % 3 === 0 ? 'm' : null,
  source: `county_layer_${i % 81}`,
  source_url: `https://example.org/data/layer/${i % 81}`,
  confidence: i % 4 === 0 ? 'medium' : 'high',
  fetched_at: '2026-11-29T10:00:00.000Z',
  dataset_vintage: `city copy of 20${10 + (i % 15)}`,
  ttl_seconds: 86_400,
  notes: i % 4 === 0 ? `${PROSE}${i}` : null,
  status: 'ok',
  interpretation_hints: null,
  ...more,
});
const lacking = (i: number) => ({
  value: null,
  status: 'failed',
  error: `data of it (dataset_${i % 40}:layer_${i % 110}) is not installed in this release`,
  retryable: false,
});
const records = (count: number, lacks: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `nearest_thing_${i}_distance_m`,
      record(
        i,
        i < lacks
          ? lacking(i)
          : i % 60 === 59
            ? { value: null, status: 'failed', error: 'it cannot be read', retryable: true }
            : {},
      ),
    ]),
  );

const PLACE = { lat: 44.8036063, lng: -68.7701654, source: 'address' };
const GEOCODE = {
  ...{ accuracy: 1, accuracy_type: 'rooftop', match_type: 'building_centroid', provider: 'other' },
  ...{ normalized_address: '73 HARLOW ST, BANGOR, ME', parcel_grade: true },
};
const ENRICHED = {
  lat: 44.8036063,
  lng: -68.7701654,
  fetched_at: '2026-11-29T10:00:00.000Z',
  resolved_location: PLACE,
  geocode: GEOCODE,
  parcel_match: {
    status: 'matched',
    parcel: { parcel_id: 'pcl_fRkikfs0xonOZjBJ4UhwaI', apn: '041-118', address: '73 HARLOW ST', match_distance_m: 0 },
    candidates: [],
    reason: null,
  },
  fields: records(400, 250),
  partial_failures: [],
};
const SEARCHED = {
  matches: Array.from({ length: 10 }, (_, i) => ({
    ...{ apn: `R66-00${i}`, address: `${i} STILLWATER AVE`, state: 'ME', county: 'Penobscot', acreage: i / 7 },
    analysis_point: PLACE,
    fields: { state: 'ME' },
    field_status: { state: 'ok' },
    enrichment: { fetched_at: '2026-11-29T10:00:00.000Z', fields: records(200, 90), partial_failures: [] },
  })),
  status: 'limited',
  next_cursor: 'aTyA_xzxCpskgLmVXZmoH0_6HZfDgXRKJvcXUBR0GoKagcQrLxz',
};
const BATCH = {
  results: Array.from({ length: 25 }, (_, index) => ({
    ...{ index, ok: index !== 7, lat: 44.8 + index / 1_000, lng: -68.77 },
    ...(index === 7
      ? { error: { error: 'coord_out_of_bounds', message: 'It lies elsewhere.', retryable: false } }
      : { fields: records(12, 2), partial_failures: [], resolved_location: PLACE }),
  })),
};
const COVERAGE = {
  release: '20261201-dbb26d2f',
  county: '23019',
  parcels: 10_576,
  datasets: Array.from({ length: 40 }, (_, i) => `dataset_${i} city copy of 2013; photo year not stated`),
  lacking: Array.from({ length: 60 }, (_, i) => ({
    reason: `data of it (dataset_${i}) is not installed in this release`,
    fields: Array.from({ length: i === 0 ? 300 : 6 }, (_, n) => `nearest_thing_${i}_${n}_distance_m`).join(' '),
  })),
};
const ASKED = {
  question: 'Is it in a flood zone?',
  answer: 'The place is outside the mapped special flood hazard areas. This is about 73 HARLOW ST, BANGOR, ME.',
  confidence: 'medium',
  citations: Array.from({ length: 4 }, (_, i) => ({
    source: `s${i}`,
    source_url: 'https://example.org/s',
    fields: ['a'],
  })),
  data_gaps: Array.from({ length: 9 }, (_, i) => ({ field: `field_${i}`, status: 'absent', reason: PROSE })),
  trace: { backend: 'embedded', sentences: Array.from({ length: 30 }, () => ({ text: PROSE, fields: ['a'] })) },
};
const LOOKED_UP = {
  disposition: 'resolved',
  parcel: {
    parcel_id: 'pcl_road',
    geometry: { type: 'Polygon', coordinates: [Array.from({ length: 9_000 }, (_, i) => [i / 3, i / 7])] },
  },
  ...{ county_fips: '23019', geocode: GEOCODE, notes: PROSE.repeat(8) },
};
const ANSWERS: Readonly<Record<string, object>> = {
  ...{ enrich: ENRICHED, 'a search with enrich': SEARCHED, 'a batch': BATCH },
  ...{ coverage: COVERAGE, ask: ASKED, 'the look-up of a road': LOOKED_UP },
};

interface Part {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly tokens: number;
}

/** All parts of an answer, each from what the one before has left, as the store keeps it. */
function partsIn(answer: object, most: number): Part[] {
  const all: Part[] = [];
  for (let parts: Parts | null = partsOf(answer, false); parts; ) {
    const { structured, lines, rest } = cutToFit(parts, most);
    const text = lines.join('\n');
    const next = rest === null ? 0 : 2 * countTokens(NEXT);
    all.push({ structured, text, tokens: countTokens(JSON.stringify(structured)) + countTokens(text) + next });
    expect(all.length).toBeLessThan(1_000);
    parts = rest === null ? null : (JSON.parse(JSON.stringify(rest)) as Parts);
  }
  return all;
}

/** Texts and numbers in a value, with names of members. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(value) ? leavesOf(inner) : [key, ...leavesOf(inner)],
  );
}

/** Words of texts: a long text is cut between them. */
const wordsOf = (texts: Iterable<string>) => new Set([...texts].flatMap(text => text.split(' ')));

describe.each(Object.entries(ANSWERS))('the parts of %s', (_, answer) => {
  const whole = partsIn(answer, Number.POSITIVE_INFINITY);

  it.each(LIMITS)('fit %i tokens, say nothing twice and leave nothing out', most => {
    expect(whole).toHaveLength(1);
    const parts = partsIn(answer, most);
    for (const [i, { tokens }] of parts.entries())
      expect(tokens, `part ${i} of ${parts.length}`).toBeLessThanOrEqual(most);
    const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
    expect(sum).toBeLessThanOrEqual(1.3 * whole[0]!.tokens + OVERHEAD * parts.length);
    const said = wordsOf(parts.flatMap(({ structured }) => leavesOf(structured)));
    const missing = [...wordsOf(leavesOf(whole[0]!.structured))].filter(word => !said.has(word));
    expect(missing).toEqual([]);
    const text = wordsOf(parts.flatMap(part => part.text.split(/[\s"{}[\],]+/)));
    for (const id of [
      'pcl_fRkikfs0xonOZjBJ4UhwaI',
      '041-118',
      'rooftop',
      'R66-009',
      'nearest_thing_0_299_distance_m',
      '23019',
    ])
      if (whole[0]!.text.includes(id)) expect(text.has(id), id).toBe(true);
    const cut = parts.flatMap(({ structured }) => leavesOf(structured)).filter(leaf => leaf.endsWith('…'));
    for (const leaf of cut) expect(leaf).toMatch(/^.{150,} …$/s);
  });
});

it('numbers sources on, and says each once', () => {
  const parts = partsIn(BATCH, 2_000);
  const sources = new Map<number, { source: string }>();
  for (const { structured } of parts) {
    for (const [n, source] of Object.entries((structured.sources ?? {}) as Record<string, { source: string }>)) {
      expect(sources.has(Number(n))).toBe(false);
      sources.set(Number(n), source);
    }
    const results = (structured.results ?? []) as { fields?: Record<string, { source: number; value: string }> }[];
    for (const { fields = {} } of results)
      for (const [name, { source }] of Object.entries(fields))
        expect(sources.get(source)!.source).toBe(`county_layer_${Number(/\d+/.exec(name)![0]) % 81}`);
  }
  expect(parts.length).toBeGreaterThan(3);
});

it('an answer in words comes whole and first, its trace last', () => {
  const [first, ...others] = partsIn(ASKED, 1_000);
  expect(first!.structured.answer).toBe(ASKED.answer);
  expect(first!.structured).not.toHaveProperty('trace');
  expect(others.length).toBeGreaterThan(0);
  expect(others.at(-1)!.structured).toHaveProperty('trace');
});

it('an entry that goes on says which one it is', () => {
  const parts = partsIn(SEARCHED, 2_000);
  for (const { structured } of parts.slice(1))
    for (const match of (structured.matches ?? []) as Record<string, unknown>[])
      if (!('analysis_point' in match)) expect(match).toMatchObject({ apn: `R66-00${match.continues}` });
  expect(parts.at(-1)!.structured.next_cursor).toBe(SEARCHED.next_cursor);
});

it('a geometry that was asked for is whole, or left out with the way to it', () => {
  const { structured, rest } = cutToFit(partsOf(LOOKED_UP, true), 2_000);
  const parts = [structured, ...(rest === null ? [] : [cutToFit(rest, 2_000).structured])];
  const shapes = parts.flatMap(({ parcel }) => (parcel as { geometry?: object } | undefined)?.geometry ?? []);
  expect(shapes).toEqual([{ type: 'Polygon', omitted: true, note: expect.stringContaining('max_tokens') }]);
});

it('cuts a single record that is too long between words, and goes on with it', () => {
  const value = 'long words '.repeat(5_000).trim();
  const answer = { fields: { note: record(0, { value, confidence: 'low' }) } };
  const pieces: string[] = [];
  for (let parts: Parts | null = partsOf(answer, false); parts; ) {
    const { structured, lines, rest } = cutToFit(parts, 8_000);
    expect(countTokens(JSON.stringify(structured)) + countTokens(lines.join('\n'))).toBeLessThanOrEqual(8_000);
    const { note } = structured.fields as typeof answer.fields;
    if (note.value !== undefined) pieces.push(String(note.value).replace(/ …$/, ''));
    parts = rest;
  }
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join(' ')).toBe(value);
});

it('keeps the rows of a matrix with their origins', () => {
  const origins = Array.from({ length: 60 }, (_, index) => ({ index, resolved_location: PLACE }));
  const rows = origins.map(({ index }) => Array.from({ length: 50 }, (_, i) => index * 100 + i));
  const { structured, rest } = cutToFit(
    partsOf({ origins, destinations: [], minutes: rows, meters: rows }, false),
    8_000,
  );
  const shown = structured.origins as typeof origins;
  expect(shown.length).toBeGreaterThan(2);
  expect(structured.minutes).toEqual(rows.slice(0, shown.length));
  expect(structured.meters).toEqual(rows.slice(0, shown.length));
  expect(rest!.groups).toHaveLength(60 - shown.length);
});
