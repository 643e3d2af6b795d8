import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { createEngine } from '../../query/engine/engine.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { embeddedBackend } from '../../server/ask/embedded/backend.ts';
import { askPlace } from '../../server/ask/operation.ts';
import { Gate } from '../../server/lease/gate.ts';
import { languageHere } from '../server/language/language-here.ts';
import { contextFor, type Fixture, openFixture } from '../server/service-fixture.ts';
import { syntheticHome } from '../synthetic-home.ts';

const text = readFileSync(new URL('../../docs/ask.md', import.meta.url), 'utf8');
const answers = [...text.matchAll(/^\*\*(.+)\*\*\n\n((?:> .*\n)+)/gm)].map(
  ([, question, quoted]) => [question!, quoted!.replace(/^> /gm, '').trim().replaceAll('\n', ' ')] as const,
);

let engine: Engine;
let fixture: Fixture;
beforeAll(async () => {
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 16, memoryMb: 256 });
  fixture = await openFixture({ cache: false, catalog });
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await engine?.close();
});

it('docs/ask.md has six answers', () => expect(answers).toHaveLength(6));

it.each(answers)('docs/ask.md: %s', async (question, answer) => {
  const ctx = contextFor(fixture, { engine, catalog, deadline: Date.now() + 90_000, clock: Date });
  const services = { backend: embeddedBackend(languageHere(catalog)), gate: new Gate(1) };
  expect((await askPlace(ctx, services, { question, lat: 43.0657528, lng: -70.7113598 })).answer).toBe(answer);
});
