const [POINT, ZERO, MINUS] = [0x2e, 0x30, 0x2d];

/** Most digits behind the point. */
const MOST = 16;
const POWERS = Array.from({ length: MOST + 1 }, (_, i) => 10 ** i);

/** Splits a double in two of 26 bits, whose products are exact (Dekker, Numerische Mathematik 18, 1971, 5.7). */
const SPLITTER = 2 ** 27 + 1;
const highOf = (value: number): number => {
  const c = value * SPLITTER;
  return c - (c - value);
};
const HIGHS = POWERS.map(highOf);

/** Nearer to a bound than this nothing is decided: far more than what the fractions below may be off by. */
const UNSURE = 1e-6;

const isUnsure = (value: number, bound: number): boolean => Math.abs(value - bound) < UNSURE;

/** Digits behind the point with which a value is a whole number below 2^53. */
function decimalsOf(size: number): number {
  if (size < 90) return size < 9 ? (size < 0.9 ? 16 : 15) : 14;
  return size < 900 ? 13 : 12;
}

/** Half of the distance to the next double, by the binary exponent from -4 on. */
const HALF_STEPS = Array.from({ length: 18 }, (_, i) => 2 ** (i - 4 - 53));

function halfStep(size: number): number {
  if (size >= 1) return HALF_STEPS[35 - Math.clz32(size)]!;
  if (size >= 0.25) return size < 0.5 ? HALF_STEPS[2]! : HALF_STEPS[3]!;
  return size < 0.125 ? HALF_STEPS[0]! : HALF_STEPS[1]!;
}

/**
 * Writes a number as String does, the shortest decimal that stands for it and of those the nearest, where it is of the
 * size of degrees, acres or metres: a page is mostly such numbers, and texts in between take longer than all else that is
 * done with them.
 * @param value 0.1 to 9000 or -9000 to -0.1, and no whole number.
 * @param into has room for 24 bytes from `at`.
 * @returns where the text ends; -1 where only String can tell, and what stands from `at` does not matter.
 */
export function writeDecimal(into: Uint8Array, at: number, value: number): number {
  const size = Math.abs(value);
  // The double before one of these is nearer than the one behind it.
  if (size === 0.5 || size === 0.25 || size === 0.125) return -1;
  const most = decimalsOf(size);
  const scale = POWERS[most]!;
  // All that lies nearer to the value than this is read as the value, in units of the last digit.
  const near = halfStep(size) * scale;

  // The scaled value, exactly: `whole` and `rest`.
  const product = size * scale;
  const high = highOf(size);
  const low = size - high;
  const scaleHigh = HIGHS[most]!;
  const scaleLow = scale - scaleHigh;
  const error = low * scaleLow - (product - high * scaleHigh - low * scaleHigh - high * scaleLow);
  let whole = Math.floor(product);
  let rest = product - whole + error;
  if (rest < 0) {
    whole--;
    rest++;
  } else if (rest >= 1) {
    whole++;
    rest--;
  }

  const up = rest < 0.5 ? 0 : 1;
  const off = up - rest;
  if (isUnsure(rest, 0.5) || isUnsure(Math.abs(off), near)) return -1;
  if (Math.abs(off) > near) {
    // One digit more: several would do, and the nearest is meant.
    const last = Math.round(rest * 10);
    if (isUnsure(Math.abs(rest * 10 - last), 0.5)) return -1;
    const end = write(into, at, value < 0, whole, most);
    into[end] = ZERO + last;
    return end + 1;
  }
  let digits = whole + up;
  let decimals = most;
  // A digit less, as long as what is left is near enough.
  for (let power = 10; ; power *= 10) {
    const left = Math.round((whole + up) / power) * power;
    const away = Math.abs(left - (whole + up) + off);
    if (isUnsure(away, near)) return -1;
    if (away > near) break;
    digits = left / power;
    if (--decimals === 0) return -1;
  }
  return write(into, at, value < 0, digits, decimals);
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

/** Writes a number of up to 16 digits, so many of them behind the point; @returns where it ends. */
function write(into: Uint8Array, at: number, negative: boolean, digits: number, decimals: number): number {
  const power = POWERS[decimals]!;
  const before = Math.floor(digits / power);
  const behind = digits - before * power;
  let end = at;
  if (negative) into[end++] = MINUS;
  end = pad(into, end, before, before < 100 ? (before < 10 ? 1 : 2) : before < 1000 ? 3 : 4);
  into[end++] = POINT;
  if (decimals <= 7) return pad(into, end, behind, decimals);
  const upper = Math.floor(behind / 1e7);
  return pad(into, pad(into, end, upper, decimals - 7), behind - upper * 1e7, 7);
}

/** Writes a whole number below 2^31 in so many digits. */
function pad(into: Uint8Array, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let i = at + digits - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    into[i] = ZERO + (rest - next * 10);
    rest = next;
  }
  return at + digits;
}
