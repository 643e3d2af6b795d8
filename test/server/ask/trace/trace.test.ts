import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import { readArea } from '../../../../query/search/page/geojson.ts';
import type { AskResult, Trace } from '../../../../server/ask/schema.ts';
import { screen } from '../../../../server/sites/dossier.ts';
import { siteScreened } from '../../../../server/state/sites.ts';
import { syntheticHome } from '../../../synthetic-home.ts';
import { FakeClock } from '../../fake-clock.ts';
import { type Fixture, openFixture } from '../../service-fixture.ts';
import { square } from '../../sites/site-shapes.ts';

const PLACE = { lat: 43.12494, lng: -70.71829 };
const FIPS = '23999';

let engine: Engine;
let fixture: Fixture;
let site: string;

beforeAll(async () => {
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 100, memoryMb: 256 });
  // A worker of the engine has the time of the machine.
  const clock = new FakeClock();
  clock.time = Date.now();
  fixture = await openFixture({ cache: false, catalog, clock, between: services => ({ ...services, engine }) });
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await engine?.close();
});

const post = async (url: string, body: object, status = 200) => {
  const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
  const response = await fixture.app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
  expect(response.statusCode, response.body).toBe(status);
  return response.json();
};
const traceOf = async (question: string): Promise<Trace> =>
  ((await post('/v1/ask', { ...PLACE, question, include_trace: true })) as AskResult).trace!;

describe('the trace of an answer', () => {
  it.each(['Is it in a flood zone?', 'How was it here in 1995?'])(
    '%s: leads to three questions that are answered here',
    async question => {
      const { follow_ups } = await traceOf(question);
      expect(follow_ups).toHaveLength(3);
      for (const next of follow_ups) {
        expect(next).not.toBe(question);
        const { parts } = await traceOf(next);
        expect([next, parts.map(({ status }) => status)]).toEqual([next, ['answered']]);
        expect(parts[0]!.value).not.toBeNull();
      }
    },
    60_000,
  );

  it('says where a number stands among the parcels of the county, as their columns do', async () => {
    const { parts } = await traceOf('How steep is it in degrees?');
    const [{ value, compared_to: compared }] = parts as [Trace['parts'][number]];
    expect(compared).toMatchObject({ of: 'county', place: FIPS, citation: { source: 'parcel_quantiles' } });
    // The citation has the numbers that the sentence was made from.
    const cited = await fixture.app.inject(compared!.citation.source_url);
    const [row] = cited.json().rows;
    expect(row).toMatchObject({ field: parts[0]!.fields[0], of: 'county', place: FIPS, count: compared!.count });
    const below = row.values.filter((quantile: number) => quantile < (value as number)).length - 1;
    expect(compared!.share).toBe(Math.max(0, below) / 100);
    expect(compared!.text).toMatch(/^(?:steeper|gentler) than \d+ percent of the parcels of the county$/);
  });

  it('compares no text and no yes or no', async () => {
    expect((await traceOf('What is the flood zone?')).parts[0]!.compared_to).toBeNull();
  });
});

describe('the trace of an answer about a site', () => {
  const ask = (question: string) => post('/v1/ask-site', { site_id: site, question, include_trace: true });

  beforeAll(async () => {
    const { state } = fixture;
    const shape = square(0.01, PLACE.lng, PLACE.lat);
    site = (await post('/v1/sites', { site: shape }, 202)).site_id;
    const claim = (await state.jobs.claim('screening'))!;
    const geometry = readArea(shape, 'site', Infinity);
    if ('description' in geometry) throw new Error(geometry.description);
    const services = { engine, catalog, clock: { now: () => Date.now() } };
    const size = { acres: 200, extent: [0, 0, 1, 1] } as const;
    const dossier = await screen(services, geometry, size, new AbortController().signal);
    await state.jobs.finish(claim, await siteScreened(site, JSON.stringify(dossier), 'r1', Date.now()));
  }, 60_000);

  it('has what is asked of the whole polygon, and is there only if it is asked for', async () => {
    const { trace } = await ask('How many acres are wetland?');
    expect(trace).toMatchObject({ backend: 'embedded', input_tokens: 0, dropped: [] });
    const [part] = trace.parts;
    expect(part).toMatchObject({ text: 'How many acres are wetland', status: 'answered', unit: 'acres' });
    expect(part.fields[0]).toBe('within_nwi_wetland');
    expect(part.value).toBeTypeOf('number');
    expect(Object.keys(await post('/v1/ask-site', { site_id: site, question: 'wetland' }))).not.toContain('trace');
  });

  it('leads to three questions that its dossier answers', async () => {
    const { trace } = await ask('What is the average slope?');
    expect(trace.follow_ups).toHaveLength(3);
    for (const next of trace.follow_ups) {
      const { parts } = (await ask(next)).trace;
      expect([next, parts.map(({ status }: { status: string }) => status)]).toEqual([next, ['answered']]);
    }
  });
});
