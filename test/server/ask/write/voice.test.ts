import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import { embeddedBackend } from '../../../../server/ask/embedded/backend.ts';
import { askPlace } from '../../../../server/ask/operation.ts';
import type { AskResult } from '../../../../server/ask/schema.ts';
import { Gate } from '../../../../server/lease/gate.ts';
import { syntheticHome } from '../../../synthetic-home.ts';
import { languageHere } from '../../language/language-here.ts';
import { contextFor, type Fixture, openFixture } from '../../service-fixture.ts';
import { faultsOf } from './voice.ts';

/** Places of the synthetic area, which the questions take in turn. */
const PLACES = [
  { lat: 43.0657528, lng: -70.7113598 },
  { lat: 43.12494, lng: -70.71829 },
];
const questions = readFileSync(new URL('./voice.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

let engine: Engine;
let fixture: Fixture;
const answers: AskResult[] = [];
beforeAll(async () => {
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 16, memoryMb: 256 });
  fixture = await openFixture({ cache: false, catalog });
  const services = { backend: embeddedBackend(languageHere(catalog)), gate: new Gate(1) };
  for (const [i, question] of questions.entries()) {
    const ctx = contextFor(fixture, { engine, catalog, deadline: Date.now() + 90_000, clock: Date });
    answers.push(await askPlace(ctx, services, { question, ...PLACES[i % PLACES.length]!, include_trace: true }));
  }
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await engine?.close();
});

describe('two hundred answers', () => {
  it('are those that are stored: `vitest run -u test/server/ask/write/voice.test.ts` writes them anew', async () => {
    expect(answers.length).toBeGreaterThanOrEqual(200);
    const text = answers.map(({ question, answer, confidence }) => `${question}\n> ${answer} [${confidence}]\n`);
    await expect(text.join('\n')).toMatchFileSnapshot('./voice-answers.txt');
  });

  it('are written as a surveyor writes to a client', () => {
    expect(answers.flatMap(({ question, answer }) => faultsOf(answer).map(fault => [fault, question, answer]))).toEqual(
      [],
    );
  });

  it('pass the check as they were first written', () => {
    expect(answers.flatMap(({ trace }) => trace!.dropped)).toEqual([]);
  });
});
