import { type ContentDigest, contentDigest, contentOf, partsOf } from '../receipts/content.ts';

/** Where two answers differ. */
export interface Difference {
  /** `fields.elevation.value`. */
  readonly path: string;
  /** What it was and is now, where both answers are there; absent where one does not have it. */
  readonly was?: unknown;
  readonly is?: unknown;
}

/** Where an answer differs from the one that a digest is of. @param was that answer, where somebody has it. */
export function differencesFrom(digest: ContentDigest, is: unknown, was?: unknown): readonly Difference[] {
  const again = contentDigest(is, digest.depth);
  if (again.content_sha256 === digest.content_sha256) return [];
  const valuesOf = (answer: unknown) => new Map(partsOf(contentOf(answer), digest.depth));
  const [before, after] = [was === undefined ? null : valuesOf(was), valuesOf(is)];
  const paths = new Set([...Object.keys(digest.parts), ...Object.keys(again.parts)]);
  const differing = [...paths].filter(path => digest.parts[path] !== again.parts[path]);
  // Beyond the parts that have a digest of their own.
  if (differing.length === 0) return [{ path: '(beyond the parts that the receipt tells apart)' }];
  return differing.map(path => ({
    path,
    ...(before?.has(path) ? { was: before.get(path) } : {}),
    ...(after.has(path) ? { is: after.get(path) } : {}),
  }));
}
