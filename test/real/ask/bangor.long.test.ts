import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { embeddedBackend } from '../../../server/ask/embedded/backend.ts';
import { askPlace } from '../../../server/ask/operation.ts';
import type { AskResult } from '../../../server/ask/schema.ts';
import { Gate } from '../../../server/lease/gate.ts';
import { faultsOf } from '../../server/ask/write/voice.ts';
import { languageHere } from '../../server/language/language-here.ts';
import { contextFor, type Fixture, openFixture } from '../../server/service-fixture.ts';
import { type Bangor, ingestBangor, MISSING, present } from '../bangor.ts';

if (!present) console.warn(MISSING);

/** What people ask of a house, a lot or a farm, each at another place of the city. */
const QUESTIONS = [
  ...['Does it flood here?', 'Do I need flood insurance?', 'How far is the nearest flood zone?', 'Is it in a wetland?'],
  ...['What is the zoning?', 'What could be built here?', 'Who owns the lot?', 'How big is the lot in acres?'],
  ...['What is the parcel worth?', 'When was it last sold?', 'Is the parcel more than 1 acre?', 'What is the address?'],
  ...[
    'Is there a building on it?',
    'How many buildings are nearby?',
    'What is the soil called?',
    'Does the soil drain well?',
  ],
  ...['Can I put a septic system here?', 'How deep is the bedrock?', 'Is it prime farmland?', 'How far is the stream?'],
  ...['Which stream is nearest?', 'How far is the railroad?', 'How far is the nearest park?', 'Is it in the city?'],
  ...['Which county is it in?', 'How steep is the ground?', 'How high is it above sea level?', 'Is it near the coast?'],
  ...['How far is the nearest hospital in miles?', 'Which is closer, the park or the railroad?'],
  ...[
    'Are there natural hazards?',
    'Is it good for solar?',
    'How far is the nearest antenna?',
    'What is the land cover?',
  ],
  ...['How far is the interstate, and from which year is the map?', 'Is there public sewer?', 'Is it federal land?'],
  ...['¿Está en zona de inundación?', '¿Quién es el dueño?', '¿Qué tan lejos está el arroyo?'],
];
/** Where the surveyed zone is 0.1 m from another, at an accuracy of 12 m. */
const EDGE = { lat: 44.8016, lng: -68.7712 };
const DRY = { lat: 44.80361, lng: -68.77017 };

describe('answers about the real Bangor', { tags: ['published-files'] }, () => {
  let bangor: Bangor;
  let engine: Engine;
  let fixture: Fixture;
  beforeAll(async () => {
    bangor = await ingestBangor();
    engine = await createEngine({ home: bangor.home, workers: 1, queue: 16, memoryMb: 256 });
    fixture = await openFixture({ cache: false, catalog });
  }, 300_000);
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
    await engine?.close();
    bangor?.remove();
  });
  const ask = (question: string, place: { lat: number; lng: number }): Promise<AskResult> => {
    const ctx = contextFor(fixture, { engine, catalog, deadline: Date.now() + 90_000, clock: Date });
    const services = { backend: embeddedBackend(languageHere(catalog)), gate: new Gate(1) };
    return askPlace(ctx, services, { question, ...place, include_trace: true });
  };

  it('are written as a surveyor writes to a client, and pass the check as they were first written', async () => {
    expect(QUESTIONS).toHaveLength(40);
    const faults: unknown[] = [];
    for (const [i, question] of QUESTIONS.entries()) {
      const lng = -68.82 + ((i * 0.6180339887) % 1) * 0.08;
      const lat = 44.79 + ((i * 0.7548776662) % 1) * 0.05;
      const { answer, trace } = await ask(question, { lat, lng });
      faults.push(...faultsOf(answer).map(fault => [fault, question, answer]), ...trace!.dropped);
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('say whether it floods where it does not, and how far the zone is', async () => {
    const { answer, fields_used } = await ask('Does it flood here, and why?', DRY);
    expect(fields_used).toContain('within_floodplain_polygon');
    expect(answer).toMatch(/^The place is (?:outside the mapped special flood hazard areas|in flood zone X, outside)/);
    expect(answer).toMatch(/nearest special flood hazard area is \d+ feet \(\d+ meters\) away in a straight line/);
  });

  it('say that a zone is too close to call, how that is settled, and what the map stands in for', async () => {
    const { answer, confidence } = await ask('flood?', EDGE);
    expect(answer).toContain('too close to call');
    expect(answer).toMatch(/ground mapped (?:as X|otherwise) is 0\.33 feet \(0\.1 meters\) away/);
    expect(answer).toContain('the source is accurate to 39 feet (12 meters)');
    expect(answer).toContain('An elevation certificate from a surveyor would be needed to settle it.');
    expect(answer).toMatch(/of 2013 that stand in for/);
    expect(confidence).toBe('low');
  });
});
