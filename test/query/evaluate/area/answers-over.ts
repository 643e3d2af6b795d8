import type { Geometry } from '../../../../datasets/geometry.ts';
import { type AreaFinding, areaOf } from '../../../../query/evaluate/area/area.ts';
import { openArea } from '../../../../query/evaluate/evaluate-area.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import type { Fixture } from '../../release-fixture.ts';

/** What fields say of an area, in this thread and opened anew. */
export async function answersOver(
  { home, catalog }: Pick<Fixture, 'home' | 'catalog'>,
  names: readonly string[],
  geometry: Geometry,
): Promise<Record<string, AreaFinding | null>> {
  const release = openRelease(home);
  const cache = createCache(64);
  const evaluation = { release, catalog, cache, deadline: Date.now() + 60_000 };
  const asking = openArea(await areaOf(geometry), evaluation, new Layers(release, cache));
  const out: Record<string, AreaFinding | null> = {};
  for (const name of names) out[name] = await asking.answer(catalog.fields.get(name)!);
  return out;
}

/** Statistics of one kind; a test that gets others fails here, with what it got. */
export function statisticsOf<K extends NonNullable<AreaFinding['value']>['kind']>(
  finding: AreaFinding | null | undefined,
  kind: K,
): Extract<NonNullable<AreaFinding['value']>, { kind: K }> {
  if (finding?.value?.kind !== kind) throw new Error(`Expected ${kind}, got ${JSON.stringify(finding)}`);
  return finding.value as Extract<NonNullable<AreaFinding['value']>, { kind: K }>;
}
