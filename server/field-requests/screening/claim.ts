import { folded } from '../../ask/retrieval/words.ts';
import { converted, type Unit, unitAt } from '../../ask/units.ts';

/** How a claimed value compares with a record; `unread` when the claim has nothing to compare. */
type ClaimVerdict = 'agrees' | 'differs' | 'unread';

/** Allowed difference of a claim, as a share: people read maps and round. */
const TOLERANCE = 0.25;

function numberVerdict(claimed: string, value: number, unit: string | null): ClaimVerdict {
  const match = /-?\d[\d,]*(?:\.\d+)?/.exec(claimed);
  if (!match) return 'unread';
  const said = Number(match[0].replaceAll(',', ''));
  const named = unitAt(claimed.slice(match.index + match[0].length));
  if (named === null || named === unit) return near(said, value);
  // Convert from the claim's side, because values can be converted to its unit.
  const there = converted(value, unit, named satisfies Unit);
  return there === null ? 'differs' : near(said, there);
}

const near = (a: number, b: number): ClaimVerdict =>
  Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)) ? 'agrees' : 'differs';

/**
 * Compares a requester's claim about a place with a record.
 * @param claimed in the requester's words, such as `1200 m`. @param value not null. @param unit of the value.
 */
export function judgeClaim(claimed: string, value: unknown, unit: string | null): ClaimVerdict {
  const text = folded(claimed).trim();
  if (text === '') return 'unread';
  if (typeof value === 'number') return numberVerdict(claimed, value, unit);
  if (typeof value === 'boolean') {
    const yes = /\b(?:yes|true|inside|within)\b/.test(text);
    const no = /\b(?:no|false|outside|not)\b/.test(text);
    if (yes === no) return 'unread';
    return yes === value ? 'agrees' : 'differs';
  }
  const said = folded(String(value)).trim();
  return said.includes(text) || text.includes(said) ? 'agrees' : 'differs';
}
