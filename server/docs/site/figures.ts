import { setImmediate as others } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Box, union } from '../../../datasets/geometry.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { InstalledSource } from '../../../query/release/installed.ts';
import { html, type Markup } from '../../http/markup.ts';
import { coverageMap, type HeldCounties } from './coverage-map.ts';
import { histogram } from './histogram.ts';

/** What a page draws of a field in the open release; empty where there is nothing to draw. */
export interface Figures {
  readonly coverage: Markup;
  readonly spread: Markup;
}

const NO_FIGURES: Figures = { coverage: html``, spread: html`` };

/** Fields whose figures are kept: those that many look at. */
const MOST_KEPT = 64;
/** Counties that are judged between two turns of others. */
const MOST_AT_ONCE = 20;

/** The counties that a release has files of, each with the box around them. */
const countiesHeld = memo((installed: readonly InstalledSource[]): HeldCounties => {
  const counties = new Map<string, Box | null>();
  for (const { county, box } of installed)
    if (county !== null) counties.set(county, union(counties.get(county) ?? null, box));
  return counties;
});

type Source = Pick<Engine, 'availability' | 'installed' | 'quantiles' | 'status'>;

async function drawn(engine: Source, name: string, unit: string | null): Promise<Figures> {
  const counties = countiesHeld(engine.installed());
  const answered = new Set<string>();
  for (const [i, county] of [...counties.keys()].entries()) {
    if (i % MOST_AT_ONCE === 0) await others();
    if (engine.availability(county).lackOf(name) === null) answered.add(county);
  }
  // A page without a histogram says the rest.
  const quantiles = (await engine.quantiles('US').catch(() => null))?.fields ?? {};
  return {
    coverage: coverageMap(counties, answered),
    spread: Object.hasOwn(quantiles, name) ? histogram(quantiles[name]!, unit) : html``,
  };
}

/** Makes the reader of a field's figures, which are drawn once a release. */
export function createFigures(engine: Source): (name: string, unit: string | null) => Promise<Figures> {
  const kept = new LRUCache<string, Figures, { readonly name: string; readonly unit: string | null }>({
    max: MOST_KEPT,
    fetchMethod: (_key, _stale, { context: { name, unit } }) => drawn(engine, name, unit),
  });
  return async (name, unit) => {
    const { release } = engine.status();
    if (release === null) return NO_FIGURES;
    return (await kept.fetch(`${release} ${name}`, { context: { name, unit } })) ?? NO_FIGURES;
  };
}
