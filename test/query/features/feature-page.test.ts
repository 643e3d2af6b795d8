import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { FeaturePage, FeaturePlace } from '../../../query/features/feature-page.ts';
import { syntheticHome } from '../../synthetic-home.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ home: (await syntheticHome()).home, workers: 1, queue: 100, memoryMb: 256 });
});
afterAll(() => engine?.close());

async function pageOf(after: FeaturePlace | null, most: number): Promise<FeaturePage> {
  const all = { boxes: null, filter: null, mercator: false, limit: 1_000 };
  const of = { dataset: 'parcel_store', layer: 'main', ...all, after, most };
  const answer = await engine.features({ kind: 'page', of }, { deadline: Date.now() + 30_000 });
  if (!('page' in answer)) throw new Error(JSON.stringify(answer));
  return answer.page;
}

it('a page is full where its text is long, and the next one goes on behind it', async () => {
  const whole = JSON.parse((await pageOf(null, 1e9)).features) as unknown[];
  expect(whole.length).toBe(240);
  const features: unknown[] = [];
  let [after, pages]: [FeaturePlace | null, number] = [null, 0];
  do {
    const page = await pageOf(after, 100_000);
    const of = JSON.parse(page.features) as unknown[];
    expect(of.length).toBe(page.count);
    features.push(...of);
    after = page.next;
    pages++;
  } while (after !== null);
  expect(pages).toBeGreaterThan(2);
  expect(features).toEqual(whole);
});
