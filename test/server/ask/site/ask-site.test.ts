import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AreaRecord } from '../../../../query/engine/site/ground-task.ts';
import { anthropicProtocol } from '../../../../server/ask/model/anthropic/protocol.ts';
import { modelBackend } from '../../../../server/ask/model/backend.ts';
import { openaiProtocol } from '../../../../server/ask/model/openai/protocol.ts';
import { areaSentences as sentencesOf } from '../../../../server/ask/site/area-sentences.ts';
import { areaSentencesInSpanish } from '../../../../server/ask/site/area-spanish.ts';
import { askSite } from '../../../../server/ask/site/operation.ts';
import { Gate } from '../../../../server/lease/gate.ts';
import { screen } from '../../../../server/sites/dossier.ts';
import { siteScreened, siteUnscreened } from '../../../../server/state/sites.ts';
import { contextFor, type Fixture, openFixture } from '../../service-fixture.ts';
import { square } from '../../sites/site-shapes.ts';
import { COMPLETIONS, MESSAGES, openLoopback, type Turn } from '../model/loopback.ts';

let fixture: Fixture;
let ready: string;
let building: string;
const headers = (token = fixture.token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const post = (url: string, body: object, token?: string) =>
  fixture.app.inject({ method: 'POST', url, headers: headers(token), payload: JSON.stringify(body) });
const ask = (question: string, site_id = ready, token?: string) => post('/v1/ask-site', { site_id, question }, token);
const used = async () =>
  (await fixture.app.inject({ method: 'GET', url: '/v1/users/me/usage', headers: headers() })).json().credits_used;

const areaSentences = (field: Parameters<typeof sentencesOf>[0], area: AreaRecord, value: unknown = null) =>
  sentencesOf(field, area, { question: 'How much?', statistic: null, value, name: null });
const NONE = { uncovered: 0, without_value: 0, unknown: 0, unmapped: 0 };
const over = (statistics: AreaRecord['statistics'], more: Partial<AreaRecord> = {}): AreaRecord => ({
  ...{ status: 'ok', statistics, source: 'test', source_url: null, dataset_vintage: '2021', confidence: 'high' },
  ...{ notes: null, ...more },
});

beforeAll(async () => {
  fixture = await openFixture({ cache: false, catalog });
  const { engine, clock, state } = fixture;
  engine.answers.set('fema_flood_zone', { status: 'absent', value: null, notes: 'no polygon contains the point' });
  engine.answers.set('slope_percent', { value: 4.5 });
  engine.answers.set('slope_degrees', { value: 2.6 });
  engine.answers.set('nfip_claim_count_tract', { value: 6 });
  engine.answers.set('within_floodplain_polygon', { value: false });
  engine.ground = {
    ...engine.ground,
    areas: {
      within_floodplain_polygon: over({ kind: 'covered', share: 0.1969, acres: 2.76, ...NONE }),
      slope_percent: over({ kind: 'range', min: 0.5, mean: 3.25, max: 11, cells: 90, without_value: 0 }),
      fema_flood_zone: over({
        kind: 'shares',
        shares: [
          { value: 'AE', share: 0.25, acres: 3.5 },
          { value: 'X', share: 0.5, acres: 7 },
        ],
        ...NONE,
      }),
    },
    parcels: {
      ...engine.ground.parcels,
      count: 2,
      acres_on_site: 9,
      parcels: [{ parcel_id: 'p', apn: '12-7', address: null, source: 's', acres: 8, acres_on_site: 6.5 }],
    },
  };
  building = (await post('/v1/sites', { site: square() })).json().site_id;
  ready = building;
  const claim = (await state.jobs.claim('screening'))!;
  const geometry = square() as never;
  const dossier = await screen(
    { engine, catalog, clock },
    geometry,
    { acres: 14, extent: [0, 0, 1, 1] },
    new AbortController().signal,
  );
  await state.jobs.finish(claim, await siteScreened(ready, JSON.stringify(dossier), 'r1', clock.time));
  building = (await post('/v1/sites', { site: square(0.02) })).json().site_id;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.calls.length = 0;
});

describe('a question about a site', () => {
  it('is answered from its dossier, over the whole site, without a fetch', async () => {
    const response = await ask('How steep is it in percent?');
    expect(response.statusCode).toBe(200);
    const body = response.json();
    expect(Object.keys(body)).toEqual([
      ...['site_id', 'question', 'answered_at', 'answer', 'confidence', 'citations', 'fields_used', 'data_gaps'],
    ]);
    expect(body.answer).toContain(
      'Over the whole site the slope is 0.5 percent at least, 3.3 percent on average and 11 percent at most.',
    );
    expect(body.answer).not.toMatch(/interior point|settle/);
    expect(body.site_id).toBe(ready);
    expect(body.fields_used).toContain('slope_percent');
    expect(fixture.engine.calls).toEqual([]);
  });

  it('has a value where the whole has one and the interior point has none', async () => {
    const { answer, data_gaps } = (await ask('flood zone')).json();
    expect(answer).toContain(
      'Over the whole site the FEMA flood zone is X on 50 percent (7 acres), AE on 25 percent (3.5 acres).',
    );
    expect(data_gaps.map((gap: { field: string }) => gap.field)).not.toContain('fema_flood_zone');
  });

  it('has the number of what is counted at its interior point', async () => {
    const { answer, confidence } = (await ask('How many NFIP claims?')).json();
    expect(answer).toContain("At the site's interior point, there are 6 flood insurance claims in the tract.");
    expect(confidence).toBe('high');
  });

  it('knows its size and its parcels', async () => {
    const size = (await ask('How many acres is the site?')).json();
    expect(size.answer).toContain('The area of the site is 14 acres.');
    expect(size.fields_used).toContain('site_acres');
    const parcels = (await ask('How many parcels are on it?')).json();
    expect(parcels.answer).toContain('There are 2 parcels with ground on the site.');
    expect(parcels.answer).toContain('“12-7”: 6.5 acres on the site');
  });

  it('costs 10 credits, and nothing while the site is building or unknown', async () => {
    const before = await used();
    await ask('How steep is it?');
    expect(await used()).toBe(before + 10);
    const waiting = await ask('How steep is it?', building);
    expect([waiting.statusCode, waiting.json().detail.error, waiting.headers['retry-after']]).toEqual([
      409,
      'site_not_ready',
      '2',
    ]);
    expect(waiting.json().detail.retryable).toBe(true);
    expect((await ask('How steep is it?', 'site_00000000000000000000000000000000')).statusCode).toBe(404);
    expect((await ask('How steep is it?', '../etc/passwd')).statusCode).toBe(404);
    expect((await ask('')).statusCode).toBe(422);
    expect(await used()).toBe(before + 10);
  });

  it('is 404 for an account that did not register the site', async () => {
    const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'build'));
    expect((await ask('How steep is it?', ready, other)).json().detail.error).toBe('site_not_found');
  });

  it('of a site that could not be screened is site_failed', async () => {
    const { jobs } = fixture.state;
    const why = 'no release is installed';
    await jobs.fail((await jobs.claim('screening'))!, why, true, siteUnscreened(building, why));
    const response = await ask('How steep is it?', building);
    expect([response.statusCode, response.json().detail.error]).toEqual([409, 'site_failed']);
    expect(response.json().detail.message).toContain('no release is installed');
  });
});

describe.each([MESSAGES, COMPLETIONS])('a site before a model by the protocol of $name', dialect => {
  const question = 'How steep is it in percent?';
  const begun = [['Over the whole site the slope is 3.3 percent on average. ', [0]]] as const;
  const asking = async (turns: Turn[], gate = new Gate(1), signal?: AbortSignal) => {
    await using model = await openLoopback(dialect);
    model.turns = turns;
    const log = { warn: () => {} };
    const settings = { url: model.url, key: 'a key of tests', model: 'test-model', log };
    const protocol =
      dialect.name === 'anthropic' ? anthropicProtocol(catalog, settings) : openaiProtocol(catalog, settings);
    const services = {
      backend: modelBackend(catalog, protocol, log),
      gate,
      limits: { writer: turns.includes('silent') ? 600 : 20_000 },
    };
    const ctx = contextFor(fixture, signal ? { catalog, signal } : { catalog });
    const result = await askSite(ctx, services, { site_id: ready, question }).then(
      answered => ({ answered, code: null }),
      (error: { code?: string }) => ({ answered: null, code: error.code ?? 'gone' }),
    );
    return { ...result, asked: model.asked.length };
  };

  it('is answered by one call, without a fetch, and without what its dossier does not say', async () => {
    const before = await used();
    const { answered, asked } = await asking([{ write: [...begun, ['It is worth $5,000,000.', [0]]] }]);
    expect(answered!.answer).toContain('the slope is 3.3 percent on average.');
    expect(answered!.answer).not.toContain('5,000,000');
    expect([asked, fixture.engine.calls]).toEqual([1, []]);
    expect(await used()).toBe(before + 10);
  });

  it.each<[string, Turn[], string]>([
    ['declines', [{ write: [], end: 'refusal' }], 'ask_question_refused'],
    ['ends too soon', [{ write: begun, end: 'max_tokens' }], 'ask_answer_incomplete'],
    ['breaks off', [{ write: begun, end: 'dropped' }], 'ask_answer_incomplete'],
    ['is limited', [{ status: 429 }], 'ask_upstream_rate_limited'],
    ['is overloaded', [{ status: 529 }, { status: 529 }], 'ask_upstream_error'],
    ['hangs up', ['dropped', 'dropped'], 'ask_upstream_unreachable'],
    ['is silent', ['silent'], 'ask_timeout'],
  ])('costs nothing where the model %s, and lets the next in', async (_, turns, code) => {
    const before = await used();
    const gate = new Gate(1);
    expect((await asking(turns, gate)).code).toBe(code);
    expect(await used()).toBe(before);
    expect(await gate.enter('next', new AbortController().signal)).not.toBeNull();
  });
});

describe('what an area form says', () => {
  it.each([
    [{ kind: 'count', count: 3, unmapped: 0 }, 'On the site itself there are 3.'],
    [{ kind: 'sum', value: 30, count: 2, unmapped: 0 }, 'On the site itself the slope comes to 98 feet (30 meters).'],
    [{ kind: 'max', value: 30, count: 2, unmapped: 0 }, 'On the site itself the slope is 98 feet (30 meters).'],
    [{ kind: 'distance', metres: 0 }, 'The slope meets the site: from the boundary the distance is 0 meters.'],
    [{ kind: 'distance', metres: 12.5 }, 'The slope is 41 feet (13 meters) from the boundary of the site.'],
    [{ kind: 'shares', shares: [], ...NONE }, 'Over the whole site the slope has no value anywhere.'],
  ] as const)('%j', (statistics, sentence) => {
    expect(areaSentences({ title: 'Slope', description: 'Slope.', unit: 'm' }, over(statistics))).toEqual([sentence]);
  });

  it('comes before what lies around the interior point', () => {
    const buildings = { title: 'Building count within 1 km', description: 'Buildings.', unit: 'count' };
    expect(areaSentences(buildings, over({ kind: 'count', count: 1, unmapped: 0 }), 4)).toEqual([
      'On the site itself the number of buildings is 1.',
      'Within 0.62 miles of its interior point there are 4.',
    ]);
  });

  it('is told in Spanish where it is asked so', () => {
    const field = catalog.fields.get('within_nwi_wetland')!;
    const told = (name: string, statistics: Parameters<typeof over>[0], statistic: 'share' | 'most' | null) =>
      areaSentencesInSpanish(catalog.fields.get(name)!, over(statistics), {
        ...{ question: '¿Cuántos acres son?', statistic, value: null, name: null },
      });
    expect(told(field.name, { kind: 'covered', share: 0.031, acres: 154.3, ...NONE }, 'share')).toEqual([
      'De todo el sitio, en 154.3 acres (3.1%) el terreno es un humedal.',
    ]);
    expect(told('nearest_hospital_distance_m', { kind: 'distance', metres: 3218.7 }, null)).toEqual([
      'Desde el límite del sitio, la distancia al hospital más cercano es 2 millas (3.2 km).',
    ]);
    expect(told('building_count_within_1km', { kind: 'count', count: 3, unmapped: 0.5 }, null)).toEqual([
      'En el propio sitio el número de edificios es 3.',
      'De todo el sitio, 50% no está en el mapa de la fuente, y no se sabe nada de esa parte.',
    ]);
  });

  it('gives acres in hundredths, as the dossier does, and first where they are asked for', () => {
    const field = { title: 'Wetland', description: 'Whether the point falls in a wetland.', unit: null };
    const wet = over({ kind: 'covered', share: 0.0308, acres: 154.314, ...NONE });
    const asked = (question: string) =>
      sentencesOf(field, wet, { question, statistic: 'share', value: null, name: null });
    expect(asked('How many acres are wetland?')).toEqual([
      'Of the whole site, 154.31 acres (3.1 percent) lies in a wetland.',
    ]);
    expect(asked('How much is wetland?')).toEqual(['Of the whole site, 3.1 percent (154.31 acres) lies in a wetland.']);
    expect(asked('in hectares')[0]).toContain('62.45 hectares, 154.31 acres');
    const nearly = over({ kind: 'covered', share: 0.9991, acres: 5002.5, ...NONE });
    expect(areaSentences(field, nearly)[0]).toContain('more than 99 percent');
  });

  it('says of how much of the site nothing is said, and why', () => {
    const field = { title: 'Wetland', description: 'Whether the point falls in a wetland.', unit: null };
    const none = { kind: 'covered', share: 0, acres: 0, uncovered: 0.5, without_value: 0, unknown: 0.125 } as const;
    expect(areaSentences(field, over({ ...none, unmapped: 0.375 }))).toEqual([
      'Of the whole site, 0 percent (0 acres) lies in a wetland.',
      'Of the whole site, 38 percent is not mapped by the source, so nothing is known there.',
      'Of the whole site, 13 percent is not known: rows of the source there were rejected or do not tell.',
    ]);
    const shares = [{ value: 'AE', share: 0.25, acres: 3 }];
    expect(
      areaSentences(field, over({ kind: 'shares', shares, ...NONE, uncovered: 0.5, without_value: 0.25 })).slice(1),
    ).toEqual([
      'Of the whole site, 25 percent has no value in the source.',
      'Of the whole site, 50 percent is covered by no area of the source.',
    ]);
    expect(areaSentences(field, over({ kind: 'count', count: 0, unmapped: 0.2 }))[1]).toMatch(
      /20 percent is not mapped/,
    );
    const range = { kind: 'range', min: 1, mean: 2, max: 3, cells: 9, without_value: 0.1 } as const;
    expect(areaSentences(field, over(range))[1]).toMatch(/10 percent has no value/);
    expect(areaSentences(field, over({ kind: 'count', count: 0, unmapped: 1e-5 }))).toHaveLength(1);
    expect(areaSentences(field, over({ ...none, share: 1e-5, unmapped: 0 }))[0]).toMatch(/, less than 0.01 percent \(/);
  });

  const covered = over({ kind: 'covered', share: 0.1969, acres: 2.76, ...NONE });
  it.each([
    ['within_floodplain_polygon', 'lies inside a FEMA special flood hazard area.'],
    ['within_karst_area', 'lies in an area of karst or pseudokarst.'],
    ['within_federal_land', 'lies on federally owned fee land.'],
    ['building_at_point', 'lies under a mapped building footprint.'],
    ['wetland_fraction_of_parcel', 'is covered by NWI wetlands (lakes, rivers and deepwater excluded).'],
    ['sfha_fraction_within_500m', 'lies inside a special flood hazard area.'],
    ['slope_under_5pct_fraction_1km', 'has slope under 5 percent.'],
    ['land_cover_water_fraction_1km', 'is open water.'],
  ])('of the share that %s counts is what it counts', (name, end) => {
    expect(areaSentences(catalog.fields.get(name)!, covered)).toEqual([
      `Of the whole site, 20 percent (2.76 acres) ${end}`,
    ]);
  });

  it('names what it counts for every field of the catalog that has such a share', () => {
    const shares = /^(?:polygon_within|overlap_fraction)$/;
    const fields = [...catalog.fields.values()].filter(
      ({ expression: { op, options } }) => shares.test(op) || options.stat === 'fraction',
    );
    expect(fields.length).toBeGreaterThan(20);
    for (const field of fields)
      expect([field.name, areaSentences(field, covered)[0]]).toEqual([
        field.name,
        expect.stringMatching(/ acres\) (?:lies (?:in|inside|on|under)|is|has) /),
      ]);
  });

  it('says nothing of the interior point beside the part of the site', async () => {
    const { answer } = (await ask('Is it in a floodplain?')).json();
    expect(answer).toContain(
      'Of the whole site, 20 percent (2.76 acres) lies inside a FEMA special flood hazard area.',
    );
    expect(answer).not.toMatch(/does not fall|interior point/);
  });

  it('is said where it is absent or failed', () => {
    const field = { title: 'Slope', description: 'Slope.', unit: 'm' };
    expect(areaSentences(field, over(null, { status: 'absent', notes: 'Not mapped.' }))).toEqual([
      'Over the whole site the slope has no value: Not mapped.',
    ]);
    expect(areaSentences(field, over(null, { status: 'failed' }))[0]).toMatch(/could not be read/);
  });
});
