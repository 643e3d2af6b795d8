import type { TierMatch } from './tier.ts';
import { gradeOf } from './verdict.ts';

/** Two similarities are comparable when they differ by no more than this. */
const COMPARABLE = 0.05;

const sameAddress = (a: TierMatch, b: TierMatch) =>
  a.normalizedAddress !== null && a.normalizedAddress.toUpperCase() === b.normalizedAddress?.toUpperCase();

/**
 * The best match of a provider's list, followed by those that compete with it: comparable similarity, the same grade,
 * another address. An address that is listed twice, from two sources or at two grades, is one place.
 * @param matches in any order. When they have no similarities, all are comparable.
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
