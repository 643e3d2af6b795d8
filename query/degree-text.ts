const [POINT, ZERO, MINUS] = [0x2e, 0x30, 0x2d];

/** Digits behind the point with which values below 64, and from there, are whole numbers below 2^53. */
const [NEAR, FAR] = [14, 13];
const POWERS = Array.from({ length: NEAR + 1 }, (_, i) => 10 ** i);

/** Splits a double in two of 26 bits, whose products are exact (Dekker, Numerische Mathematik 18, 1971, 5.7). */
const SPLITTER = 2 ** 27 + 1;
const highOf = (value: number): number => {
  const c = value * SPLITTER;
  return c - (c - value);
};
const NEAR_HIGH = highOf(10 ** NEAR);
const FAR_HIGH = highOf(10 ** FAR);

/** Nearer to a bound than this nothing is decided: far more than what the fractions below may be off by. */
const UNSURE = 1e-6;

const isUnsure = (value: number, bound: number): boolean => Math.abs(value - bound) < UNSURE;

/** Half of the distance to the next double. */
function halfStep(size: number): number {
  if (size < 32) return size < 16 ? 2 ** -50 : 2 ** -49;
  if (size < 64) return 2 ** -48;
  return size < 128 ? 2 ** -47 : 2 ** -46;
}

/**
 * Writes a number as String does, the shortest decimal that stands for it and of those the nearest, where it is of the
 * size of degrees: a boundary is mostly such numbers, and texts in between take longer than all else that is done with it.
 * @param value 8 to 256 or -256 to -8, and no whole number.
 * @param into has room for 24 bytes from `at`.
 * @returns where the text ends; -1 where only String can tell, and what stands from `at` does not matter.
 */
export function writeDegrees(into: Uint8Array, at: number, value: number): number {
  const size = Math.abs(value);
  const far = size >= 64;
  const scale = far ? 10 ** FAR : 10 ** NEAR;
  // All that lies nearer to the value than this is read as the value, in units of the last digit.
  const most = halfStep(size) * scale;

  // The scaled value, exactly: `whole` and `rest`.
  const product = size * scale;
  const high = highOf(size);
  const low = size - high;
  const scaleHigh = far ? FAR_HIGH : NEAR_HIGH;
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
  if (isUnsure(rest, 0.5) || isUnsure(Math.abs(off), most)) return -1;
  if (Math.abs(off) > most) {
    // One digit more: several would do, and the nearest is meant.
    const last = Math.round(rest * 10);
    if (isUnsure(Math.abs(rest * 10 - last), 0.5)) return -1;
    const end = write(into, at, value < 0, whole, far ? FAR : NEAR);
    into[end] = ZERO + last;
    return end + 1;
  }
  let digits = whole + up;
  let decimals = far ? FAR : NEAR;
  // A digit less, as long as what is left is near enough.
  for (let power = 10; ; power *= 10) {
    const left = Math.round((whole + up) / power) * power;
    const away = Math.abs(left - (whole + up) + off);
    if (isUnsure(away, most)) return -1;
    if (away > most) break;
    digits = left / power;
    if (--decimals === 0) return -1;
  }
  return write(into, at, value < 0, digits, decimals);
}

/** Writes a number of up to 16 digits, so many of them behind the point; @returns where it ends. */
function write(into: Uint8Array, at: number, negative: boolean, digits: number, decimals: number): number {
  const power = POWERS[decimals]!;
  const before = Math.floor(digits / power);
  const behind = digits - before * power;
  let end = at;
  if (negative) into[end++] = MINUS;
  end = pad(into, end, before, before < 10 ? 1 : before < 100 ? 2 : 3);
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
