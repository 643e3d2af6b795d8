/** Most digits behind the point. */
const MOST = 15;
const POWERS = Array.from({ length: MOST + 1 }, (_, i) => 10 ** i);

/** Half of the distance to the next double, by the binary exponent from -4 on. */
const HALF_STEPS = Array.from({ length: 18 }, (_, i) => 2 ** (i - 4 - 53));

function halfStep(size: number): number {
  if (size >= 1) return HALF_STEPS[35 - Math.clz32(size)]!;
  if (size >= 0.25) return size < 0.5 ? HALF_STEPS[2]! : HALF_STEPS[3]!;
  return size < 0.125 ? HALF_STEPS[0]! : HALF_STEPS[1]!;
}

/**
 * The double nearest to a decimal, which JSON.parse would read.
 * @param whole 0 to 9999. @param fraction whole number of up to 15 digits: what stands behind the point.
 * @param decimals digits behind the point, 0 to 15.
 * @returns NaN where only JavaScript's own reading can tell.
 */
export function nearestTo(whole: number, fraction: number, decimals: number): number {
  const scale = POWERS[decimals]!;
  const digits = whole * scale + fraction;
  // Both are exact, and a division is rounded once (Clinger, PLDI 1990).
  if (digits < Number.MAX_SAFE_INTEGER) return digits / scale;
  // The quotient is off by half of its last bit at most: a trace beside the last bit of the sum.
  const quotient = fraction / scale;
  const value = whole + quotient;
  const rest = Math.abs(quotient - (value - whole));
  // Below a power of two doubles lie closer.
  const isSure = value <= whole + 0.999 && Math.abs(rest - halfStep(value)) > Number.EPSILON / 2;
  return isSure ? value : Number.NaN;
}
