const SHORTEST = 32;
/** A random secret of 32 hexadecimal digits has 128 bits and is hardly ever estimated below 90. */
const LEAST_BITS = 72;

/** Bits of a value as often as it occurs, over all (Shannon's entropy of a sample). */
function entropy(values: readonly (string | number)[]): number {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / values.length) * Math.log2(n / values.length), 0);
}

/** Characters that do not merely repeat three that came before. */
function fresh(text: string): number {
  const seen = new Set<string>();
  let count = 0;
  let repeatedTo = 0;
  for (let i = 0; i < text.length; i++) {
    const next = text.slice(i, i + 3);
    if (next.length === 3 && seen.has(next)) repeatedTo = i + 3;
    seen.add(next);
    if (i >= repeatedTo) count++;
  }
  return count;
}

/**
 * Bits that guessing a secret takes, roughly and rather too many: what repeats counts once, and runs such as `abc` or
 * `111` count nothing. Words are not recognised.
 */
function estimatedBits(text: string): number {
  const codes = [...text].map(character => character.codePointAt(0)!);
  const steps = codes.slice(1).map((code, i) => code - codes[i]!);
  return fresh(text) * Math.min(entropy(codes), entropy(steps));
}

/** Why a text is too weak to be a signing secret and what is expected, or null. Never repeats the text. */
export function secretFault(text: string): string | null {
  if (text.length >= SHORTEST && estimatedBits(text) >= LEAST_BITS) return null;
  const what = text.length < SHORTEST ? `it has ${text.length} characters` : 'it repeats itself or counts';
  return `expected at least ${SHORTEST} random characters, for example from \`openssl rand -base64 32\`, but ${what}`;
}
