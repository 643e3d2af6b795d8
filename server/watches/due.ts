import type { Engine } from '../../query/engine/engine-interface.ts';

/** Milliseconds after which every server answers from a release that was published. */
export const SETTLING_MS = 60_000;

/**
 * The release that the answer of a watch is to be compared with; null where nothing new was published here. A server that has not
 * got the last release yet has none: what is current there was current when another server compared.
 * @param seenAt epoch milliseconds: what became current until then was seen.
 */
export function newsFor(
  engine: Pick<Engine, 'status' | 'releaseBy'>,
  { release, seenAt }: { readonly release: string; readonly seenAt: number },
): string | null {
  const { release: current } = engine.status();
  if (current === null || current === release) return null;
  return engine.releaseBy(new Date(seenAt).toISOString()) === current ? null : current;
}
