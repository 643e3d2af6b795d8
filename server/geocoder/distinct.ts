import type { TierMatch } from './tier.ts';
import { gradeOf } from './verdict.ts';

/** Similarities that differ by no more are comparable. */
const COMPARABLE = 0.05;

const sameAddress = (a: TierMatch, b: TierMatch) =>
  a.normalizedAddress !== null && a.normalizedAddress.toUpperCase() === b.normalizedAddress?.toUpperCase();

/**
 * The best match of a provider's list and those it cannot be told from: comparable similarity, the same grade, another
 * address. One address that stands there twice, from two sources or at two grades, is one place.
 * @param matches in any order; without similarities all are comparable.
 */
export function distinct(matches: readonly TierMatch[]): TierMatch[] {
  const [best, ...others] = [...matches].sort((a, b) => (b.similarity ?? 1) - (a.similarity ?? 1));
  if (!best) return [];
  const found = [best];
  for (const other of others) {
    const comparable = (best.similarity ?? 1) - (other.similarity ?? 1) <= COMPARABLE;
    const alike = gradeOf(other.accuracyType) === gradeOf(best.accuracyType);
    if (comparable && alike && !found.some(one => sameAddress(one, other))) found.push(other);
  }
  return found;
}
