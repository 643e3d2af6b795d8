import { expect } from 'vitest';
import type { Answer, Point } from '../../../../query/evaluate/answer.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../../query/evaluate/finding.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import type { Fixture } from '../../release-fixture.ts';

/**
 * Answers fields at points in both forms and demands that they agree in everything a record says.
 * @param chunk points a batch.
 * @returns the answers, a record a point.
 */
export async function bothForms(
  { home, catalog }: Pick<Fixture, 'home' | 'catalog'>,
  names: readonly string[],
  points: readonly Point[],
  chunk = 50,
): Promise<Record<string, Answer>[]> {
  const release = openRelease(home);
  const at = '2026-01-01T00:00:00.000Z';
  const bulk: Record<string, Answer>[] = points.map(() => ({}));
  const cache = createCache(64);
  for (let start = 0; start < points.length; start += chunk) {
    // Places alone: a sample may carry more, and what a batch calls a parcel is another thing.
    const some = points.slice(start, start + chunk).map(({ lng, lat }) => ({ lng, lat }));
    const findings = await evaluateBatch(names, some, { release, catalog, cache });
    for (const name of names)
      for (const [i, finding] of findings.get(name)!.entries())
        bulk[start + i]![name] = toAnswer(finding, catalog.datasets.get(catalog.fields.get(name)!.dataset)!, at);
  }
  // A cache of its own, so that neither form finds what the other left.
  const own = createCache(64);
  for (const [i, point] of points.entries()) {
    const answers = await evaluate(names, point, { release, catalog, cache: own, deadline: Date.now() + 20_000 });
    for (const name of names)
      expect({ ...answers[name]!, fetchedAt: at }, `${name} at ${point.lng},${point.lat}`).toEqual(bulk[i]![name]);
  }
  return bulk;
}
